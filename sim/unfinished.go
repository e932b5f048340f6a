package sim

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"

	"github.com/snapstorm/snapstorm/sim/tape"
)

// A run keeps a locked file beside its tapes as long as it is under way. Where the next run finds one that nobody holds the
// lock of, the run was killed, and what it had found would be forgotten otherwise: the tapes are whole, since each was
// written under another name first.

// marker is this run's file. It is open, and so locked, until the process ends.
var marker *os.File

// mark says that this run is under way, and lists what killed runs of the same subject had found.
func mark() error {
	if err := os.MkdirAll(outDir(), 0o755); err != nil {
		return fmt.Errorf("-sim.out: %w", err)
	}
	listUnfinished()
	var err error
	if marker, err = os.CreateTemp(outDir(), "."+fileName(info.Name())+"-*.running"); err != nil {
		return fmt.Errorf("-sim.out: %w", err)
	}
	return syscall.Flock(int(marker.Fd()), syscall.LOCK_EX)
}

func unmark() { os.Remove(marker.Name()) }

// abandoned says whether nobody holds the lock of a marker.
func abandoned(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil
}

func listUnfinished() {
	markers, _ := filepath.Glob(filepath.Join(outDir(), "."+fileName(info.Name())+"-*.running"))
	killed := false
	for _, m := range markers {
		if abandoned(m) {
			killed = true
			os.Remove(m)
		}
	}
	if !killed {
		return
	}
	tapes, _ := filepath.Glob(filepath.Join(outDir(), fileName(info.Name())+"-*.tape"))
	fmt.Fprintf(os.Stderr, "snapstorm: an earlier run was killed; it left %d tapes:\n", len(tapes))
	for _, path := range tapes {
		if t, err := tape.Read(path); err == nil {
			fmt.Fprintf(os.Stderr, "  %s: %s\n", path, t.Summary)
		} else {
			fmt.Fprintf(os.Stderr, "  %v\n", err)
		}
	}
}
