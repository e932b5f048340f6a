package kernels

var leaks = []Kernel{}
