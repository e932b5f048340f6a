package kernels

var orders = []Kernel{}
