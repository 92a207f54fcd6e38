#!/bin/sh
# #region other
# Install things
# #region install
  npm i
# #endregion other

  npm test  # ``` and <b>this</b>
# #endregion install
# Done
