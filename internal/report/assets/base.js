// Shared by the charts and the flame graph: the data of the report, figures as
// the text report prints them, and a short way to make elements.

const report = JSON.parse(document.getElementById('report-data').textContent);

const scales = {
  s: [[1e-9, ' ns'], [1e-6, ' µs'], [1e-3, ' ms'], [1, ' s']],
  B: [[1, ' B'], [1e3, ' kB'], [1e6, ' MB'], [1e9, ' GB'], [1e12, ' TB']],
  count: [[1, ''], [1e3, 'k'], [1e6, 'M'], [1e9, 'G']],
};

// digits prints three significant digits.
function digits(v) {
  const a = Math.abs(v);
  if (a === 0) return '0';
  if (a >= 1e6 || a < 1e-4) return v.toPrecision(3);
  if (a >= 99.95) return String(Math.round(v));
  return v.toFixed(a >= 9.995 ? 1 : a >= 0.9995 ? 2 : 2 - Math.floor(Math.log10(a)));
}

// figure prints a value with its unit, scaled: figure(0.0921, 's') is "92.1 ms".
function figure(v, unit) {
  if (!Number.isFinite(v)) return '~';
  if (unit === 'count' && Number.isInteger(v) && Math.abs(v) < 1e4) return String(v);
  const all = scales[unit] || [[1, unit ? ' ' + unit : '']];
  if (v === 0) return '0' + (unit === 's' ? ' s' : all[0][1]);
  const a = Math.abs(Number(v.toPrecision(3)));
  let best = all[0];
  for (const s of all) if (a >= s[0] * (1 - 1e-12)) best = s;
  return digits(v / best[0]) + best[1];
}

function percent(v) {
  const p = v * 100, a = Math.abs(p);
  if (!Number.isFinite(p)) return '~';
  if (a === 0) return '0 %';
  if (a < 0.01) return '<0.01 %';
  return p.toFixed(a < 0.995 ? 2 : a < 99.95 ? 1 : 0) + ' %';
}

// largest and lowest loop: a call with as many arguments as a long run has seconds
// overflows the stack. What is no number is passed over.
function largest(values, from) {
  for (const v of values) if (v > from) from = v;
  return from;
}

function lowest(values, from) {
  for (const v of values) if (v < from) from = v;
  return from;
}

// make returns an HTML element; texts become text nodes, so names stay names.
function make(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

function svg(tag, attributes, ...children) {
  return fill(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [k, v] of Object.entries(attributes || {})) element.setAttribute(k, v);
  element.append(...children);
  return element;
}

// onResize calls draw with the width of an element, now and when it changes.
function onResize(element, draw) {
  let last = 0;
  new ResizeObserver(() => {
    const w = Math.floor(element.clientWidth);
    if (w > 0 && w !== last) draw(last = w);
  }).observe(element);
}
