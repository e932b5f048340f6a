package kernels

var atomics = []Kernel{}
