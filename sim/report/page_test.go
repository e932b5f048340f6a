package report

import (
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
)

// TestPage uses the pages of a small world and of a large one, as people do.
func TestPage(t *testing.T) {
	ctx := chromium(t)
	t.Run("small", func(t *testing.T) { useSmall(open(t, ctx, "small", small())) })
	t.Run("storm", func(t *testing.T) { useStorm(open(t, ctx, "storm", storm(5000))) })
}

func useSmall(b *browser) {
	t := b.t
	assert.Equal(t, 2, b.selected(), "it opens at the finding")
	assert.True(t, b.inView("marks"))
	assert.Equal(t, []int{3, 4, 5, 5}, []int{b.press("j"), b.press(kb.ArrowRight), b.press("j"), b.press("j")}, "the last one is the last")
	assert.Equal(t, []int{2, 0}, []int{b.press(kb.ArrowUp), b.press(kb.ArrowUp)}, "the steps of one task")
	assert.Equal(t, []int{1, 2, 1}, []int{b.press("n"), b.press("n"), b.press("p")}, "switches")
	assert.Equal(t, []int{5, 0}, []int{b.press(kb.End), b.press(kb.Home)})
	assert.Equal(t, []int{1, 2, 1}, []int{b.press("f"), b.press("f"), b.press("f")}, "the choice, the finding, the choice")
	assert.Contains(t, b.text("#step"), "p.1 goes on ahead of p "+hostile, "as text")
	assert.Contains(t, b.text("#step"), "m.pods[pod] = make(chan string)")

	assert.Equal(t, 5, b.click(5), "with the mouse")
	b.press("/")
	assert.True(t, eval[bool](b, "document.activeElement === el('filter')"))
	eval[string](b, "el('filter').value = ''") // chromedp types what the page takes for a command
	b.press("kubelet")
	assert.Equal(t, []string{"kubelet " + hostile}, eval[[]string](b, "rows.filter(r => !r.head).map(r => r.name)"))
	b.press(kb.Escape)
	assert.Equal(t, 3, eval[int](b, "rows.filter(r => !r.head).length"))
	b.press("?")
	assert.True(t, eval[bool](b, "el('help').open"))
	b.shoot("help")
	b.press(kb.Escape)

	assert.False(t, eval[bool](b, "'taken' in window"), "hostile text was run")
	b.finish("small", "light", "dark")
}

func useStorm(b *browser) {
	t := b.t
	b.press(kb.Home)
	assert.False(t, b.inView("marks"))
	at := b.press("f")
	assert.Equal(t, eval[int](b, "marks[0]"), at)
	assert.True(t, b.inView("marks"))

	b.press("0")
	assert.Equal(t, eval[int](b, "count"), eval[int](b, "Math.round(columns())"), "all of it")
	b.shoot("storm-all")
	before := eval[float64](b, "view.px")
	b.wheel(600, 90, -400)
	assert.Greater(t, eval[float64](b, "view.px"), before, "the wheel zooms over the ruler")
	for range 12 {
		b.press("+")
	}
	from := eval[float64](b, "view.from")
	b.do(chromedp.DragAndDropXY(500, 500, 300, 500))
	assert.Greater(t, eval[float64](b, "view.from"), from, "dragging moves")
	middle := eval[int](b, "Math.round(view.from + columns() / 2)")
	assert.Equal(t, middle, b.click(middle))
	b.press("f")
	b.finish("storm", "dark", "light")
}

// inView says whether all of some events are in sight.
func (b *browser) inView(events string) bool {
	b.t.Helper()
	return eval[bool](b, events+".length > 0 && "+events+".every(inSight)")
}

// click selects an event with the mouse.
func (b *browser) click(event int) int {
	b.t.Helper()
	at := eval[[]float64](b, fmt.Sprintf("(r => [r.x + xOf(%[1]d) + view.px / 2, r.y + yOf(%[1]d)])(chart.getBoundingClientRect())", event))
	b.do(chromedp.MouseClickXY(at[0], at[1]))
	return b.selected()
}

// wheel turns the wheel of the mouse, at a place of the chart.
func (b *browser) wheel(x, y, by float64) {
	b.t.Helper()
	top := eval[float64](b, "chart.getBoundingClientRect().y - 80")
	b.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseWheel, x, top+y, func(p *input.DispatchMouseEventParams) {
		p.DeltaX, p.DeltaY = 1, by // chromedp leaves out what is 0, and the browser wants both
	}))
}

func (b *browser) text(selector string) string {
	b.t.Helper()
	return eval[string](b, fmt.Sprintf("document.querySelector(%q).textContent", selector))
}

// finish takes screenshots of the page as it is, a wide and a narrow one, and checks that nothing went wrong meanwhile.
func (b *browser) finish(name, wide, narrow string) {
	b.t.Helper()
	b.show(1280, 800, wide)
	b.shoot(name + "-1280-" + wide)
	b.show(800, 800, narrow)
	b.shoot(name + "-800-" + narrow)
	b.quiet()
}
