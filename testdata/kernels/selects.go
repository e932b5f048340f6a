package kernels

var selects = []Kernel{}
