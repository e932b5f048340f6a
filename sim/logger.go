package sim

import (
	"context"
	"log/slog"
	"strings"

	"github.com/snapstorm/snapstorm/sim/sched"
)

// logger is a slog.Handler that keeps no state but what WithAttrs and WithGroup gave it.
type logger struct{ prefix string }

// Enabled implements slog.Handler.
func (logger) Enabled(context.Context, slog.Level) bool { return true }

// Handle implements slog.Handler.
func (l logger) Handle(_ context.Context, r slog.Record) error {
	if !sched.Traced() {
		sched.Log(r.Message, "")
		return nil
	}
	var b strings.Builder
	b.WriteString(l.prefix)
	r.Attrs(func(a slog.Attr) bool {
		b.WriteString(" " + a.String())
		return true
	})
	sched.Log(r.Message, b.String())
	return nil
}

// WithAttrs implements slog.Handler.
func (l logger) WithAttrs(attrs []slog.Attr) slog.Handler {
	for _, a := range attrs {
		l.prefix += " " + a.String()
	}
	return l
}

// WithGroup implements slog.Handler.
func (l logger) WithGroup(name string) slog.Handler {
	l.prefix += " " + name + ":"
	return l
}
