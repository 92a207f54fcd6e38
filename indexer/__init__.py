"""A site's articles -> passages that can be found by words. Knows nothing of models or agents."""
