"""A run as HTML that is safe to show: for the page, and for a file that needs no server."""
