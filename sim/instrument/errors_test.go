package instrument

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
)

// refusals are files that cannot be instrumented, with the pieces that the error must have.
var refusals = map[string]struct {
	file  string
	wants []string
}{
	"syntax": {"package m\n\nfunc f( {\n", []string{"package example.com/m does not compile", "a.go:3:"}},
	"types":  {"package m\n\nfunc f() { g() }\n", []string{"package example.com/m does not compile", "a.go:3:12: undefined: g"}},
	"import": {"package m\n\nimport _ \"example.com/gone\"\n", []string{"does not compile", "a.go:3:", "example.com/gone"}},
	"values": {
		"package m\n\nimport (\n\t\"context\"\n\t\"sync\"\n\t\"sync/atomic\"\n\t\"time\"\n)\n\nvar (\n\ta = atomic.AddInt32\n\tb = context.WithTimeout\n\tc = new(sync.Once).Do\n\td = (*time.Timer).Reset\n)\n",
		[]string{
			"a.go:11: sync/atomic.AddInt32 as a value is not supported yet: call it in a function literal\n",
			"a.go:12: context.WithTimeout as a value is not supported yet: call it in a function literal\n",
			"a.go:13: sync.Once.Do as a value is not supported yet: call it in a function literal\n",
			"a.go:14: time.Timer.Reset as a value is not supported yet: call it in a function literal"}},
	"go with a computed receiver": {
		"package m\n\nimport \"sync\"\n\nfunc g() *sync.Once\n\nfunc f() { go g().Do(nil) }\n",
		[]string{"a.go:7: go with a receiver that is computed is not supported yet: assign it to a variable first"}},
	"results of a call": {
		"package m\n\nimport \"time\"\n\nfunc g() (time.Duration, func())\n\nfunc f() { time.AfterFunc(g()) }\n",
		[]string{"a.go:7: time.AfterFunc with the results of one call as its arguments is not supported yet: assign them to variables first"}},
	"results of a call for variadic arguments": {
		"package m\n\nimport \"log\"\n\nfunc g() (int, error)\n\nfunc f(l *log.Logger) {\n\tlog.Fatal(g())\n\tl.Fatalln(g())\n}\n",
		[]string{
			"a.go:8: log.Fatal with the results of one call as its arguments is not supported yet: assign them to variables first\n",
			"a.go:9: log.Logger.Fatalln with the results of one call as its arguments is not supported yet: assign"}},
	"named bool": {
		"package m\n\ntype yes bool\n\nfunc f(c chan int) {\n\tvar ok yes\n\t_, ok = <-c\n\t_ = ok\n}\n",
		[]string{"a.go:7: a second result of a type other than bool is not supported yet: assign it to a bool first"}},
	"declared named bool": {
		"package m\n\ntype yes bool\n\nfunc f(c chan yes) {\n\tvar v, ok yes = <-c\n\t_, _ = v, ok\n}\n",
		[]string{"a.go:6: a second result of a type other than bool is not supported yet: assign it to a bool first"}},
}

func TestErrors(t *testing.T) {
	for name, test := range refusals {
		t.Run(name, func(t *testing.T) {
			dir := module(t, map[string]string{"a.go": test.file, "a.s": ""})
			_, err := instrument(t, newBuild(t, dir))
			if err == nil {
				t.Fatal("got no error")
			}
			contains(t, strings.ReplaceAll(err.Error(), dir+string(filepath.Separator), ""), test.wants...)
		})
	}
}

func TestErrorsOfBuild(t *testing.T) {
	dir := module(t, map[string]string{"a.go": "package m\n", "a_test.go": "package m\n"})
	empty := module(t, nil)
	for name, test := range map[string]struct {
		change func(b *Build)
		want   string
	}{
		"no directory":   {func(b *Build) { b.Dir = filepath.Join(dir, "gone") }, "there is no directory " + filepath.Join(dir, "gone") + ": name the directory of a package"},
		"no package":     {func(b *Build) { b.Dir = empty }, "no Go files in " + empty},
		"no cache":       {func(b *Build) { b.Cache = "" }, "Build.Cache and Build.Output are needed"},
		"coverage":       {func(b *Build) { b.Flags = []string{"-coverpkg=./..."} }, "the go command ignores the overlay with -coverpkg=./...: measure coverage"},
		"no replacement": {func(b *Build) { b.Replace = map[string]string{"x.go": "gone.go"} }, "correct the path in Build.Replace"},
		"no requirement": {func(b *Build) {}, "does not require snapstorm: run go get github.com/snapstorm/snapstorm"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBuild(t, dir)
			test.change(&b)
			_, err := b.Run(context.Background())
			if err == nil {
				t.Fatal("got no error")
			}
			contains(t, err.Error(), test.want)
		})
	}
}

func TestRefusedFunctions(t *testing.T) {
	dir := module(t, map[string]string{
		"a.go": "package m\n\nimport \"k8s.io/klog/v2\"\n\nfunc f() {\n\tklog.FatalDepth(1, \"x\")\n\tg := klog.ExitDepth\n\tg(1, \"x\")\n}\n",
	})
	requireCheckout(t, dir, "example.com/m", "")
	_, err := instrument(t, newBuild(t, dir))
	if err == nil {
		t.Fatal("got no error")
	}
	contains(t, err.Error(),
		"a.go:6: k8s.io/klog/v2.FatalDepth is not supported yet: call klog.Fatal\n",
		"a.go:7: k8s.io/klog/v2.ExitDepth as a value is not supported yet: call it in a function literal")
}
