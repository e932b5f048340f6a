package kernels

var groups = []Kernel{}
