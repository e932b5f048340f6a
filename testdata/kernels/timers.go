package kernels

var timers = []Kernel{}
