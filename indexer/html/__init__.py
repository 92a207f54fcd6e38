"""HTML pages -> articles, as Markdown gives them. Knows nothing of where the pages are from."""
