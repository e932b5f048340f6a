package constructs

import "fmt"

type node struct {
	next  *node
	value int
	list  []int
	array [2]int
}

var total, fixed int = 0, 3

func touches() string {
	n := &node{value: 1, list: []int{1, 2}}
	local := node{}
	local.value = 2
	n.value = 3
	if n.value > 2 {
		local.array[1] = n.value
	} else if n.value > 1 {
		n.value = 0
	}
	n.list[0]++
	total += fixed
	for i := 0; i < n.value; i++ {
		local.value += i
	}
retry:
	for n.value < 5 {
		switch n.value {
		case 3:
			n.value++
			continue retry
		default:
			n.value += 2
		}
	}
	p := &local.value
	*p = 9
	captured, constant := 1, 2
	f := func() int {
		captured++
		return captured + constant
	}
	captured = 7
	q := &n.value
	return fmt.Sprint(n.value, local.value, total, f(), captured, *q, local.array)
}

func untouched(a, b int) int { return a + b }
