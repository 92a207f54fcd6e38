"""HTML pages -> articles, as Markdown gives them. Knows nothing of where the pages are from."""

SUFFIXES = (".html", ".htm", ".xhtml")
"""How the names of built pages end; here, so that telling a folder's kind loads no parser."""
