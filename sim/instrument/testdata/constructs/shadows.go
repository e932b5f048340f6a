package constructs

import "sync"

var snaphook = 1

func shadows() int {
	snap1 := make(chan int, 1)
	go func(snapSites_10 int) { snap1 <- snapSites_10 }(snaphook)
	var once sync.Once
	once.Do(func() {})
	return <-snap1
}
