// What a service did over time: a chart for each metric of each series, with its change points, and the cost of findings as sparks.

import { figure, largest, lowest, make, svg } from './base.js';

const width = 300, height = 92, top = 12, bottom = 14;
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });
let shown = '';

// showSeries draws the series of a service, anew when the runs changed; of none it is hidden.
export async function showSeries(section, service, speed, answer, on) {
  const key = service && [service, speed, answer.rows.length, answer.rows[0] && answer.rows[0].path].join('\n');
  if (key === shown) return;
  shown = key;
  section.hidden = !service;
  if (!service) return section.replaceChildren();
  const asked = speed ? { speed } : {}; // "measured", or the machine's speed taken out
  const response = await fetch('/api/series?' + new URLSearchParams({ service, ...asked }));
  const all = await response.json();
  if (shown !== key || !response.ok) return;
  section.replaceChildren(...all.map(s => panel(s, on)));
  section.dataset.series = all.length;
  for (const s of all) { // one after the other: of long series they take a moment
    const marks = await (await fetch('/api/changes?' + new URLSearchParams({ series: s.key, ...asked }))).json();
    if (shown !== key) return;
    if (Array.isArray(marks)) s.mark(marks);
  }
  section.dataset.changes = 'done';
}

function panel(s, on) {
  const charts = s.charts.filter(c => s.runs.some(r => c.metric in r.metrics)).map(c => chart(s, c));
  s.mark = marks => charts.forEach(c => c.mark(marks.filter(m => m.metric === c.metric)));
  const out = make('article', { class: 'series' },
    make('h2', {}, s.load + ' ', make('span', { class: 'quiet' }, s.all > s.runs.length ? `the last ${s.runs.length} of ${s.all.toLocaleString('en')} runs` : `${s.runs.length} ${s.runs.length === 1 ? 'run' : 'runs'}`)),
    ...s.machine ? [make('p', { class: 'quiet small' }, 'on ' + s.machine)] : [],
    make('div', { class: 'charts' }, ...charts.map(c => c.element)),
    pace(s, on));
  if (s.findings.length) out.append(findings(s, on.search));
  return out;
}

// pace says what the machine did to the figures, and shows them with or without it.
function pace(s, on) {
  const out = make('p', { class: 'quiet small pace' }, s.speed.text);
  if (s.speed.can) {
    const other = make('button', { type: 'button', class: 'pill', 'aria-pressed': String(!s.speed.taken) }, 'as measured');
    other.addEventListener('click', () => on.speed(s.speed.taken ? 'measured' : ''));
    out.append(' ', other);
  }
  for (const m of s.moved) {
    const run = s.runs.find(r => r.path === m.path);
    out.append(make('span', { class: 'moved' }, `Another machine since ${run && run.revision || run && day.format(new Date(run.started)) || '~'}: ${m.text}`));
  }
  return out;
}

// chart draws one metric. Runs are equally far apart: what lies between two says nothing.
function chart(s, c) {
  const values = s.runs.map(r => c.metric in r.metrics ? r.metrics[c.metric] : NaN);
  const hi = largest(values, 0), lo = lowest(values, Infinity), flat = hi - lo < hi * 1e-3, low = flat ? hi * 0.9 : Math.max(0, lo - (hi - lo) * 0.2), high = flat ? hi * 1.1 || 1 : hi;
  const x = i => s.runs.length < 2 ? width / 2 : 4 + i / (s.runs.length - 1) * (width - 8);
  const y = v => top + (1 - (v - low) / (high - low)) * (height - top - bottom);
  const root = svg('svg', { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: 'none', role: 'img', 'aria-label': `${c.name} of ${s.runs.length} runs` });
  root.append(svg('line', { class: 'axis', x1: 0, x2: width, y1: height - bottom, y2: height - bottom }), svg('path', { class: 'line', d: path(values, x, y), 'vector-effect': 'non-scaling-stroke' }));
  const marks = svg('g', {}), cursor = svg('line', { class: 'cursor', y1: top, y2: height - bottom, visibility: 'hidden', 'vector-effect': 'non-scaling-stroke' });
  root.append(marks, cursor);
  const last = [...values].reverse().find(v => Number.isFinite(v));
  const changes = make('ul', { class: 'changes-of' });
  const nearest = e => {
    const box = root.getBoundingClientRect();
    return Math.max(0, Math.min(s.runs.length - 1, Math.round(((e.clientX - box.left) / box.width * width - 4) / (width - 8) * (s.runs.length - 1))));
  };
  root.addEventListener('pointermove', e => {
    const i = nearest(e);
    cursor.setAttribute('visibility', 'visible');
    cursor.setAttribute('x1', x(i));
    cursor.setAttribute('x2', x(i));
    tip(e, [s.runs[i].path, day.format(new Date(s.runs[i].started)) + (s.runs[i].revision ? ' · ' + s.runs[i].revision : ''), `${c.name} ${figure(values[i], c.unit)}`]);
  });
  root.addEventListener('pointerleave', () => {
    cursor.setAttribute('visibility', 'hidden');
    tip(null);
  });
  root.addEventListener('click', e => { location.href = '/run/' + s.runs[nearest(e)].path.split('/').map(encodeURIComponent).join('/'); });
  const element = make('figure', {}, make('h3', {}, c.name, make('b', {}, figure(last, c.unit))), root, make('figcaption', { class: 'quiet' }, flat ? 'always the same' : `${figure(lo, c.unit)} to ${figure(hi, c.unit)}`), changes);
  return {
    element, metric: c.metric,
    mark(all) {
      const at = all.map(m => ({ ...m, i: s.runs.findIndex(r => r.path === m.path) })).filter(m => m.i > 0);
      marks.replaceChildren(...at.map(m => svg('line', { class: 'change ' + (m.better ? 'better' : 'worse'), x1: (x(m.i) + x(m.i - 1)) / 2, x2: (x(m.i) + x(m.i - 1)) / 2, y1: top - 6, y2: height - bottom, 'vector-effect': 'non-scaling-stroke' })));
      changes.replaceChildren(...at.reverse().map(m => make('li', { class: m.better ? 'better' : 'worse' }, make('b', {}, m.text), ' ', make('span', { class: 'quiet' }, 'since ' + (s.runs[m.i].revision || day.format(new Date(s.runs[m.i].started)))))));
    },
  };
}

// path joins neighbours; one that is missing leaves a gap, and one alone is a dot.
function path(values, x, y) {
  let out = '', open = false;
  values.forEach((v, i) => {
    if (!Number.isFinite(v)) { open = false; return; }
    out += `${open ? 'L' : 'M'}${x(i).toFixed(1)},${y(v).toFixed(1)}`;
    if (!open && !Number.isFinite(values[i + 1])) out += 'h.01';
    open = true;
  });
  return out;
}

function tip(event, lines) {
  const box = document.getElementById('tip');
  box.hidden = !event;
  if (!event) return;
  box.replaceChildren(...lines.map((l, i) => make('div', { class: i ? 'v' : 'fn' }, l)));
  const size = box.getBoundingClientRect();
  box.style.left = Math.max(8, Math.min(event.clientX + 14, innerWidth - size.width - 8)) + 'px';
  box.style.top = (event.clientY + 18 + size.height > innerHeight ? event.clientY - size.height - 12 : event.clientY + 18) + 'px';
}

// findings lists the causes of the latest runs, each with what it cost run by run.
function findings(s, search) {
  const body = make('tbody', {});
  for (const f of s.findings) {
    const costs = f.costs.map(v => v === null ? NaN : v), high = largest(costs, 0) || 1;
    const here = costs[costs.length - 1], root = svg('svg', { viewBox: '0 0 176 22', 'aria-hidden': 'true' });
    root.append(svg('path', { class: 'line', d: path(costs, i => costs.length < 2 ? 88 : 2 + i / (costs.length - 1) * 172, v => 20 - v / high * 18) }));
    const name = make('button', { type: 'button', title: 'runs with ' + f.function }, f.function.slice(f.function.lastIndexOf('/') + 1) || '~');
    name.addEventListener('click', () => search(f.function));
    body.append(make('tr', { class: Number.isFinite(here) ? '' : 'gone', title: Number.isFinite(here) ? '' : 'the last run does not have it' },
      make('td', {}, make('span', { class: 'tag' }, f.class)), make('td', {}, name), make('td', { title: f.title, class: 'quiet' }, f.title), make('td', {}, root),
      make('td', {}, Number.isFinite(here) ? cost(here, f.unit) : '~')));
  }
  return make('table', { class: 'found', 'aria-label': 'Findings and what they cost, run by run' }, body);
}

function cost(v, unit) {
  return unit.endsWith('/req') ? figure(v, unit.slice(0, -4)) + '/req' : figure(v, unit);
}
