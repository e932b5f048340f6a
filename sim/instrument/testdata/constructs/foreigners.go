package constructs

import (
	"fmt"

	"example.com/foreign"
)

func foreigners() string {
	store := foreign.Open()
	v, ok := store.Get("a")
	var out []string
	foreign.Each(func(name string) { out = append(out, name) })
	foreign.Handle(foreign.Handlers{OnAdd: func(name string) {
		out = append(out, name)
	}})
	handlers := foreign.Handlers{OnAdd: func(string) {}}
	if foreign.Handle(handlers); len(out) > 9 {
		foreign.Handle(handlers)
	}
	defer foreign.Handle(handlers)
	go foreign.Handle(handlers)
	a, b, c := foreign.Three()
	fmt.Sprintln(foreign.Three())
	return fmt.Sprint(v, ok, out, a, b, c, len(foreign.Map{"k": "v"}))
}
