package kernels

var memory = []Kernel{}
