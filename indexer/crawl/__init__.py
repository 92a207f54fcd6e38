"""The pages of a site, fetched over HTTP into a folder. Knows nothing of what becomes of them."""
