package instrument

import "testing"

// Insertions at one offset nest: what was added later stands further out.
func TestEditsNest(t *testing.T) {
	e := edits{src: []byte("a<-b;c")}
	e.replace(1, 3, ",")
	e.before(0, "inner(")
	e.after(4, ")")
	e.before(0, "outer(")
	e.after(4, "!)")
	e.before(4, "next")
	if got, want := e.String(), "outer(inner(a,b)!)next;c"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// Text that is taken has the edits of its own edges, not those of its neighbours, and leaves none behind.
func TestTakenTextHasItsOwnEdits(t *testing.T) {
	e := edits{src: []byte("abc")}
	e.after(1, ")")
	e.before(1, "(")
	e.after(2, "]")
	e.before(2, "[")
	if got, want := e.take(1, 2), "(b]"; got != want {
		t.Errorf("taken: got %s, want %s", got, want)
	}
	if got, want := e.String(), "a)b[c"; got != want {
		t.Errorf("left: got %s, want %s", got, want)
	}
}

func TestLinesOfOperationsAreCut(t *testing.T) {
	long := "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaä\n\t\tb"
	got := oneLine(long)
	if want := "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := oneLine(" a\n\tb "), "a b"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
