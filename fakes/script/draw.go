package script

import (
	"time"

	"pgregory.net/rapid"
)

// period is longer than all that happens between two resyncs of a script.
const period = 4 * time.Hour

// Scripts makes random scripts of about twenty steps. There is always a write
// before the first: no API server is at revision 0.
func Scripts() *rapid.Generator[Script] {
	return rapid.Custom(func(t *rapid.T) Script {
		return Script{
			Before:   rapid.SliceOfN(writes(), 1, 4).Draw(t, "before"),
			Resync:   rapid.SampledFrom([]time.Duration{0, period}).Draw(t, "resync"),
			Handlers: rapid.SliceOfN(handlers(), 1, 2).Draw(t, "handlers"),
			Steps:    rapid.SliceOfN(steps(), 10, 30).Draw(t, "steps"),
		}
	})
}

// often holds each kind of step as often as it shall come among 33. Rapid
// likes the first ones a little better, so what is common stands last.
var often = []Kind{
	Pass, Resync, Relist, Relist, Release, Rewatch, Hold, Restart, Join, Stop, Leave, Outage,
	Release, Restart, Restart, Join, Hold, Resync, Resync, Rewatch, Rewatch, Relist, Relist, Relist,
	Change, Change, Change, Change, Change, Change, Change, Change, Change,
}

func steps() *rapid.Generator[Step] {
	return rapid.Custom(func(t *rapid.T) Step {
		s := Step{Kind: rapid.SampledFrom(often).Draw(t, "kind")}
		switch s.Kind {
		case Change:
			s.Writes = rapid.SliceOfN(writes(), 1, 3).Draw(t, "writes")
		case Rewatch, Restart, Outage:
			s.Writes = rapid.SliceOfN(writes(), 0, 4).Draw(t, "writes")
		case Relist:
			s.Writes = gap(t, 1)
		case Stop:
			s.Writes = gap(t, 0)
		}
		s.Cut = rapid.IntRange(0, 11).Draw(t, "cut")
		s.Handler = rapid.IntRange(0, 3).Draw(t, "handler")
		s.Period = rapid.SampledFrom([]Period{Default, Never, EverySecond}).Draw(t, "period")
		s.Held = rapid.IntRange(0, 3).Draw(t, "held") == 3
		s.Age = rapid.IntRange(0, 4).Draw(t, "age")
		return s
	})
}

// gap draws what is written while a stream is broken. The first write changes
// something: that is when our own informer notices.
func gap(t *rapid.T, least int) []Write {
	gap := rapid.SliceOfN(writes(), least, 4).Draw(t, "gap")
	if len(gap) > 0 && gap[0].Verb == Nothing {
		gap[0].Verb = Label
	}
	return gap
}

func writes() *rapid.Generator[Write] {
	return rapid.Custom(func(t *rapid.T) Write {
		return Write{
			Verb: rapid.SampledFrom([]Verb{Label, Label, Ready, Delete, Delete, Recreate, Nothing}).Draw(t, "verb"),
			Name: rapid.SampledFrom([]string{"a", "b", "c", "d"}).Draw(t, "name"),
		}
	})
}

func handlers() *rapid.Generator[Handler] {
	return rapid.Custom(func(t *rapid.T) Handler {
		return Handler{
			Period: rapid.SampledFrom([]Period{Default, Never, EverySecond}).Draw(t, "period"),
			Held:   rapid.IntRange(0, 7).Draw(t, "held") == 7,
		}
	})
}
