project = "A Sphinx site"
extensions = ["myst_parser"]
source_suffix = {".rst": "restructuredtext", ".txt": "restructuredtext"}
version = "1.0"

myst_substitutions = {"product": "The **cache**", "own": "of the site"}
