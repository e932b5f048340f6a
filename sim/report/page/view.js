// What is in sight, and what is selected.
const el = id => document.getElementById(id);
const rulerHeight = 40, rowHeight = data.lanes.length > 12 ? 24 : 34, half = rowHeight / 2 - 4; // half: of a block's height
const view = { from: 0, px: 8, top: 0, width: 0, height: 0, gutter: 220, selected: -1, hovered: -1, stop: -1, filter: '', folded: new Set(), busy: data.lanes.length > 30 };
let rows = [], rowOf = []; // rowOf: index of rows, by lane; -1 if it is filtered out

// layout makes the rows: what the finding is about, the programs, the rest of the world. Of many tasks it leaves out those
// that do nothing around what is in sight.
function layout() {
  const span = columns(), from = view.from - span, to = view.from + 2 * span;
  const acts = l => eventsOf[l][search(eventsOf[l], from)] <= to;
  const matches = l => (data.lanes[l].name + '\n' + data.lanes[l].group).toLowerCase().includes(view.filter);
  const groups = new Map([['\0', []]]);
  for (const l of data.lanes) if (l.group !== 'world') groups.set(l.group, []);
  groups.set('world', []);
  data.lanes.forEach((lane, l) => {
    if (matches(l) && (pinned.has(l) || !view.busy || acts(l))) groups.get(pinned.has(l) ? '\0' : lane.group).push(l);
  });
  rows = [];
  rowOf = new Array(data.lanes.length).fill(-1);
  for (const [key, lanes] of groups) {
    if (!lanes.length) continue;
    const folded = view.folded.has(key);
    rows.push({ key, name: key === '\0' ? 'In this finding' : key, lanes, folded, head: true });
    for (const l of lanes) {
      rowOf[l] = folded ? rows.length - 1 : rows.length;
      if (!folded) rows.push({ lanes: [l], name: data.lanes[l].name });
    }
  }
  el('nothing').hidden = rows.length > 0;
  el('nothing').textContent = count ? 'No task is named like that.' : 'The trace has no events.';
  clamp();
}

const xOf = i => view.gutter + (i - view.from) * view.px;
const columnAt = x => view.from + (x - view.gutter) / view.px;
const yOfRow = r => rulerHeight + r * rowHeight - view.top + rowHeight / 2;
const yOf = i => ev.lane[i] < 0 ? -1 : rowOf[ev.lane[i]] < 0 ? -1 : yOfRow(rowOf[ev.lane[i]]);
const shown = i => ev.lane[i] < 0 || !view.filter || (laneOf(i).name + '\n' + laneOf(i).group).toLowerCase().includes(view.filter);
const columns = () => Math.max(1, (view.width - view.gutter) / view.px);

function clamp() {
  const room = Math.max(1, view.width - view.gutter);
  const fit = room / Math.max(1, count);
  view.px = Math.min(Math.max(view.px, Math.min(fit, 160)), 160);
  const spare = columns() - count;
  view.from = spare >= 0 ? 0 : Math.min(Math.max(view.from, 0), -spare);
  view.top = Math.min(Math.max(view.top, 0), Math.max(0, rows.length * rowHeight + rulerHeight + 8 - view.height));
}

function zoom(factor, x = xOf(view.selected >= 0 && inSight(view.selected) ? view.selected + .5 : view.from + columns() / 2)) {
  const at = columnAt(x);
  view.px *= factor;
  clamp();
  view.from = at - (x - view.gutter) / view.px;
  clamp();
  moved();
}

function fit() {
  view.px = 0;
  clamp();
  moved();
}

const inSight = i => {
  const x = xOf(i), y = yOf(i);
  return x >= view.gutter - 1 && x <= view.width && (ev.lane[i] < 0 || y >= rulerHeight && y <= view.height);
};

// reveal moves as little as it must to have the events in sight. It zooms out where they are far apart.
function reveal(events) {
  const first = Math.min(...events), last = Math.max(...events.map(i => i + width[i]));
  const room = view.width - view.gutter;
  if ((last - first + 4) * view.px > room) view.px = room / (last - first + 4);
  clamp();
  if (first < view.from + 1) view.from = first - Math.min(3, columns() / 8);
  if (last > view.from + columns() - 1) view.from = last + Math.min(3, columns() / 8) - columns();
  if (events.some(i => yOf(i) === -1)) layout();
  const ys = events.filter(i => yOf(i) >= 0).map(i => rowOf[ev.lane[i]] * rowHeight);
  if (ys.length) {
    const low = Math.max(...ys) + rowHeight * 2 + rulerHeight - view.height, high = Math.min(...ys) - rowHeight;
    if (view.top > high) view.top = high;
    if (view.top < low) view.top = low;
  }
  clamp();
}

function select(i) {
  if (!(i >= 0 && i < count)) return;
  view.selected = i;
  reveal([i]);
  moved();
  showStep(i);
}

// goTo shows one of the stops: the events of it in sight, at a size at which they can be read.
function goTo(stop) {
  const s = stops[stop];
  if (!s) return;
  view.stop = stop;
  view.filter = el('filter').value = '';
  const first = Math.min(...s.events), last = Math.max(...s.events);
  view.px = Math.min(48, Math.max(6, (view.width - view.gutter) / (last - first + 12)));
  clamp();
  view.from = (first + last + 1 - columns()) / 2;
  layout();
  reveal(s.events);
  view.selected = s.name === 'finding' ? s.events[s.events.length - 1] : s.events[0];
  redraw();
  showStep(view.selected);
}

// next selects the next event, in a direction, that is shown and of the list, which is sorted. Without a list it is any.
function next(direction, list) {
  if (list) {
    const k = search(list, view.selected);
    let at = direction > 0 ? (list[k] === view.selected ? k + 1 : k) : k - 1;
    while (list[at] !== undefined && !shown(list[at])) at += direction;
    select(list[at] ?? -1);
    return;
  }
  let i = view.selected + direction;
  while (i >= 0 && i < count && !shown(i)) i += direction;
  select(i);
}

// moved is called when another part of the world is in sight. While it still moves, the rows stay where they are.
let settled = 0;
function moved() {
  redraw();
  if (!view.busy) return;
  clearTimeout(settled);
  settled = setTimeout(() => { relayout(); redraw(); }, 120);
}

// relayout keeps the selected task, or else the first in sight, at its height.
function relayout() {
  const lane = rowOf[ev.lane[view.selected]] >= 0 ? ev.lane[view.selected] : rows[firstRow() + 1]?.lanes[0];
  const y = yOfRow(rowOf[lane] ?? 0);
  layout();
  if (rowOf[lane] >= 0) view.top += yOfRow(rowOf[lane]) - y;
  clamp();
}

let frame = 0;
function redraw() {
  frame ||= requestAnimationFrame(() => {
    frame = 0;
    drawChart();
    drawOverview();
  });
}
