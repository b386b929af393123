// All rounds of a comparison, one figure a metric: both arms of each round in the
// order of time, and after ÷ before of each with the floor and the interval.

function dotFigure(m) {
  const box = make('div', { class: 'chart' });
  const head = make('h3', {}, m.name + ' ', make('span', { class: `verdict-word ${m.verdict === '~' ? 'same' : m.verdict}-word` }, m.verdict === '~' ? '~' : m.verdict), make('span', { class: 'quiet' }, ' ' + m.change));
  onResize(box, width => box.replaceChildren(dotChart(m, width)));
  return make('figure', {}, head, box);
}

function dotChart(m, width) {
  const height = 168, split = Math.round(width * 0.56);
  const root = svg('svg', { viewBox: `0 0 ${width} ${height}`, height, role: 'img', 'aria-label': `${m.name}: ${m.before.length} rounds, ${m.change}` });
  timeDots(root, m, split - 26, height);
  ratioDots(root, m, split + 4, width, height);
  return root;
}

// timeDots draws both arms of each round beside each other, joined by a line.
function timeDots(root, m, right, height) {
  const left = 58, top = 12, bottom = height - 22, n = m.before.length;
  const all = [...m.before, ...m.after], most = largest(all, -Infinity), least = lowest(all, Infinity);
  const pad = (most - least) * 0.08 || Math.abs(most) * 0.05 || 1, lo = Math.max(0, least - pad), hi = most + pad;
  const y = v => bottom - (v - lo) / (hi - lo) * (bottom - top), step = (right - left) / n;
  for (const v of [lo, (lo + hi) / 2, hi]) {
    root.append(svg('line', { class: 'grid', x1: left, x2: right, y1: y(v), y2: y(v) }));
    root.append(svg('text', { x: left - 6, y: y(v) + 4, 'text-anchor': 'end' }, brief(v, m.unit === 'req/s' ? 'count' : m.unit === 'waiters' ? 'count' : m.unit)));
  }
  const gap = Math.min(5, step / 4), r = Math.max(1.8, Math.min(3.6, step / 5));
  m.before.forEach((before, i) => {
    const x = left + (i + 0.5) * step, after = m.after[i], same = m.same[i];
    root.append(svg('line', { class: 'pair', x1: x - gap, x2: x + gap, y1: y(before), y2: y(after) }));
    root.append(svg('circle', { class: same ? 'same-arm' : 'b', cx: x - gap, cy: y(before), r }));
    root.append(svg('circle', { class: same ? 'same-arm' : 'a', cx: x + gap, cy: y(after), r }));
  });
  root.append(svg('text', { x: (left + right) / 2, y: height - 5, 'text-anchor': 'middle' }, 'rounds'));
}

// ratioDots draws after ÷ before on a log axis.
function ratioDots(root, m, left, width, height) {
  const right = width - 8, top = 12, bottom = height - 22, n = m.before.length;
  const ratios = m.before.map((b, i) => m.after[i] / b);
  const drawn = ratios.concat(m.low, m.high).filter(r => r > 0 && Number.isFinite(r)).map(r => Math.abs(Math.log(r)));
  const far = largest(drawn, Math.max(0.02, m.floor === null ? 0 : Math.log1p(m.floor))) * 1.12;
  const x = r => (left + right) / 2 + Math.log(r) / far * (right - left) / 2;
  if (m.floor !== null) root.append(svg('rect', { class: 'floor', x: x(1 / (1 + m.floor)), width: Math.max(1, x(1 + m.floor) - x(1 / (1 + m.floor))), y: top - 4, height: bottom - top + 4 }));
  root.append(svg('line', { class: 'one', x1: x(1), x2: x(1), y1: top - 4, y2: bottom }));
  const rows = bottom - top - 26, r = Math.max(1.8, Math.min(3.4, rows / n / 2));
  ratios.forEach((ratio, i) => {
    if (!(ratio > 0) || !Number.isFinite(ratio)) return;
    root.append(svg('circle', { class: m.same[i] ? 'same-arm' : 'a', cx: x(ratio), cy: top + (i + 0.5) * rows / n, r }));
  });
  const bar = bottom - 10;
  if (m.low > 0 && m.high > 0) root.append(svg('line', { class: 'ci', x1: x(m.low), x2: x(m.high), y1: bar, y2: bar }));
  if (m.ratio > 0) root.append(svg('circle', { class: 'centre', cx: x(m.ratio), cy: bar, r: 4.5 }));
  root.append(svg('line', { class: 'axis', x1: left, x2: right, y1: bottom, y2: bottom }));
  const edge = Math.exp(far / 1.12), label = v => v >= 2 || v <= 0.5 ? '×' + digits(v) : `${v < 1 ? '−' : '+'}${Math.abs((v - 1) * 100).toFixed(Math.abs(v - 1) < 0.1 ? 1 : 0)} %`;
  root.append(svg('text', { x: x(1 / edge), y: height - 5, 'text-anchor': 'start' }, label(1 / edge)));
  root.append(svg('text', { x: x(1), y: height - 5, 'text-anchor': 'middle' }, edge >= 2 ? '×1' : '0 %'));
  root.append(svg('text', { x: x(edge), y: height - 5, 'text-anchor': 'end' }, label(edge)));
}

if (report.metrics && report.metrics.length) document.getElementById('dots').replaceChildren(...report.metrics.map(dotFigure));
