package kernels

var channels = []Kernel{}
