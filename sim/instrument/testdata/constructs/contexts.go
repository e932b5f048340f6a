package constructs

import (
	"context"
	"fmt"
)

func contexts() string {
	ctx, cancel := context.WithCancel(context.Background())
	called := make(chan string, 2)
	stop := context.AfterFunc(ctx, func() { called <- "after" })
	never := context.AfterFunc(
		ctx,
		func() { called <- "never" },
	)
	after := context.AfterFunc
	forever := after(context.Background(), func() {})
	stopped, again := never(), never()
	cancel()
	return fmt.Sprint(<-called, stopped, again, stop(), forever())
}
