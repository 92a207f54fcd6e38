"""What a generator lays over Markdown, taken away line by line. Knows no files and no passages."""
