package report

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// shots is where the screenshots go.
const shots = "../../.snapstorm/timeline"

// browser is a page in a browser that nobody sees.
type browser struct {
	t        *testing.T
	ctx      context.Context
	mu       sync.Mutex
	requests []string // but for the page itself
	errors   []string
}

// chromium starts the browser, for all tabs of a test.
func chromium(t *testing.T) context.Context {
	t.Helper()
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if found, err := exec.LookPath(name); err == nil && path == "" {
			path = found
		}
	}
	require.NotEmpty(t, path, "the tests of the timeline need Chromium: apt-get install -y --no-install-recommends chromium")
	options := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]), chromedp.ExecPath(path), chromedp.NoSandbox)
	ctx, stop := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(stop)
	ctx, stop = chromedp.NewContext(ctx)
	t.Cleanup(stop)
	require.NoError(t, chromedp.Do(ctx))
	return ctx
}

// open shows a timeline in a tab of its own and says how long that took.
func open(t *testing.T, chromium context.Context, name string, line Timeline) *browser {
	t.Helper()
	page, err := Page(line, read)
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), name+".html")
	require.NoError(t, os.WriteFile(file, page, 0o644))
	ctx, stop := chromedp.NewContext(chromium)
	t.Cleanup(stop)
	b := &browser{t: t, ctx: ctx}
	require.NoError(t, chromedp.Listen(ctx, b.listen))
	_, err = chromedp.Call(ctx, network.Enable, network.EnableParams{})
	require.NoError(t, err)
	b.do(chromedp.EmulateViewport(1280, 800), chromedp.Navigate("file://"+file))
	took := eval[float64](b, "performance.getEntriesByType('navigation')[0].loadEventEnd")
	t.Logf("%s: %d events, %d bytes, loaded in %.0f ms", name, len(line.Events), len(page), took)
	return b
}

func (b *browser) listen(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		if url := e.Request.URL; e.Type != network.ResourceTypeDocument && !strings.HasPrefix(url, "data:") {
			b.requests = append(b.requests, url)
		}
	case *runtime.EventExceptionThrown:
		b.errors = append(b.errors, e.ExceptionDetails.Text)
	case *runtime.EventConsoleAPICalled:
		b.errors = append(b.errors, fmt.Sprintf("console.%s", e.Type))
	}
}

func (b *browser) do(actions ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	require.NoError(b.t, chromedp.Do(b.ctx, actions...))
}

// eval runs an expression, after the page has drawn what is due.
func eval[T any](b *browser, expression string) T {
	b.t.Helper()
	const drawn = "new Promise(r => requestAnimationFrame(() => setTimeout(() => r(%s))))"
	v, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](fmt.Sprintf(drawn, expression), chromedp.EvalAwaitPromise))
	require.NoError(b.t, err, expression)
	return v
}

func (b *browser) selected() int {
	b.t.Helper()
	return eval[int](b, "view.selected")
}

// press types keys, and says which event is selected then.
func (b *browser) press(keys string) int {
	b.t.Helper()
	b.do(chromedp.KeyEvent(keys))
	return b.selected()
}

// show lays the page out for a window and a scheme of colours, and checks that it fits.
func (b *browser) show(width, height int64, scheme string) {
	b.t.Helper()
	media := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}}
	_, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, media)
	require.NoError(b.t, err)
	b.do(chromedp.EmulateViewport(width, height))
	assert.False(b.t, eval[bool](b, "document.documentElement.scrollWidth > innerWidth"), "the page is wider than %d", width)
}

// shoot takes a screenshot, for who wants to look at it.
func (b *browser) shoot(name string) {
	b.t.Helper()
	eval[int](b, "0")
	picture, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
	require.NoError(b.t, err)
	require.NoError(b.t, os.MkdirAll(shots, 0o755))
	require.NoError(b.t, os.WriteFile(filepath.Join(shots, name+".png"), picture, 0o644))
}

// quiet checks that the page has asked nothing of the network and has had no error.
func (b *browser) quiet() {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	assert.Empty(b.t, b.requests)
	assert.Empty(b.t, b.errors)
}
