package sample

import (
	"strings"

	"github.com/snapstorm/snapstorm/testdata/kernels"
	"github.com/snapstorm/snapstorm/testdata/kernels/kube"
)

// The packages whose tests run the kernels.
const (
	Light = "./testdata/kernels"      // each is a function, which can be run free
	Kube  = "./testdata/kernels/kube" // each runs in a cluster
)

// Kernel is where a kernel's tests are, and what they should find.
type Kernel struct {
	Name, Class, Want string
	Package           string
	Schedules         int // within how many schedules each seed should find it
}

// Race says whether the kernel's bug is looked for with -race: all are, but for those that show only without.
func (k Kernel) Race() bool { return k.Want != "concurrent-map" }

// Kernels returns so many kernels of each class, evenly spread over it; 0 means all.
func Kernels(perClass int) []Kernel {
	var picked []Kernel
	for _, class := range classes() {
		n := len(class)
		take := n
		if perClass > 0 {
			take = min(n, perClass)
		}
		for i := range take {
			picked = append(picked, class[i*n/take])
		}
	}
	return picked
}

// classes are all kernels, class by class.
func classes() [][]Kernel {
	var all []Kernel
	for _, k := range kernels.All() {
		all = append(all, Kernel{k.Name, k.Class, k.Want, Light, max(100, k.Schedules)})
	}
	for _, k := range kube.All() {
		all = append(all, Kernel{k.Name, k.Class, k.Want, Kube, max(100, k.Schedules)})
	}
	index := map[string]int{}
	var classes [][]Kernel
	for _, k := range all {
		i, known := index[k.Class]
		if !known {
			i = len(classes)
			index[k.Class], classes = i, append(classes, nil)
		}
		classes[i] = append(classes[i], k)
	}
	return classes
}

// Pattern is the regular expression of -test.run for a test's subtests of these kernels.
func Pattern(test string, all []Kernel) string {
	names := make([]string, len(all))
	for i, k := range all {
		names[i] = k.Name
	}
	return "^" + test + "$/^(" + strings.Join(names, "|") + ")$"
}
