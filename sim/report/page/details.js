// The words around the lanes. All of it is set as text, never as markup.
function node(tag, attributes = {}, ...children) {
  const e = document.createElement(tag);
  for (const [k, v] of Object.entries(attributes)) {
    if (k === 'onclick') e.onclick = v; else if (k === 'colour') e.style.background = `var(--${v})`; else e.setAttribute(k, v);
  }
  e.append(...children);
  return e;
}

const plural = (n, what) => n.toLocaleString('en') + ' ' + what + (n === 1 ? '' : 's');

function pairs(list) {
  return node('dl', { class: 'facts' }, ...list.filter(p => p[1] !== '').flatMap(([k, v]) => [node('dt', {}, k), node('dd', {}, v)]));
}

// link is a button that selects an event.
function link(i, how) {
  const who = ev.lane[i] < 0 ? '' : ' · ' + laneOf(i).name;
  return node('li', {}, node('button', { type: 'button', onclick: () => select(i) }, node('small', {}, `${how} · step ${ev.step[i]}${who}`), node('br'), textOf(i)));
}

function sectionOf(title, ...children) {
  return node('section', {}, node('h2', {}, title), ...children);
}

function showStep(i) {
  const lane = laneOf(i), place = placeOf(i);
  const parts = [node('p', { class: 'what' }, node('i', { colour: classOf(i) }), textOf(i))];
  const own = marks.flatMap((m, k) => m === i && ran[k] >= 0 ? [data.places[ran[k]]] : []);
  if (marks.includes(i)) parts.push(node('p', { class: 'flag red' }, own.length ? `The finding is about what ran here or just after: ${own.map(p => p.at).join(', ')}` : 'The finding was seen in this step.'));
  for (const c of (choicesAt.get(i) ?? []).slice(0, 4)) parts.push(node('p', { class: 'flag' }, c.text || 'The tape has a choice here: ' + c.asker + '.'));
  for (const c of fewChoices ? choices.filter(c => c.passedAt === i) : []) parts.push(node('p', { class: 'flag' }, `Passed over at step ${ev.step[c.at]}: the tape let another task go on first.`));
  parts.push(pairs([
    ['task', lane ? lane.name : ''], ['part of', lane && lane.group !== lane.name ? lane.group : ''],
    ['step', ev.step[i].toLocaleString('en') + (ev.inside[i] ? ', inside it' : '')], ['virtual time', timeText(ev.at[i])],
    ['kind', kindOf(i)], ['object', ev.object[i] ? 'number ' + ev.object[i] : ''],
  ]));
  const all = [sectionOf('Selected', ...parts)];
  for (const p of own) if (p !== place) all.push(sourceOf(p, 'the finding: '));
  if (place) all.push(sourceOf(place));
  const links = linksOf(i);
  if (links.length) all.push(sectionOf('Connections', node('ul', { class: 'links' }, ...links)));
  el('step').replaceChildren(...all);
  el('where').textContent = `step ${ev.step[i].toLocaleString('en')} of ${(ev.step[count - 1] ?? 0).toLocaleString('en')} · ${timeText(ev.at[i])}`;
  el('said').textContent = `step ${ev.step[i]}, ${lane ? lane.name : ''}: ${textOf(i)}`;
}

function sourceOf(place, what = '') {
  const lines = place.lines.map((text, k) => node('span', { 'data-line': place.from + k, ...(place.from + k === place.line ? { class: 'here' } : {}) }, text || ' '));
  return sectionOf(what + place.at, lines.length ? node('pre', { class: 'source' }, ...lines) : node('p', { class: 'quiet' }, 'The source was not there when this page was made.'));
}

function linksOf(i) {
  const links = [], { earlier, later } = neighbours(i), woken = wakes.get(i) ?? [];
  if (ev.woken[i] >= 0) links.push(link(ev.woken[i], kindOf(i) === 'start' ? 'begun by' : 'could go on after'));
  for (const k of woken.slice(0, 8)) links.push(link(k, kindOf(k) === 'start' ? 'begins' : 'lets go on'));
  if (woken.length > 8) links.push(node('li', { class: 'quiet' }, `and ${woken.length - 8} more`));
  if (earlier >= 0) links.push(link(earlier, 'same object before'));
  if (later >= 0) links.push(link(later, 'same object after'));
  return links;
}

function showStory() {
  const all = [], f = data.finding;
  if (choices.length && fewChoices) {
    all.push(sectionOf('What the tape chose', node('ol', { class: 'links choices' }, ...choices.map((c, k) => {
      const stop = stops.findIndex(s => s.name === 'choice') + k;
      return node('li', {}, node('button', { type: 'button', onclick: () => goTo(stop) }, node('small', {}, `step ${c.step}`), node('br'), c.text || c.asker));
    }))));
  } else if (choices.length) {
    all.push(sectionOf('What the tape chose', node('p', { class: 'quiet' }, `${plural(choices.length, 'choice')}: small marks on the ruler. The shrink command leaves those that the finding needs.`)));
  } else if (f.kind) {
    all.push(sectionOf('What the tape chose', node('p', { class: 'quiet' }, 'Nothing: the finding occurs in the dullest schedule, in which each task goes on until it must wait.')));
  }
  if (f.detail) all.push(node('section', {}, node('details', { open: '' }, node('summary', {}, 'Report'), node('pre', { class: 'detail' }, f.detail))));
  el('story').replaceChildren(...all);
}

function showHead() {
  const f = data.finding;
  el('kind').textContent = f.kind || 'no finding';
  el('kind').classList.toggle('none', !f.kind);
  el('summary').textContent = f.summary;
  el('run').replaceChildren(...data.run.map(r => node('div', {}, node('dt', {}, r.name), node('dd', {}, /^\d+$/.test(r.value) ? Number(r.value).toLocaleString('en') : r.value))));
  el('command').textContent = data.replay;
  el('replay').hidden = !data.replay;
  el('find').hidden = !stops.length;
  el('find').textContent = marks.length ? 'Finding' : 'Choices';
  const seen = new Set(ev.kind.map(k => classes_[k]));
  el('legend').replaceChildren(...Object.keys(classes).filter(c => seen.has(c)).map(c => node('li', {}, node('i', { colour: c }), classNames[c])));
  if (choices.length) el('legend').prepend(node('li', {}, node('i', { class: 'sign', colour: 'choice' }), 'choice of the tape'));
  if (marks.length) el('legend').prepend(node('li', {}, node('i', { class: 'sign', colour: 'finding' }), 'finding'));
}
