package monitor_test

import (
	"context"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	"github.com/snapstorm/snapstorm/fakes"
	"github.com/snapstorm/snapstorm/monitor"
	"github.com/snapstorm/snapstorm/sim"
)

// TestScenario draws whole scenarios: what there is, how long things take, what goes wrong and who does what.
func TestScenario(t *testing.T) {
	sim.RapidWith(t, sim.Options{Schedules: 40, Horizon: drawnHorizon}, drawings, playDrawing)
}

// FuzzStorm lets the engine of go test -fuzz draw them.
func FuzzStorm(f *testing.F) {
	sim.FuzzDrawn(f, sim.Options{Horizon: drawnHorizon}, drawings, playDrawing)
}

// drawnHorizon is longer than anything below takes. What costs a world its time is the heartbeat of the monitor's queue.
const drawnHorizon = 20 * time.Minute

// drawing is a scenario in words that can be printed and read again.
type drawing struct {
	Workspaces []workspace
	Backups    []backup // of workspaces that are gone
	Deadline   string   // the monitor's
	Class      string   // of the snapshots that it makes; "" is the cluster's default
	Snapshots  string   // who takes snapshots: see providers
	Takes      []string // how long a snapshot may take; the first is the usual one
	Stops      []string // how long containers may take to stop
	Faults     []string // what may go wrong, each as often as it is listed
	Deeds      []deed   // of the user
	Crashes    int
	Overlaps   int
	Stalls     int
}

// deed is something that the user does to an object that has to do with a workspace.
type deed struct {
	Pause string
	What  fakes.Deed
	Name  string // part of the object's name
}

// Of each list, the first is the dullest.
var (
	deadlines = []string{"5m", "2m", "1m"}
	classes   = []string{"", "workspace-backup"}
	takes     = []string{"0s", "1s", "1m", "16m"} // the last is longer than deadline and patience
	stops     = []string{"0s", "1s", "1m", "10m"}
	pauses    = []string{"0s", "1s", "1m", "10m"}
	providers = []string{"always", "mostly", "nobody"}
	deeds     = []fakes.Deed{fakes.Relabel, fakes.Delete, fakes.Recreate}
	named     = []string{"ws-0", "ws-1", "old-0", "old-1", "old-2"}
	faults    = []string{"mishap", "relist", "resync", "stale list", "watch ends", "handler lag", "informer lag"}
)

var drawings = rapid.Custom(func(t *rapid.T) drawing {
	return drawing{
		Workspaces: rapid.SliceOfN(workspaces, 1, 4).Draw(t, "workspaces"),
		Backups:    rapid.SliceOfN(backups, 0, 6).Draw(t, "backups"),
		Deadline:   rapid.SampledFrom(deadlines).Draw(t, "deadline"),
		Class:      rapid.SampledFrom(classes).Draw(t, "class"),
		Snapshots:  rapid.SampledFrom(providers).Draw(t, "who takes snapshots"),
		Takes:      rapid.SliceOfN(rapid.SampledFrom(takes), 1, 3).Draw(t, "how long snapshots take"),
		Stops:      rapid.SliceOfN(rapid.SampledFrom(stops), 1, 3).Draw(t, "how long pods take to stop"),
		Faults:     rapid.SliceOfN(rapid.SampledFrom(faults), 0, 12).Draw(t, "faults"),
		Deeds:      rapid.SliceOfN(userDeeds, 0, 6).Draw(t, "deeds"),
		Crashes:    rapid.IntRange(0, 3).Draw(t, "crashes"),
		Overlaps:   rapid.IntRange(0, 2).Draw(t, "overlaps"),
		Stalls:     rapid.IntRange(0, 2).Draw(t, "stalls"),
	}
})

var userDeeds = rapid.Custom(func(t *rapid.T) deed {
	return deed{
		Pause: rapid.SampledFrom(pauses).Draw(t, "pause"),
		What:  rapid.SampledFrom(deeds).Draw(t, "what"),
		Name:  rapid.SampledFrom(named).Draw(t, "name"),
	}
})

// playDrawing is the scenario of a drawing.
func playDrawing(w *sim.World, d drawing) {
	scenario{
		objects: d.objects(),
		plane: fakes.Options{
			Faults: d.faults(), SnapshotDelays: durations(d.Takes), StopDelays: durations(d.Stops), SnapshotsNeverReady: d.Snapshots == "mostly",
		},
		user:       d.user,
		program:    sim.Program{Crashes: d.Crashes, Overlaps: d.Overlaps, Stalls: d.Stalls},
		config:     monitor.Config{Deadline: duration(d.Deadline), SnapshotClass: d.Class},
		unprovided: d.Snapshots == "nobody",
	}.play(w)
}

// user does the deeds, each to the first object that it may be done to, unless the schedule picks another one. A deed that
// finds nothing is an effect all the same: or several pauses in a row would look like a world that has settled.
func (d drawing) user(ctx context.Context, cluster *fakes.Cluster) {
	for _, next := range d.Deeds {
		sim.Sleep(duration(next.Pause))
		sim.Effect("deed", next.Name, 0)
		cluster.User(ctx, fakes.User{Deeds: 1, May: func(what fakes.Deed, o metav1.Object) bool {
			return what == next.What && strings.Contains(o.GetName(), next.Name) && may(what, o)
		}})
	}
}

func (d drawing) faults() fakes.Faults {
	var f fakes.Faults
	bounds := map[string]*int{
		"mishap": &f.Mishaps, "relist": &f.Relists, "resync": &f.Resyncs, "stale list": &f.StaleLists,
		"watch ends": &f.WatchEnds, "handler lag": &f.HandlerLags, "informer lag": &f.InformerLags,
	}
	for _, name := range d.Faults {
		*bounds[name]++
	}
	return f
}

func durations(texts []string) (all []time.Duration) {
	for _, text := range texts {
		all = append(all, duration(text))
	}
	return all
}

func duration(text string) time.Duration {
	d, err := time.ParseDuration(text)
	if err != nil {
		panic(err)
	}
	return d
}
