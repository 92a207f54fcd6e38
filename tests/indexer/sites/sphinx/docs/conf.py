project = "A Sphinx site"
extensions = ["myst_parser"]
