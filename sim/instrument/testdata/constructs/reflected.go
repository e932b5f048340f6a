package constructs

import (
	"fmt"
	"reflect"
)

func reflected() string {
	a, b := make(chan int, 1), make(chan string)
	cases := []reflect.SelectCase{
		{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(b)},
		{Dir: reflect.SelectDefault},
		{Dir: reflect.SelectSend, Chan: reflect.ValueOf(a), Send: reflect.ValueOf(5)},
		{Dir: reflect.SelectRecv},
	}
	sent, _, _ := reflect.Select(cases)
	full, _, ok := reflect.Select(cases)
	close(b)
	closed, v, ok2 := reflect.Select(cases[:1])
	cases[0].Chan = reflect.ValueOf(a)
	i, five, ok3 := reflect.Select(
		cases[:1],
	)
	return fmt.Sprint(sent, full, ok, closed, v, ok2, i, five, ok3)
}
