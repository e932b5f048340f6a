package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// timeline checks that a replay writes a page of its world if it is told to, and only to a file that it is told.
func (u tool) timeline(tape string) {
	u.t.Helper()
	u.refused("-sim.html: name the tape with -sim.replay", "test", "./stuck", "--", "-sim.html=page.html")
	u.refused("replay -page=a.html: want -html=FILE", "replay", "-page=a.html", tape)
	u.refused("replay -html=: want -html=FILE", "replay", "-html=", tape)
	u.refused("want one tape", "replay", "-html=page.html")
	u.refused("-sim.html: mkdir", "replay", "-html="+filepath.Join("stuck", "stuck.go", "page.html"), tape)

	code, stdout, stderr := u.run("replay", "-html=page.html", tape)
	assert.Equal(u.t, 1, code, stderr)
	assert.Contains(u.t, stdout, "timeline: "+filepath.Join(u.dir, "page.html"))
	page, err := os.ReadFile(filepath.Join(u.dir, "page.html"))
	require.NoError(u.t, err)
	data := regexp.MustCompile(`(?s)<script type="application/json" id="data">(.*?)</script>`).FindStringSubmatch(string(page))
	require.NotNil(u.t, data)
	for _, want := range []string{
		`"kind":"stuck"`, `"replay":"go tool snapstorm replay tapes/` + filepath.Base(tape) + `"`, `{"name":"p","group":"p"}`, `"marks":[1]`, `"step":[1,2]`,
		`{"at":"stuck/stuck.go:6","line":6,"from":3,"lines":["// Run sends and nobody receives.",`,
	} {
		assert.True(u.t, strings.Contains(data[1], want), "%s is not in %s", want, data[1])
	}
}
