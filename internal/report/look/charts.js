// The latency distribution and the timeline, as SVG at the width of the page.

// spread turns a histogram into counts of n bins that are equally wide on a log
// axis from lo to hi. A bucket that covers several bins is shared among them.
function spread(h, lo, hi, n) {
  const out = new Float64Array(n), k = n / Math.log(hi / lo);
  let from = Math.min(h.min > 0 ? h.min : lo, h.le[0] || lo);
  h.le.forEach((le, i) => {
    const a = Math.log(Math.max(from, lo) / lo) * k, b = Math.max(Math.log(le / lo) * k, a + 1e-6);
    for (let j = Math.floor(a); j < b && j < n; j++) {
      const part = (Math.min(b, j + 1) - Math.max(a, j)) / (b - a);
      if (j >= 0) out[j] += h.count[i] * part;
    }
    from = le;
  });
  return out;
}

function logTicks(lo, hi) {
  const out = [];
  for (let e = Math.floor(Math.log10(lo)); e <= Math.ceil(Math.log10(hi)); e++) {
    for (const m of hi / lo > 200 ? [1] : [1, 2, 5]) {
      const v = m * 10 ** e;
      if (v >= lo && v <= hi) out.push(v);
    }
  }
  return out;
}

// brief prints an axis label: no zeros behind the point.
function brief(v, unit) {
  return figure(v, unit).replace(/(\.\d*?)0+(?= |$|[kMGT])/, '$1').replace(/\.(?= |$|[kMGT])/, '');
}

function latencyChart(width) {
  const { response, service } = report;
  const height = 258, top = 68, bottom = 24;
  const lows = [], highs = [];
  for (const h of [response, service]) {
    if (!h) continue;
    lows.push(h.min > 0 ? h.min : h.le[0], ...h.marks.map(m => m.at));
    highs.push(...h.le.slice(-1), ...h.marks.map(m => m.at));
  }
  const lo = lowest(lows.filter(v => v > 0), Infinity) / 1.15, hi = largest(highs, 0) * 1.15;
  const x = v => Math.log(v / lo) / Math.log(hi / lo) * width;
  const root = svg('svg', { viewBox: `0 0 ${width} ${height}`, height, role: 'img', 'aria-label': 'Latency distribution; the table below has its figures' });
  for (const v of logTicks(lo, hi)) {
    const at = x(v);
    root.append(svg('line', { class: 'grid', x1: at, x2: at, y1: top, y2: height - bottom }));
    if (at > 16 && at < width - 20) root.append(svg('text', { x: at, y: height - 7, 'text-anchor': 'middle' }, brief(v, 's')));
  }
  const n = Math.max(24, Math.min(110, Math.floor(width / 9)));
  const shapes = [response, service].map(h => h && h.le.length ? spread(h, lo, hi, n) : null);
  const peak = largest(shapes.flatMap(s => s ? Array.from(s) : []), 1e-9);
  const y = c => height - bottom - c / peak * (height - top - bottom - 8);
  const outline = s => Array.from(s, (c, i) => `${i ? 'L' : 'M'}${(i / n * width).toFixed(1)},${y(c).toFixed(1)}H${((i + 1) / n * width).toFixed(1)}`).join('');
  if (shapes[0]) {
    root.append(svg('path', { class: 'area', d: outline(shapes[0]) + `V${height - bottom}H0Z` }));
    root.append(svg('path', { class: 'line s1', d: outline(shapes[0]) }));
  }
  if (shapes[1]) root.append(svg('path', { class: 'line s2', d: outline(shapes[1]), 'stroke-dasharray': '4 3' }));
  root.append(svg('line', { class: 'axis', x1: 0, x2: width, y1: height - bottom, y2: height - bottom }));
  marks(root, response.marks, x, width, top, height - bottom);
  root.append(svg('text', { class: 't1', x: 0, y: 11 }, 'response'));
  if (shapes[1]) root.append(svg('text', { class: 't2', x: 62, y: 11 }, 'service'));
  document.getElementById('latency-chart').replaceChildren(root);
}

// marks draws percentiles; a label that finds no room in three rows is left out.
function marks(root, all, x, width, top, bottom) {
  const ends = [-4, -4, -4]; // where the last label of each row ends; one at the left edge has room
  for (const m of all) {
    const at = x(m.at);
    const text = `${m.label} ${figure(m.at, 's')}`, half = text.length * 3.9;
    const middle = Math.min(Math.max(at, half), width - half);
    const row = ends.findIndex(end => middle - half >= end + 4);
    root.append(svg('line', { class: 'mark', x1: at, x2: at, y1: top - 8, y2: bottom }));
    if (row < 0) continue;
    root.append(svg('text', { class: 'strong', x: middle, y: top - 12 - row * 14, 'text-anchor': 'middle' }, text));
    ends[row] = middle + half;
  }
}

const panels = [
  { title: 'requests per second', unit: 'count', lines: [['rps', 's1', 'completed']] },
  { title: 'p99 response', unit: 's', lines: [['p99', 's1', 'p99']] },
  { title: 'cores', unit: 'cores', lines: [['cores', 's1', 'target'], ['generator', 's2', 'generator']] },
];

function timelineChart(width) {
  const ticks = report.ticks, left = 0, top = 22, each = 96, gap = 16;
  const height = top + panels.length * (each + gap) + 14;
  const last = ticks[ticks.length - 1].at, first = ticks[0].at, step = (last - first) / (ticks.length - 1);
  const x = t => left + (t - first + step / 2) / (last - first + step) * (width - left);
  const root = svg('svg', { viewBox: `0 0 ${width} ${height}`, height, role: 'img', 'aria-label': 'Throughput, p99 and cores over the run' });
  phases(root, ticks, x, step, top, height - 18);
  panels.forEach((p, i) => panel(root, p, ticks, x, width, top + i * (each + gap) + 4, each));
  for (let i = 0; i < ticks.length; i += Math.ceil(ticks.length / Math.max(2, width / 90))) {
    root.append(svg('text', { x: x(ticks[i].at), y: height - 3, 'text-anchor': 'middle' }, brief(ticks[i].at, 's')));
  }
  const cursor = svg('line', { class: 'cursor', y1: top, y2: height - 18, visibility: 'hidden' });
  const readout = svg('text', { class: 'strong', y: 12, x: width, 'text-anchor': 'end' });
  root.append(cursor, readout);
  root.addEventListener('pointermove', e => {
    const box = root.getBoundingClientRect();
    const at = first + (e.clientX - box.left) / box.width * (last - first + step) - step / 2;
    const t = ticks.reduce((a, b) => Math.abs(b.at - at) < Math.abs(a.at - at) ? b : a);
    cursor.setAttribute('x1', x(t.at));
    cursor.setAttribute('x2', x(t.at));
    cursor.setAttribute('visibility', 'visible');
    readout.textContent = `${brief(t.at, 's')}: ${digits(t.rps)} req/s, p99 ${figure(t.p99, 's')}, ${t.cores === null ? '~ cores' : figure(t.cores, 'cores')}` + (t.errors ? `, ${t.errors} errors` : '');
  });
  root.addEventListener('pointerleave', () => {
    cursor.setAttribute('visibility', 'hidden');
    readout.textContent = '';
  });
  document.getElementById('timeline-chart').replaceChildren(root);
}

// phases shades alternate stretches of the run and names each.
function phases(root, ticks, x, step, top, bottom) {
  let from = 0, end = -1;
  for (let i = 1; i <= ticks.length; i++) {
    if (i < ticks.length && ticks[i].phase === ticks[from].phase) continue;
    const a = x(ticks[from].at - step / 2), b = x(ticks[i - 1].at + step / 2), name = ticks[from].phase;
    root.append(svg('rect', { class: 'phase' + (name === 'window' ? ' window' : ''), x: a + 1, y: top - 4, width: Math.max(0, b - a - 2), height: bottom - top + 4, rx: 3 }));
    if (a > end) {
      root.append(svg('text', { x: a + 2, y: 12 }, name));
      end = a + name.length * 7.2 + 6;
    }
    from = i;
  }
}

function panel(root, p, ticks, x, width, top, height) {
  const bottom = top + height;
  const all = p.lines.flatMap(([key]) => ticks.map(t => t[key]).filter(v => v !== null));
  const peak = largest(all, 1e-12) * 1.08;
  const y = v => bottom - v / peak * (height - 20);
  root.append(svg('line', { class: 'axis', x1: 0, x2: width, y1: bottom, y2: bottom }));
  root.append(svg('text', { class: 'strong', x: 6, y: top + 12 }, p.title));
  root.append(svg('text', { x: width - 4, y: top + 12, 'text-anchor': 'end' }, all.length ? 'up to ' + figure(largest(all, 0), p.unit).replace(' cores', '') : '~'));
  let label = 6 + p.title.length * 6.6 + 14;
  for (const [key, series, name] of p.lines) {
    let d = '', pen = false;
    for (const t of ticks) {
      if (t[key] === null) { pen = false; continue; }
      d += `${pen ? 'L' : 'M'}${x(t.at).toFixed(1)},${y(t[key]).toFixed(1)}`;
      pen = true;
    }
    if (d) root.append(svg('path', { class: 'line ' + series, d }));
    if (p.lines.length > 1) {
      root.append(svg('text', { class: series.replace('s', 't'), x: label, y: top + 12 }, name));
      label += name.length * 6.4 + 12;
    }
  }
}

if (report.response) onResize(document.getElementById('latency-chart'), latencyChart);
if (report.ticks && report.ticks.length > 1) onResize(document.getElementById('timeline-chart'), timelineChart);
