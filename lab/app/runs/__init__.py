"""The Runs page: saved runs, replayed and forked."""
