first = 1
# --8<-- [start:size]
size = 2
# --8<-- [end:size]
last = 3
