'use strict';
// What the report wrote, and what follows from it. Events are known by their index, which is their column.
const data = JSON.parse(document.getElementById('data').textContent);
const column = name => data[name] ?? [];
const ev = {
  step: column('step'), at: column('at'), lane: column('lane'), kind: column('kind'), inside: column('inside'),
  text: column('text'), place: column('place'), object: column('object'), woken: column('woken'),
};
const count = ev.step.length;
const kindOf = i => data.texts[ev.kind[i]];
const textOf = i => data.texts[ev.text[i]];
const placeOf = i => data.places[ev.place[i]];
const laneOf = i => data.lanes[ev.lane[i]];

const classes = {
  go: ['start', 'go on', 'yield', 'try again'],
  lock: ['lock', 'read-lock', 'write-lock', 'try-lock'],
  channel: ['send', 'receive', 'select', 'close', 'block for ever'],
  wait: ['wait for condition', 'wait for group', 'wait for once', 'wait for event'],
  memory: ['touch', 'atomic', 'read map', 'write map', 'range over map'],
  time: ['sleep'],
  world: ['step', 'choose'],
  call: ['call'],
  log: ['log'],
  note: ['note'],
};
const classNames = {
  go: 'start, go on', lock: 'lock', channel: 'channel', wait: 'group, condition, event', memory: 'memory', time: 'sleep',
  world: 'other point', call: 'API call', log: 'log line', note: 'crash, fault',
};
const classOfKind = new Map(Object.entries(classes).flatMap(([c, kinds]) => kinds.map(k => [k, c])));
const classes_ = data.texts.map(t => classOfKind.get(t) ?? 'world');
const classOf = i => classes_[ev.kind[i]];

// stepsOf lists the steps of each lane, and eventsOf all its events.
const stepsOf = data.lanes.map(() => []), eventsOf = data.lanes.map(() => []);
const wakes = new Map(), uses = new Map();
const before = new Int32Array(count).fill(-1); // the step before, of whatever task
const width = new Int32Array(count).fill(1); // of a step: its column and those of what happened in it
const calling = new Set(); // steps that have no class of their own, with an API call inside
const switches = [], moves = [], notes = [];

function add(map, key, value) {
  if (!map.has(key)) map.set(key, []);
  map.get(key).push(value);
}

{
  let last = -1;
  for (let i = 0; i < count; i++) {
    const lane = ev.lane[i];
    if (ev.at[i] > (i ? ev.at[i - 1] : 0)) moves.push(i);
    if (lane < 0) { notes.push(i); continue; }
    eventsOf[lane].push(i);
    if (ev.inside[i]) {
      if (last >= 0 && ev.lane[last] === lane) {
        width[last] = i - last + 1;
        if (classOf(i) === 'call' && classOf(last) === 'world') calling.add(last);
      }
      continue;
    }
    stepsOf[lane].push(i);
    if (last >= 0 && ev.lane[last] !== lane) switches.push(i);
    before[i] = last;
    last = i;
    if (ev.woken[i] >= 0) add(wakes, ev.woken[i], i);
    if (ev.object[i]) add(uses, ev.object[i], i);
  }
}

// search returns the first index of a sorted list whose value is at least v.
function search(list, v) {
  let a = 0, b = list.length;
  while (a < b) {
    const m = (a + b) >> 1;
    if (list[m] < v) a = m + 1; else b = m;
  }
  return a;
}

// Each choice is at the event that it led to. The one that was passed over comes later, if at all.
const choices = data.choices.map(c => {
  const at = Math.min(search(ev.step, c.step), count - 1);
  const later = c.passed >= 0 ? stepsOf[c.passed] : [];
  return { ...c, at, passedAt: later[search(later, at + 1)] ?? -1 };
}).filter(c => c.at >= 0);
const choicesAt = new Map();
for (const c of choices) add(choicesAt, c.at, c);
const fewChoices = choices.length <= 40; // else the tape was not shrunk, and to mark all would mark nothing
const marks = data.marks, ran = data.ran ?? []; // ran: by mark, the place of the finding that the step ran

// stops are what f goes to: the finding, then each choice of a tape that has few.
const stops = [];
if (marks.length) stops.push({ events: marks, name: 'finding' });
if (fewChoices) {
  for (const c of choices) stops.push({ events: c.passedAt >= 0 ? [c.at, c.passedAt] : [c.at], name: 'choice' });
}

// pinned lanes come first: those that the finding and a short tape are about.
const pinned = new Set();
for (const i of stops.slice(0, 9).flatMap(s => s.events)) if (ev.lane[i] >= 0) pinned.add(ev.lane[i]);

function timeText(ns) {
  const units = [['h', 3.6e12], ['m', 6e10], ['s', 1e9], ['ms', 1e6], ['µs', 1e3], ['ns', 1]];
  if (!ns) return '0s';
  const k = units.findIndex(u => ns >= u[1]);
  const [unit, size] = units[k];
  if (k > 1) return +(ns / size).toFixed(3) + unit;
  const [small, part] = units[k + 1], whole = Math.floor(ns / size), rest = Math.floor(ns % size / part);
  return whole + unit + (rest ? rest + small : '');
}
