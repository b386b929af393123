// Shared by the charts and the flame graph: figures as the text report prints them,
// and a short way to make elements.

const scales = {
  s: [[1e-9, ' ns'], [1e-6, ' µs'], [1e-3, ' ms'], [1, ' s']],
  B: [[1, ' B'], [1e3, ' kB'], [1e6, ' MB'], [1e9, ' GB'], [1e12, ' TB']],
  count: [[1, ''], [1e3, 'k'], [1e6, 'M'], [1e9, 'G'], [1e12, 'T']],
};

// scaleOf picks the largest unit in which v is at least 1.
function scaleOf(v, all) {
  const a = Math.abs(Number(v.toPrecision(3)));
  let best = all[0];
  if (a >= 1e15 && best[1] === '') return best; // digits says how much that is
  for (const s of all) if (a >= s[0] * (1 - 1e-12)) best = s;
  return best;
}

// digits prints three significant digits and no exponent.
function digits(v) {
  const a = Math.abs(Number(v.toPrecision(3)));
  if (a === 0) return '0';
  if (a < 1e-3) return v < 0 ? '>-0.001' : '<0.001';
  if (a >= 1e15) return v < 0 ? '<-999T' : '>999T';
  if (a >= 1e6) {
    const [by, suffix] = scaleOf(v, scales.count);
    return digits(v / by) + suffix;
  }
  if (a >= 100) return String(Math.round(v)).replace(/\B(?=(\d{3})+$)/g, ','); // toLocaleString loads the locales first, for some 10 ms
  return v.toFixed(a >= 10 ? 1 : a >= 1 ? 2 : 2 - Math.floor(Math.log10(a)));
}

// figure prints a value with its unit, scaled: figure(0.0921, 's') is "92.1 ms".
function figure(v, unit) {
  if (!Number.isFinite(v)) return '~';
  if (unit === 'count' && Number.isInteger(v) && Math.abs(v) < 1e4) return String(v);
  if (unit === 'cores' && v >= 0.001 && v < 1) return (v < 0.1 ? v.toPrecision(1) : v.toFixed(2)) + ' cores';
  const all = scales[unit || 'count'] || [[1, ' ' + unit]];
  if (v === 0) return '0' + (unit === 's' ? ' s' : all[0][1]);
  const [by, suffix] = scaleOf(v, all);
  return digits(v / by) + suffix;
}

function percent(v) {
  const p = v * 100, a = Math.abs(p);
  if (!Number.isFinite(p)) return '~';
  if (a === 0) return '0 %';
  if (a < 0.01) return '<0.01 %';
  return (a < 99.95 ? p.toFixed(a < 0.995 ? 2 : 1) : digits(p)) + ' %';
}

// largest and lowest loop: a call with as many arguments as a long run has seconds
// overflows the stack. What is not a number is skipped.
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
