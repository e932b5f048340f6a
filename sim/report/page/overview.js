// What lies over the lanes: marks, names, the ruler; and the whole world in a strip.
function outline(c, i, style, dash = [], away = 2) {
  const y = yOf(i);
  if (y === -1) return;
  c.save();
  c.strokeStyle = style;
  c.lineWidth = 2;
  c.setLineDash(dash);
  c.beginPath();
  c.roundRect(xOf(i) - away, y - half - away, Math.max(2, view.px * width[i] - 2) + 2 * away, 2 * (half + away), 2 + away);
  c.stroke();
  c.restore();
}

function drawPairs(c) {
  if (fewChoices) {
    for (const p of choices) {
      outline(c, p.at, colour.choice, [], marks.includes(p.at) ? 5 : 2);
      if (p.passedAt < 0) continue;
      outline(c, p.passedAt, colour.choice, [3, 2], marks.includes(p.passedAt) ? 5 : 2);
      if (!marks.includes(p.at) || !marks.includes(p.passedAt)) arrow(c, p.at, p.passedAt, colour.choice, { dash: [5, 3], line: 1.5 });
    }
  }
  for (const i of marks) outline(c, i, colour.finding);
  if (marks.length === 2) arrow(c, marks[0], marks[1], colour.finding, { line: 1.75 });
}

function drawSelected(c) {
  const i = view.selected;
  if (i < 0) return;
  outline(c, i, colour.focus, [], marks.includes(i) || fewChoices && choices.some(p => p.at === i || p.passedAt === i) ? 5 : 2);
  if (ev.woken[i] >= 0) arrow(c, ev.woken[i], i, colour.wake, { line: 2.25 });
  for (const k of (wakes.get(i) ?? []).slice(0, 50)) arrow(c, i, k, colour.wake, { line: 2.25 });
  const { earlier, later } = neighbours(i);
  if (earlier >= 0) arrow(c, earlier, i, colour.lock, { dash: [2, 3], line: 1.5 });
  if (later >= 0) arrow(c, i, later, colour.lock, { dash: [2, 3], line: 1.5 });
}

// neighbours are the uses of the same object before and after an event.
function neighbours(i) {
  const list = ev.object[i] && !ev.inside[i] ? uses.get(ev.object[i]) : [], k = search(list, i);
  return { earlier: list[k - 1] ?? -1, later: list[k + 1] ?? -1 };
}

function drawNames(c, h) {
  c.fillStyle = colour.bg;
  c.fillRect(0, 0, view.gutter, h);
  c.save();
  c.beginPath();
  c.rect(0, rulerHeight, view.gutter, h - rulerHeight);
  c.clip();
  for (let r = firstRow(); r < rows.length && yOfRow(r) < h + rowHeight; r++) {
    const row = rows[r], y = yOfRow(r), mine = view.selected >= 0 && rowOf[ev.lane[view.selected]] === r;
    c.fillStyle = row.head ? colour.panel : mine ? colour.hover : colour.bg;
    c.fillRect(0, y - rowHeight / 2, view.gutter, rowHeight - 1);
    c.fillStyle = colour.line;
    c.fillRect(0, y + rowHeight / 2 - 1, view.gutter, 1);
    if (row.head) {
      c.font = small;
      const n = String(row.lanes.length), space = c.measureText(n).width;
      label(c, row.folded ? '▸' : '▾', 8, y, 20, colour.dim, small);
      label(c, n, view.gutter - 10 - space, y, 60, colour.dim, small);
      label(c, row.name, 22, y, view.gutter - 44 - space, row.key === '\0' ? colour.finding : colour.ink, bold);
    } else {
      label(c, row.name, 22, y, view.gutter - 32, mine ? colour.ink : colour.dim, normal);
    }
  }
  c.restore();
  c.fillStyle = colour.strong;
  c.fillRect(view.gutter - 1, 0, 1, h);
}

function drawRuler(c, w, [a, b]) {
  c.fillStyle = colour.bg;
  c.fillRect(view.gutter, 0, w, rulerHeight);
  label(c, 'step', 22, 12, 60, colour.dim, small);
  label(c, 'virtual time', 22, 29, 90, colour.dim, small);
  c.save();
  c.beginPath();
  c.rect(view.gutter, 0, w - view.gutter, rulerHeight);
  c.clip();
  const taken = drawNotes(c, a, b);
  let free = -Infinity;
  for (let i = a; i < b; i++) {
    const x = xOf(i);
    if (x < free || i && ev.step[i] === ev.step[i - 1] || taken.some(([p, q]) => x < q && x + 50 > p)) continue;
    c.fillStyle = colour.strong;
    c.fillRect(x, 4, 1, 15);
    label(c, ev.step[i].toLocaleString('en'), x + 4, 12, 80, colour.dim, small);
    free = x + 84;
  }
  drawClock(c, a, b);
  if (fewChoices || view.px >= 8) for (const p of choices) if (p.at >= a && p.at < b) diamond(c, xOf(p.at) + view.px / 2, fewChoices ? 5 : 3, colour.choice);
  for (const i of marks) if (i >= a && i < b) diamond(c, xOf(i) + view.px / 2, 6, colour.finding);
  c.restore();
  c.fillStyle = colour.strong;
  c.fillRect(0, rulerHeight - 1, w, 1);
}

// drawClock writes the time at the left edge, and wherever it moved and there is room.
function drawClock(c, a, b) {
  const left = Math.min(count - 1, Math.max(0, Math.ceil(view.from)));
  let free = view.gutter;
  for (const i of [left, ...moves.slice(search(moves, left + 1), search(moves, b))]) {
    const x = xOf(i);
    if (x < free - .5) continue;
    c.fillStyle = colour.time;
    if (i !== left || ev.at[i] > (i ? ev.at[i - 1] : 0)) c.fillRect(x, 22, 1.5, 12);
    const text = timeText(ev.at[i]);
    label(c, text, x + 4, 29, 90, colour.time, small);
    free = x + c.measureText(text).width + 14;
  }
}

// drawNotes names crashes and the like, and returns where: there is no room for the numbers of steps.
function drawNotes(c, a, b) {
  const taken = [];
  for (let k = search(notes, a); notes[k] < b; k++) {
    const x = xOf(notes[k]);
    c.fillStyle = colour.note;
    c.fillRect(x, 3, 2, rulerHeight - 4);
    if (taken.length && x < taken[taken.length - 1][1]) continue;
    c.font = small;
    const text = shorten(c, textOf(notes[k]), 180);
    label(c, text, x + 6, 12, 180, colour.note, small);
    taken.push([x, x + c.measureText(text).width + 12]);
  }
  return taken;
}

function diamond(c, x, r, style) {
  c.fillStyle = style;
  c.beginPath();
  c.moveTo(x, rulerHeight - 1 - 2 * r);
  c.lineTo(x + r, rulerHeight - 1 - r);
  c.lineTo(x, rulerHeight - 1);
  c.lineTo(x - r, rulerHeight - 1 - r);
  c.fill();
}

// drawStrip returns each group of the whole world as a line, drawn once for each size and scheme of colours.
let strip = { key: '' };
function drawStrip(w, h) {
  const key = [w, h, devicePixelRatio, colour.bg].join();
  if (strip.key === key) return strip.canvas;
  const canvas = document.createElement('canvas'), c = prepare(canvas, w, h);
  const heads = [...new Set(data.lanes.map(l => l.group))], each = (h - 16) / heads.length;
  const y = new Map(heads.map((g, k) => [g, 8 + k * Math.min(10, each)])), thick = Math.max(1.5, Math.min(8, each - 1)), scale = w / Math.max(1, count);
  for (let i = 0; i < count; i++) {
    if (ev.lane[i] < 0 || ev.inside[i]) continue;
    c.fillStyle = colour[classOf(i)];
    c.fillRect(i * scale, y.get(laneOf(i).group), Math.max(.6, scale * width[i]), thick);
  }
  strip = { key, canvas };
  return canvas;
}

// drawOverview draws the whole world, with the window that the lanes show.
function drawOverview() {
  const w = view.width, h = 56, c = prepare(overview, w, h), room = Math.max(1, w - view.gutter), scale = room / Math.max(1, count);
  const x = i => view.gutter + i * scale;
  c.drawImage(drawStrip(room, h), view.gutter, 0, room, h);
  for (const i of notes) tick(c, x(i), h, colour.note, 1);
  if (fewChoices) for (const p of choices) tick(c, x(p.at), h, colour.choice, 2);
  for (const i of marks) tick(c, x(i), h, colour.finding, 2);
  const a = x(view.from), b = x(Math.min(count, view.from + columns()));
  c.fillStyle = colour.bg;
  c.globalAlpha = .62;
  c.fillRect(view.gutter, 0, a - view.gutter, h);
  c.fillRect(b, 0, w - b, h);
  c.globalAlpha = 1;
  c.strokeStyle = colour.focus;
  c.lineWidth = 1.5;
  c.strokeRect(a + .75, 1, Math.max(4, b - a - 1.5), h - 2);
  label(c, 'whole world', 22, h / 2, view.gutter - 32, colour.dim, small);
  c.fillStyle = colour.strong;
  c.fillRect(view.gutter - 1, 0, 1, h);
}

function tick(c, x, h, style, wide) {
  c.fillStyle = style;
  c.fillRect(x - wide / 2, 3, wide, h - 6);
}
