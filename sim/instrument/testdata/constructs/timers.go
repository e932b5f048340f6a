package constructs

import (
	"context"
	"errors"
	"fmt"
	. "runtime"
	clock "time"
)

func timers() string {
	clock.Sleep(clock.Nanosecond)
	<-clock.After(1)
	<-clock.Tick(clock.Microsecond)
	t := clock.NewTimer(clock.Hour)
	stopped := t.Stop()
	active := t.Reset(1)
	<-t.C
	ticker := clock.NewTicker(clock.Hour)
	ticker.Reset(1)
	<-ticker.C
	ticker.Stop()
	called := make(chan bool)
	clock.AfterFunc(1, func() { called <- true })
	Gosched()
	ctx, cancel := context.WithTimeout(context.Background(), 1)
	defer cancel()
	<-ctx.Done()
	ctx2, cancel2 := context.WithDeadlineCause(context.Background(), clock.Now(), errors.New("late"))
	defer cancel2()
	<-ctx2.Done()
	return fmt.Sprint(stopped, active, <-called, ctx.Err(), context.Cause(ctx2))
}
