// How many requests were under way at each moment of the trace: a column for each second, a row for each fiftieth of it. What repeats within a
// second is a line across, what happens once is a spot. A click tells what requests did in that interval.

import { digits, figure, largest, make, percent } from './base.js';

const rows = 50, cell = 1 / rows;
const field = id => document.getElementById(id);
const place = document.querySelector('[data-heat]');
let data, load, at = -1;

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

function draw() {
  const canvas = field('heat'), columns = Math.ceil(data.seconds), width = canvas.clientWidth, height = 300, scale = devicePixelRatio || 1;
  if (!width) return;
  canvas.width = width * scale;
  canvas.height = height * scale;
  canvas.style.height = height + 'px';
  const c = canvas.getContext('2d'), high = largest(load, 0) || 1, css = getComputedStyle(document.documentElement);
  c.scale(scale, scale);
  const w = width / columns, h = height / rows;
  for (let i = 0; i < load.length; i++) {
    c.globalAlpha = 0.06 + 0.94 * load[i] / high;
    c.fillStyle = css.getPropertyValue('--accent');
    c.fillRect(Math.floor(i / rows) * w + 0.5, i % rows * h + 0.5, w - 1, h - 1);
    if (i !== at) continue;
    c.globalAlpha = 1;
    c.strokeStyle = css.getPropertyValue('--ink');
    c.lineWidth = 2;
    c.strokeRect(Math.floor(i / rows) * w + 1, i % rows * h, w - 2, h);
  }
  canvas.dataset.cells = load.length;
}

// tell lists what requests did in one cell.
function tell(i) {
  at = i;
  const from = i * cell, to = from + cell, sums = new Map();
  for (const [start, time, p] of data.spans) {
    const part = Math.min(start + time, to) - Math.max(start, from);
    if (part > 0) sums.set(p, (sums.get(p) || 0) + part / cell * data.times);
  }
  const all = [...sums].sort((a, b) => b[1] - a[1]).slice(0, 12);
  field('heat-when').textContent = `${figure(from, 's')} to ${figure(to, 's')} of the trace: ${digits(load[i])} requests under way in the mean`;
  field('heat-table').tBodies[0].replaceChildren(...all.map(([p, n]) => {
    const x = data.places[p];
    return make('tr', {}, make('td', { class: 'figure' }, digits(n)), make('td', { class: 'figure quiet' }, percent(n / load[i])), make('td', {}, make('i', { class: 'swatch c-' + x.class }), x.class), make('td', { class: 'where' }, make('code', { title: x.full }, x.site)));
  }));
  draw();
}

function under(event) {
  const box = field('heat').getBoundingClientRect(), columns = Math.ceil(data.seconds);
  const i = Math.floor((event.clientX - box.left) / box.width * columns) * rows + Math.floor((event.clientY - box.top) / box.height * rows);
  return i >= 0 && i < load.length ? i : -1;
}

async function begin() {
  const response = await fetch('/api/heat/' + place.dataset.heat.split('/').map(encodeURIComponent).join('/')), got = await response.json();
  if (!response.ok) {
    field('heat-when').textContent = got.error;
    return;
  }
  data = got;
  load = weigh(data);
  tell(load.indexOf(largest(load, 0)));
  place.dataset.drawn = data.drawn;
  field('heat').addEventListener('click', e => under(e) >= 0 && tell(under(e)));
  field('heat').addEventListener('keydown', e => {
    const by = { ArrowUp: -1, ArrowDown: 1, ArrowLeft: -rows, ArrowRight: rows }[e.key];
    if (by === undefined || at + by < 0 || at + by >= load.length) return;
    e.preventDefault();
    tell(at + by);
  });
  addEventListener('resize', draw);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
}

begin();
