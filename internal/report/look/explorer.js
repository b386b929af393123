// The flame graph on the page. Its whole state is in the address, so that a link
// shows what its sender saw: #kind=mutex&zoom=17&q=json&hide=bo

const explorer = document.getElementById('flame') && {
  section: document.getElementById('flame'),
  canvas: document.getElementById('flame-canvas'),
  status: document.getElementById('flame-status'),
  crumbs: document.getElementById('crumbs'),
  search: document.getElementById('q'),
  tip: document.getElementById('tip'),
  packed: new Map([...document.querySelectorAll('script[data-graph]')].map(s => [s.dataset.graph, s])), // kind → what holds it
  graphs: new Map(), // kind → promise of a Flame
  flame: null,
  rows: [],
  width: 0,
  state: { kind: '', zoom: 0, q: '', hide: null, width: 'both', per: '' },
  selected: -1,
};

// A graph of waiting is mostly idle workers and the observer: those are hidden
// until they are asked for.
const waiting = ['block', 'mutex', 'goroutine'];

function kinds() { return [...explorer.packed.keys()]; }

// open shows other graphs in place of those that are there: [{kind, label, title, data}].
function open(graphs) {
  const e = explorer;
  if (!e.listening) listen(); // the page had none
  e.packed = new Map(graphs.map(g => [g.kind, g]));
  e.graphs.clear();
  e.flame = null;
  e.rows = [];
  e.section.querySelector('.tabs').replaceChildren(...graphs.map(g => {
    const b = make('button', { type: 'button', role: 'tab', 'data-kind': g.kind, title: g.title, 'aria-selected': 'false', 'aria-controls': 'flame-panel' }, g.label);
    b.addEventListener('click', () => go({ kind: g.kind, zoom: 0, hide: null }));
    return b;
  }));
  e.section.hidden = graphs.length === 0;
  return show();
}

function readState() {
  const p = new URLSearchParams(location.hash.slice(1)), all = kinds();
  const kind = [p.get('kind'), report.kind].find(k => all.includes(k)) || all[0];
  const zoom = Number(p.get('zoom'));
  return { kind, zoom: Number.isInteger(zoom) && zoom > 0 ? zoom : 0, q: p.get('q') || '', hide: p.get('hide'),
    width: ['before', 'after'].find(w => w === p.get('width')) || 'both', per: report.rps && p.get('per') === 'second' ? 'second' : '' };
}

// go changes the state through the address. Typing replaces, everything else
// makes an entry, so that "back" zooms out.
function go(change, replace) {
  const s = { ...explorer.state, ...change }, p = new URLSearchParams(location.hash.slice(1)); // a page has words of its own there
  for (const own of ['kind', 'zoom', 'q', 'hide', 'width', 'per']) p.delete(own);
  p.set('kind', s.kind);
  if (s.zoom) p.set('zoom', s.zoom);
  if (s.q) p.set('q', s.q);
  if (s.hide !== null) p.set('hide', s.hide);
  if (s.width !== 'both') p.set('width', s.width);
  if (s.per) p.set('per', s.per);
  if (replace) {
    history.replaceState(null, '', '#' + p);
    show();
  } else location.hash = p; // shown by the hashchange that follows
}

function graph(kind) {
  if (!explorer.graphs.has(kind)) {
    const at = explorer.packed.get(kind);
    explorer.graphs.set(kind, unpack(at.data || JSON.parse(at.textContent)));
  }
  return explorer.graphs.get(kind);
}

function hiddenSides(state, flame) {
  if (state.hide !== null) return [...sides].filter(s => state.hide.includes(s)).sort().join('');
  const preset = waiting.includes(state.kind) ? 'bo' : 'o';
  return (flame.both || [flame.self]).some(own => flame.total(preset, own) > 0) ? preset : '';
}

// outline draws what can be seen of a large graph, and says what there is to say of it, while it is still packed. It reports whether it did.
function outline(state, began) {
  const e = explorer, script = document.getElementById('outline');
  if (e.flame || !script || script.dataset.kind !== state.kind || state.zoom || state.q || state.hide !== null) return false;
  const flame = new Outline(JSON.parse(script.textContent)), width = Math.floor(e.canvas.clientWidth);
  const layout = flame.layout(0, width, null);
  e.section.dataset.outlined = paint(e.canvas, flame, layout, width, { hits: null, selected: -1, above: 0 });
  performance.mark('flame outlined');
  describe(flame);
  performance.mark('flame told');
  e.section.dataset.told = Math.round(performance.now() - began);
  return true;
}

// painted waits until the browser has shown what there is, which it does not do for a page in the background.
function painted() {
  return new Promise(done => {
    requestAnimationFrame(() => setTimeout(done));
    setTimeout(done, 100);
  });
}

async function show() {
  if (!explorer.packed.size) return;
  const began = performance.now(), state = readState();
  explorer.state = state;
  if (document.activeElement !== explorer.search) explorer.search.value = state.q;
  const told = outline(state, began);
  if (told) await painted();
  let flame;
  try {
    flame = await graph(state.kind);
  } catch (e) {
    explorer.status.textContent = `The graph of ${state.kind} cannot be read: ${e.message}`;
    return;
  }
  if (explorer.state !== state) return; // a later choice was faster
  performance.mark('flame unpacked');
  if (flame !== explorer.flame) explorer.selected = -1;
  explorer.flame = flame;
  const hidden = hiddenSides(state, flame);
  const shape = [hidden, state.width, state.per].join('/');
  if (flame.shape !== shape) {
    const snapshot = state.kind === 'heap' || state.kind === 'goroutine';
    if (flame.both) flame.scale(...state.per && !snapshot ? report.rps : [1, 1]);
    flame.weigh(hidden, state.width);
    flame.shape = shape;
  }
  if (state.zoom >= flame.size || !(flame.value[state.zoom] > 0)) state.zoom = 0;
  explorer.hits = flame.find(state.q);
  performance.mark('flame weighed');
  draw();
  performance.mark('flame drawn');
  if (!told) describe(flame);
  Object.assign(explorer.section.dataset, { ms: Math.round(performance.now() - began), at: Math.round(performance.now()) });
}

function draw() {
  const e = explorer, f = e.flame;
  if (!f || !e.width) return;
  const seen = f.layout(e.state.zoom, e.width, e.hits);
  e.rows = seen.rows;
  const drawn = paint(e.canvas, f, seen, e.width, { hits: e.hits, selected: e.selected, above: f.depth[e.state.zoom] });
  e.section.dataset.drawn = drawn;
}

// describe writes the state in words, and as data for tests.
function describe(f) {
  const e = explorer, s = e.state, d = e.section.dataset;
  const total = f.value[0], here = f.value[s.zoom];
  e.matches = e.hits && f.matches(e.hits, s.zoom);
  const matched = e.hits ? e.matches.total : 0;
  Object.assign(d, {
    kind: s.kind, zoom: s.zoom, zoomName: f.names[f.name[s.zoom]], nodes: f.size, total, value: here,
    matched: e.hits ? matched / here : '', hide: f.hidden,
  });
  const parts = [];
  if (f.both) {
    d.before = f.arms[0][s.zoom];
    d.after = f.arms[1][s.zoom];
    parts.push(`${s.zoom ? f.short(f.name[s.zoom]) : tab(s.kind).title}: ${both(f, f.arms[0][s.zoom], f.arms[1][s.zoom])}`);
  } else if (s.zoom) parts.push(`${f.short(f.name[s.zoom])}: ${amount(f, here)}, ${percent(here / total)} of ${amount(f, total, true)}`);
  else parts.push(`${tab(s.kind).title}: ${amount(f, total)}`);
  if (e.hits) parts.push(found(s, f, here));
  if (!f.both && f.raw - total > f.raw * 1e-6) parts.push(`${percent((f.raw - total) / f.raw)} of the raw profile is hidden`);
  e.status.textContent = parts.join(' · ');
  e.canvas.setAttribute('aria-label', `Flame graph of ${s.kind}, ${amount(f, total)}. The table below lists the heaviest functions.`);
  controls(s, f);
  breadcrumbs(s, f);
  heaviest(s, f);
}

// amount prints a value, and what it is per request when requests are known.
function amount(f, v, bare) {
  const text = figure(v, f.unit);
  return bare || !(report.requests > 0) || f.unit === 'count' ? text : `${text}, ${figure(v / report.requests, f.unit)}/req`;
}

// unit is what values of a differential graph are divided by.
function unit(f) {
  return explorer.state.kind === 'heap' || explorer.state.kind === 'goroutine' ? '' : explorer.state.per ? '/s' : report.per ? '/' + report.per : '';
}

// both prints what an amount was and is: "41.2 µs/req → 12.0 µs/req, −70.9 %".
function both(f, before, after) {
  const per = unit(f), change = before > 0 && after > 0 ? `, ${relative(after / before)}` : after > 0 ? ', new' : before > 0 ? ', gone' : '';
  return `${figure(before, f.unit)}${per} → ${figure(after, f.unit)}${per}${change}`;
}

function relative(ratio) {
  if (ratio >= 2 || ratio <= 0.5) return '×' + digits(ratio);
  const p = (ratio - 1) * 100;
  return Math.abs(p) < 0.05 ? '±0 %' : `${p < 0 ? '−' : '+'}${Math.abs(p).toFixed(1)} %`;
}

function tab(kind) {
  return [...document.querySelectorAll('[role=tab]')].find(t => t.dataset.kind === kind);
}

function controls(s, f) {
  for (const t of document.querySelectorAll('[role=tab]')) t.setAttribute('aria-selected', t.dataset.kind === s.kind);
  for (const b of document.querySelectorAll('[data-side]')) b.setAttribute('aria-pressed', !f.hidden.includes(b.dataset.side));
  for (const b of document.querySelectorAll('[data-width]')) b.setAttribute('aria-pressed', b.dataset.width === s.width);
  const second = document.getElementById('per-second');
  if (second) second.setAttribute('aria-pressed', s.per === 'second');
  document.getElementById('quiet').setAttribute('aria-pressed', f.hidden.includes('b') && f.hidden.includes('o'));
}

function breadcrumbs(s, f) {
  const path = s.zoom ? f.ancestors(s.zoom) : [];
  explorer.crumbs.replaceChildren(...path.map(i => {
    const b = make('button', { type: 'button', title: f.names[f.name[i]] }, f.short(f.name[i]));
    b.addEventListener('click', () => go({ zoom: i }));
    return b;
  }));
}

// found says what a search comes to: below what is zoomed into, and of the whole graph.
function found(s, f, here) {
  const m = explorer.matches, n = m.names.length;
  let text = `“${s.q}” matches ${percent(m.total / here)}, ${amount(f, m.total)}, in ${n === 1 ? 'one function' : n + ' functions'}`;
  if (s.zoom) {
    const all = f.matches(explorer.hits, 0);
    text += ` (${percent(all.total / f.value[0])} of all)`;
  }
  return text;
}

// around fills the table with what calls a function and what it calls.
function around(s, f, id) {
  const table = document.getElementById('heaviest'), here = f.value[s.zoom], [callers, callees] = f.around(id, s.zoom);
  const own = f.byName(s.zoom)[id], all = explorer.matches.names.find(([n]) => n === id)[1];
  table.caption.textContent = `What calls ${f.short(id)} in view, and what it calls`;
  table.tHead.replaceChildren(make('tr', {}, ...['function', '', 'value', 'share'].map(h => make('th', { scope: 'col' }, h))));
  const row = (kind, n, v) => make('tr', { 'data-around': kind }, named(f, n), ...[kind, figure(v, f.unit), percent(v / here)].map(c => make('td', {}, c)));
  table.tBodies[0].replaceChildren(...callers.map(([n, v]) => row('caller', n, v)), row('with callees', id, all), row('itself', id, own), ...callees.map(([n, v]) => row('callee', n, v)));
}

// matching fills the table with the functions that are searched for: what is on each one's stacks, drawn or not.
function matching(s, f) {
  const table = document.getElementById('heaviest'), names = explorer.matches.names, here = f.value[s.zoom];
  table.caption.textContent = 'Functions in view that match, with what they call' + (names.length > 10 ? `: ten of ${names.length.toLocaleString('en')}` : '');
  table.tHead.replaceChildren(make('tr', {}, ...['function', 'with callees', 'share'].map(h => make('th', { scope: 'col' }, h))));
  table.tBodies[0].replaceChildren(...names.slice(0, 10).map(([id, v]) => make('tr', {}, named(f, id), make('td', {}, figure(v, f.unit)), make('td', {}, percent(v / here)))));
}

// named is the cell of a function, which searches for it.
function named(f, id) {
  const b = make('button', { type: 'button', title: `${f.names[id]}\n${f.places[id]}` }, f.short(id));
  b.addEventListener('click', () => go({ q: f.names[id] }));
  return make('th', { scope: 'row', class: 'name' }, b);
}

// movers fills the table of a differential graph: what changed most by itself.
function movers(s, f) {
  const table = document.getElementById('heaviest'), per = unit(f);
  table.caption.textContent = 'Functions in view whose own share changed most';
  table.tHead.replaceChildren(make('tr', {}, ...['function', 'before', 'after', 'change'].map(h => make('th', { scope: 'col' }, h))));
  table.tBodies[0].replaceChildren(...f.movers(s.zoom, 10).map(([id, before, after]) => {
    const change = before > 0 && after > 0 ? relative(after / before) : after > 0 ? 'new' : 'gone';
    const cells = [figure(before, f.unit) + per, figure(after, f.unit) + per, change];
    return make('tr', {}, named(f, id), ...cells.map(c => make('td', {}, c)));
  }));
}

function heaviest(s, f) {
  if (f.both) return movers(s, f);
  const one = explorer.hits ? f.names.indexOf(s.q) : -1; // a function by its whole name, as the table leads to it
  if (one >= 0 && explorer.matches.names.some(([n]) => n === one)) return around(s, f, one);
  if (explorer.hits) return matching(s, f);
  const table = document.getElementById('heaviest'), per = report.requests > 0 && f.unit !== 'count';
  const head = ['function', 'own', 'share', ...per ? ['per request'] : []];
  table.caption.textContent = 'Heaviest functions in view, by their own share';
  table.tHead.replaceChildren(make('tr', {}, ...head.map(h => make('th', { scope: 'col' }, h))));
  table.tBodies[0].replaceChildren(...f.heaviest(s.zoom, 8).map(([id, v]) => {
    const cells = [figure(v, f.unit), percent(v / f.value[s.zoom]), ...per ? [figure(v / report.requests, f.unit)] : []];
    return make('tr', {}, named(f, id), ...cells.map(c => make('td', {}, c)));
  }));
}

// at returns the node under a point of the canvas, −1 for none.
function at(event) {
  const box = explorer.canvas.getBoundingClientRect(), x = event.clientX - box.left;
  const row = explorer.rows[Math.floor((event.clientY - box.top) / rowHeight)] || [];
  const node = row.find(n => x >= n.x && x < n.x + Math.max(n.w, 1));
  return node ? node.i : -1;
}

function tip(i, x, y) {
  const e = explorer, f = e.flame;
  e.tip.hidden = i < 0;
  if (i < 0) return;
  const own = f.own(i), side = ['request path', 'background', 'runtime', 'observer'][f.side[i]];
  e.tip.replaceChildren(
    make('div', { class: 'fn' }, f.names[f.name[i]]),
    make('div', { class: 'at' }, f.places[f.name[i]]),
    make('div', { class: 'v' }, f.both ? both(f, f.arms[0][i], f.arms[1][i]) : `${amount(f, f.value[i])} · ${percent(f.value[i] / f.value[0])}` + (own > 0 ? ` · own ${figure(own, f.unit)}` : '')),
    make('div', {}, side || ''));
  const box = e.tip.getBoundingClientRect();
  e.tip.style.left = Math.max(8, Math.min(x + 14, innerWidth - box.width - 8)) + 'px';
  e.tip.style.top = (y + 18 + box.height > innerHeight ? Math.max(8, y - box.height - 12) : y + 18) + 'px';
}

// select walks the graph by keys: the node is outlined and its tooltip shown.
function select(i) {
  const e = explorer, row = i < 0 ? -1 : e.flame.depth[i], node = (e.rows[row] || []).find(n => n.i === i);
  if (!node) return;
  e.selected = i;
  draw();
  const box = e.canvas.getBoundingClientRect();
  tip(i, box.left + node.x + 8, box.top + (row + 1) * rowHeight - 12);
  e.section.dataset.selected = e.flame.names[e.flame.name[i]];
}

function walk(key) {
  const e = explorer, f = e.flame, i = e.selected < 0 ? e.state.zoom : e.selected, row = e.rows[f.depth[i]] || [];
  const place = row.findIndex(n => n.i === i);
  switch (key) {
    case 'ArrowUp': return select(f.parent(i));
    case 'ArrowDown': return select(((e.rows[f.depth[i] + 1] || []).find(n => f.parent(n.i) === i) || { i: -1 }).i);
    case 'ArrowLeft': return select((row[place - 1] || { i: -1 }).i);
    case 'ArrowRight': return select((row[place + 1] || { i: -1 }).i);
  }
}

function onKey(event) {
  const e = explorer, typing = event.target === e.search;
  if (event.key === '/' && !typing && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    e.search.focus();
    e.search.select();
  } else if (event.key === 'Escape') {
    tip(-1);
    if (typing || e.state.q) {
      e.search.value = '';
      e.search.blur();
      go({ q: '' });
    } else if (e.state.zoom) go({ zoom: e.flame.parent(e.state.zoom) });
  } else if (event.target === e.canvas && event.key.startsWith('Arrow')) {
    event.preventDefault();
    walk(event.key);
  } else if (event.target === e.canvas && event.key === 'Enter' && e.selected >= 0) go({ zoom: e.selected });
}

function listen() {
  const e = explorer;
  e.listening = true;
  for (const t of document.querySelectorAll('[role=tab]')) t.addEventListener('click', () => go({ kind: t.dataset.kind, zoom: 0, hide: null }));
  for (const b of document.querySelectorAll('[data-side]')) {
    b.addEventListener('click', () => {
      const side = b.dataset.side, hidden = e.flame.hidden;
      go({ hide: hidden.includes(side) ? hidden.replace(side, '') : [...hidden + side].sort().join('') });
    });
  }
  for (const b of document.querySelectorAll('[data-width]')) b.addEventListener('click', () => go({ width: b.dataset.width }));
  const second = document.getElementById('per-second');
  if (second) second.addEventListener('click', () => go({ per: e.state.per ? '' : 'second' }));
  document.getElementById('quiet').addEventListener('click', () => {
    const others = e.flame.hidden.replace(/[bo]/g, '');
    go({ hide: e.flame.hidden.includes('b') && e.flame.hidden.includes('o') ? others : 'bo' + others });
  });
  e.search.addEventListener('input', () => go({ q: e.search.value }, true));
  e.canvas.addEventListener('pointermove', event => tip(at(event), event.clientX, event.clientY));
  e.canvas.addEventListener('pointerleave', () => tip(-1));
  e.canvas.addEventListener('blur', () => tip(-1));
  e.canvas.addEventListener('click', event => {
    const i = at(event);
    if (i < 0) return;
    tip(-1);
    e.selected = i;
    go({ zoom: i });
  });
  addEventListener('keydown', onKey);
  addEventListener('hashchange', show);
  addEventListener('scroll', () => tip(-1), { passive: true, capture: true });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
  onResize(e.canvas, w => {
    e.width = w;
    draw();
  });
}

if (explorer && explorer.packed.size) {
  listen();
  show();
}
