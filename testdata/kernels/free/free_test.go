package free

import (
	"context"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/snapstorm/snapstorm/testdata/kernels"
)

// moment is how long a test waits for a program to do what it does before it tells it to end.
const moment = 10 * time.Millisecond

// TestFree runs each bug once. It fails where the race detector, goleak or a panic shows something.
func TestFree(t *testing.T) {
	for _, k := range kernels.All() {
		t.Run(k.Name, func(t *testing.T) {
			before := goleak.IgnoreCurrent()
			ctx, cancel := context.WithCancel(context.Background())
			go k.Bug(ctx)
			time.Sleep(moment)
			cancel()
			if err := goleak.Find(before); err != nil {
				t.Errorf("leaked: %v", err)
			}
		})
	}
}
