// A flame graph as columns: building, weighing, placing and drawing it. Nodes
// are in preorder, so the nodes below i are i+1 … end[i]-1.

const rowHeight = 21, smallest = 0.4; // CSS pixels; narrower nodes are skipped with all below them

// unpack inflates and reads one graph.
async function unpack(base64) {
  const bytes = Uint8Array.from(atob(base64), c => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Flame(JSON.parse(await new Response(stream).text()));
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

class Flame {
  constructor(raw) {
    const n = raw.name.length;
    this.unit = raw.unit;
    this.names = raw.names;
    this.places = raw.places;
    this.short = raw.names.map(shorten);
    this.name = Int32Array.from(raw.name);
    this.depth = Int32Array.from(raw.depth);
    this.self = Float64Array.from(raw.self);
    this.side = raw.side;
    this.parent = new Int32Array(n).fill(-1);
    this.end = new Int32Array(n).fill(n);
    const path = [];
    for (let i = 0; i < n; i++) {
      const d = this.depth[i];
      while (path.length > d) this.end[path.pop()] = i;
      if (d > 0) this.parent[i] = path[d - 1];
      path.push(i);
    }
    // A differential graph has both arms: own values before and after.
    this.both = raw.before ? [Float64Array.from(raw.before), this.self] : null;
    this.unscaled = this.both;
    this.raw = this.sum(new Set())[0];
    this.weigh(new Set());
    this.shape = '/both/'; // hidden sides, width and unit that it was weighed for
  }

  get size() { return this.name.length; }

  // scale multiplies each arm: by its requests per second, or by 1.
  scale(before, after) {
    this.both = this.unscaled.map((own, arm) => own.map(v => v * (arm ? after : before)));
    this.raw = this.sum(new Set(), this.both[1])[0];
  }

  sum(hidden, own = this.self) {
    const value = new Float64Array(this.size);
    for (let i = this.size - 1; i >= 0; i--) {
      if (!hidden.has(this.side[i])) value[i] += own[i];
      if (i > 0) value[this.parent[i]] += value[i];
    }
    return value;
  }

  // weigh sets value and start of every node, without the hidden sides. The width
  // of a differential graph is that of one arm, or of the larger own value of both,
  // in which nothing vanishes that only one of them has.
  weigh(hidden, width = 'both') {
    this.hidden = hidden;
    if (this.both) {
      this.arms = this.both.map(own => this.sum(hidden, own));
      this.self = { before: this.both[0], after: this.both[1] }[width] || this.both[0].map((v, i) => Math.max(v, this.both[1][i]));
    }
    this.value = this.sum(hidden);
    this.start = new Float64Array(this.size);
    const next = [0];
    for (let i = 0; i < this.size; i++) {
      const d = this.depth[i];
      this.start[i] = next[d];
      next[d] += this.value[i];
      next[d + 1] = this.start[i];
    }
  }

  // own is what a node holds itself, as far as its side is shown.
  own(i) { return this.hidden.has(this.side[i]) ? 0 : this.self[i]; }

  // change is between -1 (much less after) and 1 (much more). A change counts by
  // its part of the node, full from a quarter, and of the whole, full from a twentieth:
  // small nodes differ by chance.
  change(i) {
    const [before, after] = [this.arms[0][i], this.arms[1][i]], most = Math.max(before, after);
    const whole = Math.max(this.arms[0][0], this.arms[1][0]);
    if (!(most > 0)) return 0;
    return Math.sign(after - before) * Math.min(1, Math.abs(after - before) / most / 0.25) * Math.sqrt(Math.min(1, Math.abs(after - before) / whole / 0.05));
  }

  // movers lists names by how much what they hold themselves changed below root:
  // [name, before, after].
  movers(root, n) {
    const own = new Map();
    for (let i = root; i < this.end[root]; i++) {
      if (this.hidden.has(this.side[i])) continue;
      const sum = own.get(this.name[i]) || [0, 0];
      own.set(this.name[i], [sum[0] + this.both[0][i], sum[1] + this.both[1][i]]);
    }
    return [...own].map(([id, [before, after]]) => [id, before, after]).filter(m => m[1] !== m[2])
      .sort((a, b) => Math.abs(b[2] - b[1]) - Math.abs(a[2] - a[1])).slice(0, n);
  }

  ancestors(i) {
    const out = [];
    for (let p = i; p >= 0; p = this.parent[p]) out.unshift(p);
    return out;
  }

  // find marks the names that contain a text, in any case.
  find(text) {
    if (!text) return null;
    const want = text.toLowerCase();
    return this.names.map(n => n.toLowerCase().includes(want));
  }

  // matched sums the topmost matching nodes below and including root.
  matched(hits, root) {
    let total = 0;
    for (let i = root; i < this.end[root];) {
      if (hits[this.name[i]]) {
        total += this.value[i];
        i = this.end[i];
      } else i++;
    }
    return total;
  }

  // layout returns what can be seen of the nodes below root, one list a row:
  // {i, x, w} in CSS pixels. Above root are its callers, as wide as the view.
  layout(root, width) {
    const above = this.ancestors(root), rows = above.map(i => [{ i, x: 0, w: width }]);
    const k = width / this.value[root], origin = this.start[root];
    if (!(this.value[root] > 0)) return rows;
    for (let i = root + 1; i < this.end[root];) {
      const w = this.value[i] * k;
      if (w < smallest) {
        i = this.end[i];
        continue;
      }
      const d = this.depth[i];
      (rows[d] ||= []).push({ i, x: (this.start[i] - origin) * k, w });
      i++;
    }
    return rows;
  }

  // heaviest lists names by what they hold themselves below root.
  heaviest(root, n) {
    const own = new Map();
    for (let i = root; i < this.end[root]; i++) {
      const v = this.own(i);
      if (v > 0) own.set(this.name[i], (own.get(this.name[i]) || 0) + v);
    }
    return [...own].sort((a, b) => b[1] - a[1]).slice(0, n);
  }
}

// palette reads the colours of the page's scheme: four shades a side.
function palette() {
  const css = getComputedStyle(document.documentElement);
  const shades = name => {
    const [h, s, l] = css.getPropertyValue(name).trim().split(/\s+/).map(parseFloat);
    return [-3, 0, 3, 6].map(d => `hsl(${h + d} ${s}% ${l + d}%)`);
  };
  return {
    q: shades('--side-q'), b: shades('--side-b'), r: shades('--side-r'), o: shades('--side-o'), match: shades('--match'),
    change: t => {
      const [h, s, l] = css.getPropertyValue(t < 0 ? '--less' : '--more').trim().split(/\s+/).map(parseFloat);
      const [s0, l0] = css.getPropertyValue('--unchanged').trim().split(/\s+/).map(parseFloat), k = Math.abs(t);
      return `hsl(${h} ${s0 + (s - s0) * k}% ${l0 + (l - l0) * k}%)`;
    },
    ink: css.getPropertyValue('--node-ink').trim(), accent: css.getPropertyValue('--ink').trim(),
    font: `12px ${css.getPropertyValue('--mono')}`,
  };
}

// paint draws rows on a canvas and returns how many nodes it drew.
function paint(canvas, flame, rows, width, view) {
  const tallest = Math.floor(16000 / devicePixelRatio / rowHeight); // browsers draw nothing beyond 32767 pixels
  const shown = rows.slice(0, tallest), scale = devicePixelRatio || 1, height = Math.max(1, shown.length) * rowHeight;
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  canvas.style.height = height + 'px';
  const c = canvas.getContext('2d'), p = palette();
  c.scale(scale, scale);
  c.font = p.font;
  c.textBaseline = 'middle';
  const letter = c.measureText('m').width;
  let drawn = 0;
  shown.forEach((row, d) => {
    for (const { i, x, w } of row) {
      const id = flame.name[i], hit = view.hits && view.hits[id];
      c.globalAlpha = (d < view.above ? 0.55 : 1) * (view.hits && !hit ? 0.35 : 1);
      c.fillStyle = hit ? p.match[id & 3] : flame.both ? p.change(flame.change(i)) : (p[flame.side[i]] || p.q)[id & 3];
      c.fillRect(x, d * rowHeight, Math.max(w - (w > 3 ? 1 : 0), smallest), rowHeight - 1);
      const room = Math.floor((w - 8) / letter);
      if (room >= 3) {
        const text = flame.short[id];
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
