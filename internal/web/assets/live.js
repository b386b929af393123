// A run that is under way, line by line as it writes them.

import { figure, largest, make, svg } from './base.js';

const field = id => document.getElementById(id);
const path = decodeURIComponent(location.pathname.slice('/live/'.length)), name = path.replace(/\.partial$/, '');
const encoded = name.split('/').map(encodeURIComponent).join('/');
const seconds = []; // with load
const cores = []; // of what is captured under traffic of its own
let phase = '';

function show(l) {
  if (l.phase) {
    field('phase').textContent = l.phase;
    field('detail').textContent = l.detail || '';
    field('left').textContent = l.left_s > 0 ? Math.ceil(l.left_s) + ' s' : '~';
  }
  if (l.cpu_cores > 0) {
    cores.push(l.cpu_cores);
    document.body.classList.add('with-cores');
    field('cores').textContent = figure(l.cpu_cores, 'cores');
    chart('cores', cores, 'cores');
  }
  if (l.rps > 0) {
    document.body.classList.remove('loadless');
    seconds.push(l);
    field('rps').textContent = figure(l.rps, 'req/s');
    field('p99').textContent = l.p99_s > 0 ? figure(l.p99_s, 's') : '~';
    field('flight').textContent = String(l.in_flight || 0);
    field('errors').textContent = String(l.errors || 0);
    chart('rps', seconds.map(x => x.rps), 'req/s');
    chart('p99', seconds.map(x => x.p99_s || 0), 's');
  }
  if (l.phase !== phase || !l.phase) {
    const measured = l.phase === 'measured' && l.rps > 0 ? `${figure(l.rps, 'req/s')}, p99 ${figure(l.p99_s, 's')}` : '';
    field('log').append(make('li', {}, make('span', {}, new Date(l.at).toLocaleTimeString('en-GB')), make('span', {}, make('b', {}, l.phase || ''), ' ' + [l.detail, measured].filter(Boolean).join(' '))));
  }
  if (l.phase) phase = l.phase;
  document.body.dataset.lines = Number(document.body.dataset.lines || 0) + 1;
}

// chart draws values since the beginning, and says what its top is; its bottom is 0.
function chart(name, values, unit) {
  const root = field(name + '-chart');
  field(name + '-high').textContent = 'up to ' + figure(largest(values, 0), unit);
  const high = largest(values, 0) || 1, n = values.length;
  const d = values.map((v, i) => `${i ? 'L' : 'M'}${n < 2 ? 0 : i / (n - 1) * 600},${134 - v / high * 124}`).join('');
  root.replaceChildren(svg('line', { class: 'axis', x1: 0, x2: 600, y1: 134, y2: 134 }), svg('path', { class: 'line', d, 'vector-effect': 'non-scaling-stroke' }));
}

field('name').textContent = name;
document.title = `${name} · unpark`;
const events = new EventSource('/api/live/' + encoded);
events.addEventListener('line', e => show(JSON.parse(e.data)));
events.addEventListener('end', e => {
  events.close();
  const { kept, page } = JSON.parse(e.data);
  field('phase').textContent = 'ended';
  field('left').textContent = '~';
  field('detail').replaceChildren(kept ? make('a', { href: page || '/run/' + encoded }, page ? 'Open the experiment' : 'Open the run') : 'It is not there any more: it was stopped before anything was measured, or did not get to its end; see the list.');
  document.body.dataset.ended = kept;
});
// After an error the browser asks again, and is told all lines from the first on.
events.addEventListener('error', () => {
  seconds.length = cores.length = 0;
  field('log').replaceChildren();
});
