// The lanes. All is drawn anew each time, but only what is in sight.
const chart = el('chart'), overview = el('overview');
const colour = {};
const sans = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif';
const small = '11px ' + sans, normal = '12px ' + sans, bold = '600 12px ' + sans;
const colourNames = ['bg', 'panel', 'ink', 'dim', 'line', 'strong', 'hover', 'focus', 'finding', 'choice', 'wake', 'switch', 'ready', 'on', ...Object.keys(classes)];

function readColours() {
  const style = getComputedStyle(document.documentElement);
  for (const c of colourNames) colour[c] = style.getPropertyValue('--' + c).trim();
}

// prepare makes a canvas as large as the box that it is in, in the pixels of the screen: in whole ones, or text gets blurred.
function prepare(canvas, w, h) {
  const dpr = devicePixelRatio || 1;
  canvas.width = Math.round(w * dpr);
  canvas.height = Math.round(h * dpr);
  canvas.style.width = canvas.width / dpr + 'px';
  canvas.style.height = canvas.height / dpr + 'px';
  const c = canvas.getContext('2d');
  c.setTransform(dpr, 0, 0, dpr, 0, 0);
  return c;
}

function drawChart() {
  const w = view.width, h = view.height, c = prepare(chart, w, h);
  if (!rows.length) return;
  const range = [Math.max(0, Math.floor(view.from) - 1), Math.min(count, Math.ceil(view.from + columns()) + 1)];
  c.save();
  c.beginPath();
  c.rect(view.gutter, rulerHeight, w - view.gutter, h - rulerHeight);
  c.clip();
  drawRows(c, w, h);
  drawBands(c, h, range);
  for (let r = firstRow(); r < rows.length && yOfRow(r) < h + rowHeight; r++) {
    for (const l of rows[r].head && !rows[r].folded ? [] : rows[r].lanes) drawLife(c, l, yOfRow(r), range);
  }
  drawSwitches(c, range, h);
  drawWakes(c, range, h);
  for (let r = firstRow(); r < rows.length && yOfRow(r) < h + rowHeight; r++) {
    for (const l of rows[r].head && !rows[r].folded ? [] : rows[r].lanes) drawSteps(c, l, yOfRow(r), range);
  }
  drawPairs(c);
  drawSelected(c);
  c.restore();
  drawNames(c, h);
  drawRuler(c, w, range);
}

const firstRow = () => Math.max(0, Math.floor(view.top / rowHeight) - 1);

function drawRows(c, w, h) {
  for (let r = firstRow(); r < rows.length && yOfRow(r) < h + rowHeight; r++) {
    const y = yOfRow(r) - rowHeight / 2;
    if (rows[r].head) {
      c.fillStyle = colour.panel;
      c.fillRect(view.gutter, y, w, rowHeight);
    } else if (view.selected >= 0 && rowOf[ev.lane[view.selected]] === r) {
      c.fillStyle = colour.hover;
      c.fillRect(view.gutter, y, w, rowHeight);
    }
    c.fillStyle = colour.line;
    c.fillRect(view.gutter, y + rowHeight - 1, w, 1);
  }
}

// drawBands marks columns: where the clock moved, crashes, the choices of a short tape, the finding.
function drawBands(c, h, [a, b]) {
  const bar = (i, style, alpha, wide) => {
    if (i < a || i >= b) return;
    c.globalAlpha = alpha;
    c.fillStyle = style;
    c.fillRect(xOf(i), rulerHeight, Math.max(wide ? view.px * width[i] : 1, 1), h);
    c.globalAlpha = 1;
  };
  if (view.px > 2) for (let k = search(moves, a); moves[k] < b; k++) bar(moves[k], colour.time, .35, false);
  if (fewChoices) for (const p of choices) bar(p.at, colour.choice, .13, true);
  for (let k = search(notes, a); notes[k] < b; k++) bar(notes[k], colour.note, view.px > 4 ? .16 : .5, true);
  for (const i of marks) bar(i, colour.finding, .14, true);
  if (view.selected >= 0) {
    c.fillStyle = colour.focus;
    c.fillRect(Math.round(xOf(view.selected) + view.px / 2), rulerHeight, 1, h);
  }
}

// drawLife draws how a task was between its steps: thick where it could go on, thin where it waited.
function drawLife(c, lane, y, [a, b]) {
  const steps = stepsOf[lane];
  for (let k = Math.max(1, search(steps, a)); k < steps.length && (k === 0 || steps[k - 1] < b); k++) {
    const from = steps[k - 1] + width[steps[k - 1]], to = steps[k], woken = ev.woken[to];
    const kind = kindOf(to), ready = woken >= from ? woken + 1 : kind === 'sleep' || kind === 'go on' ? to : from;
    c.fillStyle = colour.strong;
    c.fillRect(xOf(from), y - .5, (ready - from) * view.px, 1);
    c.fillStyle = colour.ready;
    c.fillRect(xOf(ready), y - 2, (to - ready) * view.px, 4);
  }
}

function drawSwitches(c, [a, b], h) {
  c.strokeStyle = colour.switch;
  c.globalAlpha = Math.min(.75, Math.max(.12, view.px / 14));
  c.lineWidth = 1;
  c.beginPath();
  let drawn = -1;
  for (let k = search(switches, a); switches[k] <= b; k++) {
    const i = switches[k], y1 = yOf(before[i]), y2 = yOf(i), x = Math.round(xOf(i)) + .5;
    if (view.px < .3 && x === drawn) continue; // one stands for many
    drawn = x;
    if (y1 === -1 || y2 === -1 || Math.max(y1, y2) < 0 || Math.min(y1, y2) > h) continue;
    c.moveTo(x, y1);
    c.lineTo(x, y2);
  }
  c.stroke();
  c.globalAlpha = 1;
}

// arrow leads from a step to a later one, or back: from the edge of its block to the front of the other.
function arrow(c, i, k, style, { dash = [], line = 1.25, alpha = 1 } = {}) {
  const y0 = yOf(i), y2 = yOf(k);
  if (y0 === -1 || y2 === -1) return;
  const y1 = y0 + Math.sign(y2 - y0) * half, x2 = xOf(k);
  const x1 = xOf(i) + view.px * width[i] * .7, bend = Math.max(10, Math.min(Math.abs(x2 - x1) / 2, 80));
  c.save();
  c.globalAlpha = alpha;
  c.strokeStyle = c.fillStyle = style;
  c.lineWidth = line;
  c.setLineDash(dash);
  c.beginPath();
  c.moveTo(x1, y1);
  c.bezierCurveTo(x1 + bend, y1, x2 - bend, y2, x2 - 4, y2);
  c.stroke();
  c.setLineDash([]);
  c.beginPath();
  c.moveTo(x2, y2);
  c.lineTo(x2 - 6, y2 - 3.5);
  c.lineTo(x2 - 6, y2 + 3.5);
  c.fill();
  c.restore();
}

function drawWakes(c, [a, b], h) {
  if (view.px < 5) return;
  for (let i = a; i < b; i++) {
    const w = ev.woken[i];
    if (w >= 0 && !ev.inside[i] && !(yOf(i) < 0 && yOf(w) < 0) && !(yOf(i) > h && yOf(w) > h)) arrow(c, w, i, colour.wake, { alpha: .55 });
  }
}

// drawSteps draws the blocks of a lane. Where there is less than a pixel for each, one stands for those beside it.
function drawSteps(c, lane, y, [a, b]) {
  const events = eventsOf[lane], gap = view.px >= 8 ? 2 : view.px >= 3 ? 1 : 0;
  let drawn = -2;
  for (let k = Math.max(0, search(events, a) - 1); k < events.length && events[k] < b; k++) {
    const i = events[k], x = xOf(i);
    if (ev.inside[i]) {
      if (view.px >= 4) drawInside(c, i, x, y);
      continue;
    }
    if (x - drawn < .7) continue;
    drawn = x;
    c.fillStyle = colour[calling.has(i) ? 'call' : classOf(i)];
    const wide = Math.max(1.5, view.px * width[i] - gap);
    c.beginPath();
    c.roundRect(x, y - half, wide, 2 * half, Math.min(3, wide / 3));
    c.fill();
    const room = Math.min(wide, width[i] > 1 ? Math.max(view.px - gap, wide - (width[i] - 1) * Math.min(view.px, 18)) : wide) - 10;
    if (room > 26) label(c, textOf(i), x + 5, y + .5, room, colour.on, small, true);
  }
}

// drawInside draws what happened in a step as a sign on its block.
function drawInside(c, i, x, y) {
  const at = x + Math.max(0, view.px - 18) + Math.min(view.px, 18) / 2 - 1, size = Math.min(4, view.px / 2 - .5);
  c.fillStyle = colour.on;
  c.beginPath();
  if (classOf(i) === 'call') c.arc(at, y, size, 0, 7);
  else c.rect(at - size, y - 1.5, size * 2, 3);
  c.fill();
}

function label(c, text, x, y, room, style, font, cut = false) {
  c.font = font;
  c.fillStyle = style;
  c.textBaseline = 'middle';
  c.fillText(shorten(c, text, room, cut), x, y);
}

// shorten takes out the middle of a text that is too long, since both ends of a name tell it from others; or it cuts the end.
function shorten(c, text, room, cut) {
  text = text.length > 400 ? text.slice(0, 400) : text;
  if (c.measureText(text).width <= room) return text;
  const keep = n => cut ? text.slice(0, n) + '…' : text.slice(0, Math.ceil(n / 2)) + '…' + text.slice(text.length - (n >> 1));
  let a = 0, b = text.length;
  while (a < b) {
    const m = (a + b + 1) >> 1;
    if (c.measureText(keep(m)).width <= room) a = m; else b = m - 1;
  }
  return a ? keep(a) : '';
}
