// before
// ANCHOR: size
int size = 3;
// ANCHOR_END: size
