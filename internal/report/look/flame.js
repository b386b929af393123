// A flame graph as columns: reading, weighing, placing and drawing it. Nodes are in preorder: those below i follow it, and are deeper.
// A graph of 183,000 nodes is to be there within a blink of opening the page: what only a zoom or a search asks for is made when one does,
// once, and a zoom passes over what is below a node that is too narrow instead of walking it.

const rowHeight = 21, smallest = 1; // CSS pixels; narrower nodes are drawn as one bar with their neighbours, and nothing below them

// unpack inflates and reads one graph.
async function unpack(base64) {
  // Of a Response, because a Blob is handed to another process of the browser and read back from there.
  const stream = new Response(decoded(base64)).body.pipeThrough(new DecompressionStream('gzip'));
  return read(await new Response(stream).arrayBuffer());
}

// decoded is what base64 stands for; browsers before 2025 have no call for it.
function decoded(base64) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(base64);
  const text = atob(base64), bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

// read takes the columns out of a buffer. It begins with a line of JSON that says what stands behind it (package report, columns.go).
function read(buffer) {
  const bytes = new Uint8Array(buffer), line = bytes.indexOf(10) + 1;
  const head = JSON.parse(new TextDecoder().decode(bytes.subarray(0, line))), n = head.nodes;
  let at = line;
  const column = Type => {
    const out = new Type(buffer, at, n);
    at += out.byteLength;
    return out;
  };
  const whole = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array };
  head.self = column(Float32Array);
  head.before = head.both ? column(Float32Array) : null;
  for (const c of head.order) head[c] = column(whole[head.width[c]]);
  return new Flame(head);
}

// shorten leaves out the import path and type arguments: "net/http.(*conn).serve" is
// "http.(*conn).serve", "a/b.(*Map[go.shape.[]uint8]).Get" is "b.(*Map[...]).Get".
function shorten(name) {
  const stop = name.search(/[[(]/), short = name.slice(name.slice(0, stop < 0 ? undefined : stop).lastIndexOf('/') + 1);
  let out = '', depth = 0, open = 0;
  for (let i = 0; i < short.length; i++) {
    if (short[i] === '[' && depth++ === 0) open = i;
    else if (short[i] === ']' && depth > 0) { if (--depth === 0) out += '[...]'; }
    else if (depth === 0) out += short[i];
  }
  return depth ? out + short.slice(open) : out;
}

// sides are those of a node, by the letter that stands in the address; a column holds their numbers.
const sides = 'qbro';

class Flame {
  constructor(columns) {
    this.unit = columns.unit;
    this.names = columns.names;
    this.places = columns.places;
    this.shorts = [];
    this.lower = null; // names in small letters, once they are searched
    this.size = columns.nodes;
    this.name = columns.name;
    this.depth = columns.depth;
    this.side = columns.side;
    this.self = columns.self;
    // A differential graph has both arms: own values before and after.
    this.both = columns.before ? [columns.before, columns.self] : null;
    this.unscaled = this.both;
    this.deepest = columns.deepest ?? largest(this.depth, 0);
    this.bySide = new Map(); // by column, what total summed
    this.raw = this.total('');
    this.behind = null; // what ends found
    this.asked = null; // the last text that was looked for
    this.shape = ''; // hidden sides, width and unit that it was weighed for
  }

  short(id) { return this.shorts[id] ??= shorten(this.names[id]); }

  // scale multiplies each arm: by its requests per second, or by 1.
  scale(before, after) {
    this.both = this.unscaled.map((own, arm) => own.map(v => v * (arm ? after : before)));
    this.bySide.clear();
    this.raw = this.total('', this.both[1]);
  }

  // total is what all nodes hold but for those of hidden sides. Each zoom asks for it, so what the sides hold is kept.
  total(hidden, own = this.self) {
    let held = this.bySide.get(own);
    if (!held) {
      this.bySide.set(own, held = new Float64Array(sides.length));
      for (let i = 0; i < own.length; i++) held[this.side[i]] += own[i];
    }
    return this.shown(hidden).reduce((out, shown, side) => out + shown * held[side], 0);
  }

  // shown is 1 for the number of each side that is not hidden, 0 for others.
  shown(hidden) { return Float64Array.from(sides, s => hidden.includes(s) ? 0 : 1); }

  // sum adds up what nodes hold from the leaves: those of one depth that no node above them has taken are in below.
  sum(hidden, own = this.self) {
    const value = new Float64Array(this.size), below = new Float64Array(this.deepest + 2), shown = this.shown(hidden);
    for (let i = this.size - 1; i >= 0; i--) {
      const d = this.depth[i], v = own[i] * shown[this.side[i]] + below[d + 1];
      value[i] = v;
      below[d + 1] = 0;
      below[d] += v;
    }
    return value;
  }

  // weigh sets the value of every node, without the hidden sides. The width
  // of a differential graph is that of one arm, or of the larger own value of both,
  // in which nothing vanishes that only one of them has.
  weigh(hidden, width = 'both') {
    this.hidden = hidden;
    this.visible = this.shown(hidden);
    if (this.both) {
      this.arms = this.both.map(own => this.sum(hidden, own));
      this.self = { before: this.both[0], after: this.both[1] }[width] || this.both[0].map((v, i) => Math.max(v, this.both[1][i]));
    }
    this.value = this.sum(hidden);
    this.all = new Map(); // by column, what byName summed over the whole graph
    this.found = null; // what is known of the last search
  }

  // own is what a node holds itself, as far as its side is shown.
  own(i, of = this.self) { return of[i] * this.visible[this.side[i]]; }

  // ends has of each node the first one behind it that is not below it. From the last node back, those below i follow one another by their
  // own ends, so that each is passed once.
  get ends() {
    if (this.behind) return this.behind;
    const { depth, size } = this, out = this.behind = new Uint32Array(size);
    for (let i = size - 1; i >= 0; i--) {
      const d = depth[i];
      let j = i + 1;
      while (j < size && depth[j] > d) j = out[j];
      out[i] = j;
    }
    return out;
  }

  // parent is the node above i, −1 of the root.
  parent(i) {
    const d = this.depth[i];
    while (--i >= 0 && this.depth[i] >= d);
    return i;
  }

  // change is between -1 (much less after) and 1 (much more). A change counts by
  // its part of the node, full from a quarter, and of the whole, full from a twentieth:
  // small nodes differ by chance.
  change(i) {
    const [before, after] = [this.arms[0][i], this.arms[1][i]], most = Math.max(before, after);
    const whole = Math.max(this.arms[0][0], this.arms[1][0]);
    if (!(most > 0)) return 0;
    return Math.sign(after - before) * Math.min(1, Math.abs(after - before) / most / 0.25) * Math.sqrt(Math.min(1, Math.abs(after - before) / whole / 0.05));
  }

  // byName sums what nodes below root hold themselves, by the number of their name. That of the whole graph, to which a zoom goes
  // back, is kept.
  byName(root, of = this.self) {
    const kept = root === 0 && this.all.get(of);
    if (kept) return kept;
    const out = new Float64Array(this.names.length), { name, side, visible } = this;
    for (let i = root, end = this.ends[root]; i < end; i++) out[name[i]] += of[i] * visible[side[i]];
    if (root === 0) this.all.set(of, out);
    return out;
  }

  // movers lists names by how much what they hold themselves changed below root:
  // [name, before, after].
  movers(root, n) {
    const [before, after] = this.both.map(own => this.byName(root, own));
    return most(after.map((v, id) => Math.abs(v - before[id])), n).map(id => [id, before[id], after[id]]);
  }

  // heaviest lists names by what they hold themselves below root: [name, own].
  heaviest(root, n) {
    const own = this.byName(root);
    return most(own, n).map(id => [id, own[id]]);
  }

  ancestors(i) {
    const out = [];
    for (let p = i; p >= 0; p = this.parent(p)) out.unshift(p);
    return out;
  }

  // find marks the names that contain a text, in any case; 1 is a hit.
  find(text) {
    if (!text) return null;
    this.lower ||= this.names.map(n => n.toLowerCase());
    const want = text.toLowerCase();
    if (this.asked?.want !== want) this.asked = { want, hits: Uint8Array.from(this.lower, n => n.includes(want) ? 1 : 0) };
    return this.asked.hits;
  }

  // search is what is known of the hits below all nodes: how many that have a value stand before each, and the matches of the whole graph.
  search(hits) {
    if (this.found?.hits === hits) return this.found;
    const { name, value, size } = this, before = new Uint32Array(size + 1);
    for (let i = 0; i < size; i++) before[i + 1] = before[i] + (hits[name[i]] && value[i] > 0 ? 1 : 0);
    return this.found = { hits, before, all: null };
  }

  // matches tells what the hits come to below and including root, also where nothing is drawn: the total, with each stack counted once, and
  // [name, value] of each name, the largest first; a stack counts once for a name however often that is on it.
  matches(hits, root) {
    const kept = this.search(hits);
    if (root === 0 && kept.all) return kept.all;
    const by = new Float64Array(this.names.length), until = new Int32Array(this.names.length), { ends } = this, end = ends[root];
    let total = 0, counted = 0;
    for (let i = root; i < end; i++) {
      const id = this.name[i];
      if (!hits[id]) continue;
      const v = this.value[i];
      if (i >= counted && v > 0) {
        total += v;
        counted = ends[i];
      }
      if (i >= until[id]) {
        by[id] += v;
        until[id] = ends[i];
      }
    }
    const out = { total, names: most(by, Infinity).map(id => [id, by[id]]) };
    if (root === 0) kept.all = out;
    return out;
  }

  // around tells what calls a name below and including root, and what that calls: [name, value] each, the largest first. A stack counts
  // once for each, and what a name calls itself is neither.
  around(id, root) {
    const callers = new Float64Array(this.names.length), callees = new Float64Array(this.names.length), until = new Int32Array(this.names.length);
    const path = this.ancestors(root), { ends } = this, end = ends[root];
    let counted = 0;
    for (let i = root; i < end; i++) {
      const d = this.depth[i], name = this.name[i], above = d > 0 ? this.name[path[d - 1]] : -1;
      path[d] = i;
      if (name === id) {
        if (i >= counted && above >= 0) callers[above] += this.value[i];
        if (i >= counted) counted = ends[i];
      } else if (above === id && i > root && i >= until[name]) {
        callees[name] += this.value[i];
        until[name] = ends[i];
      }
    }
    return [callers, callees].map(of => most(of, 8).map(n => [n, of[n]]));
  }

  // layout returns what can be seen of the nodes below root, one list a row: {i, x, w} in CSS pixels. Neighbours that are each too narrow
  // are one bar in the list rest: {d, x, w, i} with its first node, and hit where a name that is searched for is in it. Above root are its
  // callers, as wide as the view.
  layout(root, width, hits) {
    const rows = this.ancestors(root).map(i => [{ i, x: 0, w: width }]), rest = [];
    if (!(this.value[root] > 0)) return { rows, rest };
    const { value, depth, ends } = this, before = hits && this.search(hits).before, end = ends[root], k = width / value[root], next = new Float64Array(this.deepest + 2);
    const bars = []; // the last bar of each depth
    for (let i = root + 1; i < end;) {
      const d = depth[i], x = next[d], w = value[i] * k;
      next[d] += w;
      if (w >= smallest) {
        next[d + 1] = x;
        (rows[d] ||= []).push({ i, x, w });
        i++;
        continue;
      }
      let bar = bars[d];
      if (w > 0 && (!bar || bar.x + bar.w < x)) rest.push(bar = bars[d] = { d, x, w: 0, i, hit: false });
      if (w > 0) bar.w = x + w - bar.x;
      if (w > 0 && hits && before[ends[i]] > before[i]) bar.hit = true;
      i = ends[i];
    }
    return { rows, rest };
  }
}

// Outline is the part of a large graph that is wide enough to be seen at first. It says of the graph what the whole one would.
class Outline extends Flame {
  constructor(columns) {
    super(columns);
    this.weigh('');
    Object.assign(this, { size: columns.told.nodes, hidden: columns.told.hidden, raw: columns.told.raw, first: columns.told.heaviest });
    this.value[0] = columns.told.total;
  }

  heaviest() { return this.first; }
}

// most lists the numbers of the n largest values above 0, the largest first.
function most(values, n) {
  const out = [];
  for (let i = 0; i < values.length; i++) {
    const v = values[i];
    if (!(v > 0) || out.length >= n && v <= values[out[out.length - 1]]) continue;
    if (n === Infinity) { out.push(i); continue; }
    let at = out.length;
    while (at > 0 && values[out[at - 1]] < v) at--;
    out.splice(at, 0, i);
    if (out.length > n) out.pop();
  }
  return n === Infinity ? out.sort((a, b) => values[b] - values[a]) : out;
}

// palette has the colours of the page's scheme: four shades a side. To read them has the browser work out the style of what has just
// changed on the page, so they are read once for each scheme.
function palette() {
  const scheme = matchMedia('(prefers-color-scheme: dark)').matches;
  return palettes[scheme] ||= readPalette();
}

const palettes = {};

function readPalette() {
  const css = getComputedStyle(document.documentElement);
  const shades = name => {
    const [h, s, l] = numbers(name);
    return [-3, 0, 3, 6].map(d => `hsl(${h + d} ${s}% ${l + d}%)`);
  };
  const numbers = name => css.getPropertyValue(name).trim().split(/\s+/).map(parseFloat);
  const less = numbers('--less'), more = numbers('--more'), [s0, l0] = numbers('--unchanged');
  return {
    sides: Array.from(sides, s => shades('--side-' + s)), match: shades('--match'),
    change: t => {
      const [h, s, l] = t < 0 ? less : more, k = Math.abs(t);
      return `hsl(${h} ${s0 + (s - s0) * k}% ${l0 + (l - l0) * k}%)`;
    },
    ink: css.getPropertyValue('--node-ink').trim(), accent: css.getPropertyValue('--ink').trim(),
    font: `12px ${css.getPropertyValue('--mono')}`,
  };
}

// paint draws a layout on a canvas and returns how many nodes it drew.
function paint(canvas, flame, { rows, rest }, width, view) {
  const tallest = Math.floor(16000 / devicePixelRatio / rowHeight); // browsers draw nothing beyond 32767 pixels
  const deepest = largest(rest.map(r => r.d + 1), rows.length), shown = Array.from({ length: Math.min(tallest, deepest) }, (_, d) => rows[d] || []), scale = devicePixelRatio || 1, height = Math.max(1, shown.length) * rowHeight;
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  canvas.style.height = height + 'px';
  const c = canvas.getContext('2d'), p = palette();
  c.scale(scale, scale);
  c.font = p.font;
  c.textBaseline = 'middle';
  const letter = c.measureText('m').width;
  for (const { d, x, w, i, hit } of rest) {
    if (d >= shown.length) continue;
    c.globalAlpha = hit ? 1 : view.hits ? 0.15 : 0.4;
    c.fillStyle = hit ? p.match[0] : flame.both ? p.change(0) : p.sides[flame.side[i]][0];
    c.fillRect(x, d * rowHeight, hit ? Math.max(w, 2) : w, rowHeight - 1);
  }
  let drawn = 0;
  shown.forEach((row, d) => {
    for (const { i, x, w } of row) {
      const id = flame.name[i], hit = view.hits && view.hits[id];
      c.globalAlpha = (d < view.above ? 0.55 : 1) * (view.hits && !hit ? 0.35 : 1);
      c.fillStyle = hit ? p.match[id & 3] : flame.both ? p.change(flame.change(i)) : p.sides[flame.side[i]][id & 3];
      c.fillRect(x, d * rowHeight, w - (w > 3 ? 1 : 0), rowHeight - 1);
      const room = Math.floor((w - 8) / letter);
      if (room >= 3) {
        const text = flame.short(id);
        c.globalAlpha = view.hits && !hit ? 0.6 : 1;
        c.fillStyle = p.ink;
        c.fillText(text.length > room ? text.slice(0, room - 1) + '…' : text, x + 4, d * rowHeight + rowHeight / 2);
      }
      if (i === view.selected) {
        c.globalAlpha = 1;
        c.strokeStyle = p.accent;
        c.lineWidth = 2;
        c.strokeRect(x + 1, d * rowHeight + 1, Math.max(w - 3, 1), rowHeight - 3);
      }
      drawn++;
    }
  });
  return drawn;
}
