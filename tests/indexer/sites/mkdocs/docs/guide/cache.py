# the cache
size = 3
