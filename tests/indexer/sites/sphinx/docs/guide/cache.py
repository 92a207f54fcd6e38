# the cache
size = 3
# no heading
