// Keys, mouse, and the beginning.
const does = {
  next: () => next(1), previous: () => next(-1),
  nextSwitch: () => next(1, switches), previousSwitch: () => next(-1, switches),
  nextOfTask: () => next(1, eventsOf[ev.lane[view.selected]]), previousOfTask: () => next(-1, eventsOf[ev.lane[view.selected]]),
  find: () => goTo((view.stop + 1) % Math.max(1, stops.length)),
  zoomIn: () => zoom(1.5), zoomOut: () => zoom(1 / 1.5), fit,
  first: () => select(0), last: () => select(count - 1),
  busy: () => { view.busy = !view.busy; el('busy').setAttribute('aria-pressed', view.busy); relayout(); redraw(); },
  filter: () => el('filter').focus(), help: () => el('help').showModal(),
};
const keys = {
  ArrowRight: 'next', j: 'next', ArrowLeft: 'previous', k: 'previous', ArrowDown: 'nextOfTask', ArrowUp: 'previousOfTask', n: 'nextSwitch', p: 'previousSwitch',
  f: 'find', '+': 'zoomIn', '=': 'zoomIn', '-': 'zoomOut', 0: 'fit', b: 'busy', Home: 'first', End: 'last', '/': 'filter', '?': 'help',
};

addEventListener('keydown', e => {
  if (e.ctrlKey || e.metaKey || e.altKey || el('help').open) return;
  if (e.target === el('filter')) {
    if (e.key === 'Escape') setFilter('');
    if (e.key === 'Escape' || e.key === 'Enter') chart.focus();
    return;
  }
  if (!keys[e.key]) return;
  e.preventDefault();
  el('tip').hidden = true;
  does[keys[e.key]]();
});

for (const b of document.querySelectorAll('[data-do]')) b.onclick = () => does[b.dataset.do]();

function setFilter(text) {
  el('filter').value = text;
  view.filter = text.toLowerCase();
  view.top = 0;
  layout();
  redraw();
}
el('filter').oninput = () => setFilter(el('filter').value);

el('copy').onclick = async () => {
  getSelection().selectAllChildren(el('command'));
  try {
    await navigator.clipboard.writeText(data.replay);
    el('copy').textContent = 'Copied';
  } catch { el('copy').textContent = 'Selected'; }
  setTimeout(() => { el('copy').textContent = 'Copy'; }, 1500);
};

// eventAt returns the event at a point of the chart, or the nearest one of the row within a finger's width; -1 for none.
function eventAt(x, y) {
  if (x < view.gutter) return -1;
  const at = columnAt(x);
  if (y < rulerHeight) return Math.min(count - 1, Math.max(0, Math.floor(at)));
  const row = rows[Math.floor((y - rulerHeight + view.top) / rowHeight)];
  let best = -1, distance = 10 / view.px;
  for (const l of row && (!row.head || row.folded) ? row.lanes : []) {
    const k = search(eventsOf[l], at);
    for (const i of [eventsOf[l][k - 1], eventsOf[l][k]]) {
      const d = i === undefined ? Infinity : at < i ? i - at : Math.max(0, at - i - (ev.inside[i] ? 1 : width[i]));
      if (d < distance || d === 0 && i > best) [best, distance] = [i, d];
    }
  }
  return best;
}

let drag = null;
chart.onpointerdown = e => {
  drag = { x: e.clientX, y: e.clientY, from: view.from, top: view.top, moved: false };
  chart.setPointerCapture(e.pointerId);
  chart.focus({ preventScroll: true });
};
chart.onpointermove = e => {
  if (!drag) { hover(e); return; }
  drag.moved ||= Math.hypot(e.clientX - drag.x, e.clientY - drag.y) > 4;
  if (!drag.moved) return;
  el('tip').hidden = true;
  chart.style.cursor = 'grabbing';
  view.from = drag.from - (e.clientX - drag.x) / view.px;
  view.top = drag.top - (e.clientY - drag.y);
  clamp();
  moved();
};
chart.onpointerup = e => {
  if (drag && !drag.moved) click(e.offsetX, e.offsetY);
  drag = null;
  chart.style.cursor = '';
};
chart.onpointercancel = () => { drag = null; };
chart.onpointerleave = () => { el('tip').hidden = true; };

function click(x, y) {
  const row = rows[Math.floor((y - rulerHeight + view.top) / rowHeight)];
  if (y > rulerHeight && row?.head && (x < view.gutter || !row.folded)) {
    if (!view.folded.delete(row.key)) view.folded.add(row.key);
    layout();
    redraw();
    return;
  }
  select(eventAt(x, y));
}

function hover(e) {
  const i = eventAt(e.offsetX, e.offsetY), tip = el('tip');
  const row = rows[Math.floor((e.offsetY - rulerHeight + view.top) / rowHeight)];
  const name = i < 0 && e.offsetX < view.gutter && e.offsetY > rulerHeight && row ? row.name : '';
  tip.hidden = i < 0 && !name;
  chart.style.cursor = i >= 0 || row?.head && e.offsetY > rulerHeight ? 'pointer' : '';
  if (tip.hidden) return;
  tip.replaceChildren(...(name ? [name] : [node('b', {}, textOf(i)), node('span', {}, `step ${ev.step[i]} · ${timeText(ev.at[i])}${laneOf(i) ? ' · ' + laneOf(i).name : ''}`), node('span', {}, placeOf(i)?.at ?? '')]));
  tip.style.left = Math.max(4, Math.min(e.offsetX + 14, view.width - tip.offsetWidth - 8)) + 'px';
  tip.style.top = (e.offsetY + 18 + tip.offsetHeight > view.height ? e.offsetY - tip.offsetHeight - 10 : e.offsetY + 18) + 'px';
}

chart.onwheel = e => {
  e.preventDefault();
  const tall = rows.length * rowHeight + rulerHeight > view.height;
  if (e.ctrlKey || e.metaKey || e.offsetY < rulerHeight || !tall && !e.shiftKey && Math.abs(e.deltaY) > Math.abs(e.deltaX)) {
    zoom(Math.exp(-e.deltaY * .002), Math.max(view.gutter, e.offsetX));
    return;
  }
  view.from += (e.shiftKey ? e.deltaY + e.deltaX : e.deltaX) / view.px;
  if (!e.shiftKey) view.top += e.deltaY;
  clamp();
  moved();
};

const centre = e => {
  view.from = (e.offsetX - view.gutter) / (view.width - view.gutter) * count - columns() / 2;
  clamp();
  moved();
};
overview.onpointerdown = e => { overview.setPointerCapture(e.pointerId); centre(e); };
overview.onpointermove = e => { if (e.buttons) centre(e); };
overview.onwheel = e => { e.preventDefault(); zoom(Math.exp(-e.deltaY * .002), Math.max(view.gutter, e.offsetX)); };

function resize() {
  const box = chart.parentElement, whole = columns() >= count;
  view.width = box.clientWidth;
  view.height = box.clientHeight;
  view.gutter = view.width < 620 ? 132 : 210;
  if (whole) view.px = 0; // it stays in sight as a whole
  clamp();
  redraw();
}

readColours();
el('busy').setAttribute('aria-pressed', view.busy);
showHead();
showStory();
layout();
resize();
if (stops.length) goTo(0); else { fit(); select(0); }
new ResizeObserver(resize).observe(chart.parentElement);
matchMedia('(prefers-color-scheme: dark)').onchange = () => { readColours(); redraw(); };
chart.focus({ preventScroll: true });
