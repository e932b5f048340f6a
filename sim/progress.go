package sim

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"golang.org/x/term"
)

// progress tells a person that something goes on: a bar on a terminal, now and then a line elsewhere, if asked for.
type progress struct {
	test     string
	total    int
	done     int
	left     int // of an exhaustive search: schedules that are known to come
	terminal bool
	verbose  bool
	began    time.Time
	shown    time.Time
}

func newProgress(test string, seed uint64, total int) *progress {
	if flags.seeds > 1 {
		test += fmt.Sprintf(" seed %d", seed)
	}
	return &progress{
		test: test, total: total, began: time.Now(), shown: time.Now(), verbose: testing.Verbose() || flags.progress, terminal: term.IsTerminal(int(os.Stderr.Fd())),
	}
}

const barWidth = 24

func (p *progress) step(findings int) {
	p.done++
	switch {
	case p.terminal && (time.Since(p.shown) > 100*time.Millisecond || p.done == p.total+p.left):
		p.shown = time.Now()
		full := barWidth * p.done / max(p.total, p.done+p.left)
		fmt.Fprintf(os.Stderr, "\r\033[K%s [%s%s] %s", p.test, strings.Repeat("#", full), strings.Repeat(".", barWidth-full), p.numbers(findings))
	case !p.terminal && p.verbose && time.Since(p.shown) > 5*time.Second && p.done < p.total+p.left:
		p.shown = time.Now()
		fmt.Fprintf(os.Stderr, "%s %s\n", p.test, p.numbers(findings))
	}
}

// say tells what goes on behind the schedules.
func (p *progress) say(format string, args ...any) {
	switch what := p.test + ": " + fmt.Sprintf(format, args...); {
	case p.terminal:
		fmt.Fprint(os.Stderr, "\r\033[K"+what)
	case p.verbose && time.Since(p.shown) > 5*time.Second:
		p.shown = time.Now()
		fmt.Fprintln(os.Stderr, what)
	}
}

func (p *progress) numbers(findings int) string {
	rate := float64(p.done) / time.Since(p.began).Seconds()
	if p.total == 0 {
		return fmt.Sprintf("%d schedules, at least %d more, %.0f/s, %d findings", p.done, p.left, rate, findings)
	}
	return fmt.Sprintf("%d/%d schedules, %.0f/s, %d findings", p.done, p.total, rate, findings)
}

// end clears the bar and, for who asked for it, says what the Check did.
func (p *progress) end(s Summary) {
	if p.terminal {
		fmt.Fprint(os.Stderr, "\r\033[K")
	}
	if p.verbose || p.terminal {
		fmt.Fprintf(os.Stderr, "%s: %s (%s, %d run twice), %s, %s, %s, %s in %.1f s\n",
			p.test, plural(s.Schedules, "schedule"), plural(s.Interleavings, "interleaving"), s.RunTwice, plural(s.Steps, "step"), plural(s.Events, "event"),
			plural(s.Restarts, "restart"), plural(len(s.Findings), "finding"), s.Seconds)
		if s.Expected {
			fmt.Fprint(os.Stderr, s.listed())
			return
		}
		fmt.Fprint(os.Stderr, s.coverage(), s.occurred())
	}
}
