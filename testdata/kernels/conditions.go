package kernels

var conditions = []Kernel{}
