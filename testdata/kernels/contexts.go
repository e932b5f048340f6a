package kernels

var contexts = []Kernel{}
