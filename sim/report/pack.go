package report

import "strings"

// around is how many lines of source are shown before and after a place.
const around = 3

// packed is what the page's program reads: columns, with each text and each place once.
type packed struct {
	Finding Finding  `json:"finding"`
	Run     []Fact   `json:"run"`
	Replay  string   `json:"replay"`
	Lanes   []Lane   `json:"lanes"`
	Choices []Choice `json:"choices"`
	Marks   []int    `json:"marks"` // events
	Ran     []int    `json:"ran"`   // by mark: which of the places that the finding names, or -1
	Texts   []string `json:"texts"`
	Places  []source `json:"places"`
	Step    []int    `json:"step"`
	At      []int64  `json:"at"` // in ns
	Lane    []int    `json:"lane"`
	Kind    []int    `json:"kind"` // index of texts, as Text
	Inside  []int    `json:"inside"`
	Text    []int    `json:"text"`
	Place   []int    `json:"place"` // index, or -1
	Object  []int    `json:"object"`
	Woken   []int    `json:"woken"`
}

// source is a place with the lines around it.
type source struct {
	At    string   `json:"at"`
	Line  int      `json:"line"`
	From  int      `json:"from"` // number of the first of the lines
	Lines []string `json:"lines"`
}

// packer makes what is packed. Texts and places are known by their index.
type packer struct {
	packed
	read   func(file string) ([]byte, error)
	texts  map[string]int
	places map[string]int
}

func pack(t Timeline, read func(string) ([]byte, error)) packed {
	p := packer{read: cached(read), texts: map[string]int{}, places: map[string]int{"": -1}}
	p.packed = packed{
		Finding: t.Finding, Run: nonNil(t.Run), Replay: t.Replay, Lanes: nonNil(t.Lanes), Choices: nonNil(t.Choices),
		Marks: []int{}, Texts: []string{}, Places: []source{},
	}
	p.Finding.Places = nonNil(p.Finding.Places)
	for _, m := range t.marks(p.read) {
		p.Marks, p.Ran = append(p.Marks, m.event), append(p.Ran, p.place(m.place))
	}
	for _, e := range t.Events {
		p.add(e)
	}
	return p.packed
}

func (p *packer) add(e Event) {
	p.Step, p.At, p.Lane = append(p.Step, e.Step), append(p.At, int64(e.At)), append(p.Lane, e.Lane)
	p.Kind, p.Text, p.Place = append(p.Kind, p.text(e.Kind)), append(p.Text, p.text(e.Text)), append(p.Place, p.place(e.Place))
	p.Object, p.Woken = append(p.Object, e.Object), append(p.Woken, e.Woken)
	inside := 0
	if e.Inside {
		inside = 1
	}
	p.Inside = append(p.Inside, inside)
}

func (p *packer) text(s string) int {
	i, ok := p.texts[s]
	if !ok {
		i = len(p.Texts)
		p.texts[s] = i
		p.Texts = append(p.Texts, s)
	}
	return i
}

func (p *packer) place(at string) int {
	i, ok := p.places[at]
	if !ok {
		i = len(p.Places)
		p.places[at] = i
		p.Places = append(p.Places, excerpt(at, p.read))
	}
	return i
}

// cached makes read read each file once.
func cached(read func(string) ([]byte, error)) func(string) ([]byte, error) {
	files := map[string][]byte{}
	return func(file string) ([]byte, error) {
		if text, ok := files[file]; ok {
			return text, nil
		}
		text, err := read(file)
		if err == nil {
			files[file] = text
		}
		return text, err
	}
}

func nonNil[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}

// excerpt reads the lines around a place.
func excerpt(at string, read func(string) ([]byte, error)) source {
	p := parsePlace(at)
	s := source{At: at, Line: p.line, Lines: []string{}}
	text, err := read(p.file)
	if err != nil {
		return s
	}
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	if p.line < 1 || p.line > len(lines) {
		return s
	}
	s.From = max(1, p.line-around)
	s.Lines = lines[s.From-1 : min(len(lines), p.line+around)]
	return s
}
