// How many requests were under way at each moment of the trace: a column for each second, a row for each fiftieth of it. What repeats within a
// second is a line across, what happens once is a spot. A click tells what requests did in that interval, and shows the stacks of all goroutines
// there. The interval is in the address, in seconds: #at=1.2-1.24

import { digits, figure, largest, make, percent } from './base.js';
import { open } from './explorer.js';

const rows = 50, cell = 1 / rows, tall = 6; // pixels of a row
const field = id => document.getElementById(id);
const place = document.querySelector('[data-heat]'), encoded = place.dataset.heat.split('/').map(encodeURIComponent).join('/');
let data, load, first = -1, last = -1, anchor = -1; // cells of the interval, and where it began to grow

// weigh sums the time of spans by cell: mean requests under way.
function weigh(d) {
  const out = new Float64Array(Math.max(1, Math.ceil(d.seconds / cell)));
  for (const [from, time] of d.spans) {
    for (let i = Math.floor(from / cell), left = time, t = from; left > 1e-9 && i < out.length; i++) {
      const part = Math.min(left, (i + 1) * cell - t);
      if (part > 0) out[i] += part / cell * d.times;
      left -= part;
      t = (i + 1) * cell;
    }
  }
  return out;
}

// depth is how many rows there are: those of a second, and of a trace that is shorter those it has.
function depth() { return Math.min(rows, load.length); }

function draw() {
  const canvas = field('heat'), columns = Math.ceil(data.seconds), width = canvas.clientWidth, deep = depth(), height = Math.max(24, deep * tall), scale = devicePixelRatio || 1;
  if (!width) return;
  canvas.width = width * scale;
  canvas.height = height * scale;
  canvas.style.height = height + 'px';
  const c = canvas.getContext('2d'), high = largest(load, 0) || 1, css = getComputedStyle(document.documentElement);
  c.scale(scale, scale);
  const w = width / columns, h = height / deep;
  for (let i = 0; i < load.length; i++) {
    c.globalAlpha = 0.06 + 0.94 * load[i] / high;
    c.fillStyle = css.getPropertyValue('--accent');
    c.fillRect(Math.floor(i / rows) * w + 0.5, i % rows * h + 0.5, w - 1, h - 1);
    if (i < first || i > last) continue;
    c.globalAlpha = 1;
    c.strokeStyle = css.getPropertyValue('--ink');
    c.lineWidth = 2;
    c.strokeRect(Math.floor(i / rows) * w + 1, i % rows * h, w - 2, h);
  }
  canvas.dataset.cells = load.length;
}

// choose makes an interval of cells the one that is told of, through the address.
function choose(i, grow) {
  if (!grow || anchor < 0) anchor = i;
  const p = new URLSearchParams(location.hash.slice(1)), from = Math.min(anchor, i) * cell, to = (Math.max(anchor, i) + 1) * cell;
  p.set('at', `${from.toFixed(2)}-${to.toFixed(2)}`);
  p.delete('zoom'); // a node of another interval
  history.replaceState(null, '', '#' + p);
  here();
}

// here shows the interval of the address, else the cell in which most was under way.
function here() {
  const [from, to] = (new URLSearchParams(location.hash.slice(1)).get('at') || '').split('-').map(Number);
  const busiest = load.indexOf(largest(load, 0)), known = from >= 0 && to > from && from < data.seconds;
  const a = known ? Math.floor(from / cell + 1e-6) : busiest, b = known ? Math.min(load.length - 1, Math.ceil(to / cell - 1e-6) - 1) : busiest;
  if (a === first && b === last) return;
  first = a;
  last = b;
  if (anchor < first || anchor > last) anchor = first;
  tell();
  stacks();
}

// tell lists what requests did in the interval.
function tell() {
  const from = first * cell, to = (last + 1) * cell, sums = new Map();
  let mean = 0;
  for (let i = first; i <= last; i++) mean += load[i] / (last - first + 1);
  for (const [start, time, p] of data.spans) {
    const part = Math.min(start + time, to) - Math.max(start, from);
    if (part > 0) sums.set(p, (sums.get(p) || 0) + part / (to - from) * data.times);
  }
  const all = [...sums].sort((a, b) => b[1] - a[1]).slice(0, 12);
  field('heat-when').textContent = `${figure(from, 's')} to ${figure(to, 's')} of the trace: ${digits(mean)} requests under way in the mean`;
  field('heat-table').hidden = all.length === 0; // its caption alone would stand in a column one word wide
  field('heat-table').tBodies[0].replaceChildren(...all.map(([p, n]) => {
    const x = data.places[p];
    return make('tr', {}, make('td', { class: 'figure' }, digits(n)), make('td', { class: 'figure quiet' }, percent(n / mean)), make('td', {}, make('i', { class: 'swatch c-' + x.class }), x.class), make('td', { class: 'where' }, make('code', { title: x.full }, x.site)));
  }));
  draw();
}

// stacks shows what all goroutines did in the interval; of several answers under way only the last counts.
async function stacks() {
  if (!place.dataset.stacks) field('flame-status').textContent = 'reading the trace …';
  const mine = first + '-' + last, q = new URLSearchParams({ from: (first * cell).toFixed(2), to: ((last + 1) * cell).toFixed(2) });
  const response = await fetch('/api/moment/' + encoded + '?' + q), got = await response.json();
  if (mine !== first + '-' + last) return;
  if (!response.ok) {
    field('flame-status').textContent = got.error;
    return;
  }
  await open(got);
  field('unsampled').hidden = got.some(g => g.kind === 'cpu');
  place.dataset.stacks = mine;
}

function under(event) {
  const box = field('heat').getBoundingClientRect(), columns = Math.ceil(data.seconds);
  const i = Math.floor((event.clientX - box.left) / box.width * columns) * rows + Math.floor((event.clientY - box.top) / box.height * depth());
  return i >= 0 && i < load.length ? i : -1;
}

async function begin() {
  field('flames').textContent = 'Stacks of that interval';
  const response = await fetch('/api/heat/' + encoded), got = await response.json();
  if (!response.ok) {
    field('heat-when').textContent = got.error;
    return;
  }
  data = got;
  load = weigh(data);
  here();
  place.dataset.drawn = data.drawn;
  field('heat').addEventListener('click', e => under(e) >= 0 && choose(under(e), e.shiftKey));
  field('heat').addEventListener('keydown', e => {
    const by = { ArrowUp: -1, ArrowDown: 1, ArrowLeft: -rows, ArrowRight: rows }[e.key];
    const from = e.shiftKey && anchor === last ? first : last, to = from + by;
    if (by === undefined || to < 0 || to >= load.length) return;
    e.preventDefault();
    choose(to, e.shiftKey);
  });
  addEventListener('hashchange', here);
  addEventListener('resize', draw);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
}

begin();
