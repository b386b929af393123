// A flame graph as columns: building, weighing, placing and drawing it. Nodes
// are in preorder, so the nodes below i are i+1 … end[i]-1.

const rowHeight = 21, smallest = 0.4; // CSS pixels; narrower nodes are skipped with all below them

// unpack inflates and reads one graph.
async function unpack(base64) {
  const bytes = Uint8Array.from(atob(base64), c => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Flame(JSON.parse(await new Response(stream).text()));
}

// shorten leaves out the import path: "net/http.(*conn).serve" is "http.(*conn).serve".
function shorten(name) {
  const stop = name.search(/[[(]/);
  return name.slice(name.slice(0, stop < 0 ? undefined : stop).lastIndexOf('/') + 1);
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
    this.raw = this.sum(new Set())[0];
    this.weigh(new Set());
  }

  get size() { return this.name.length; }

  sum(hidden) {
    const value = new Float64Array(this.size);
    for (let i = this.size - 1; i >= 0; i--) {
      if (!hidden.has(this.side[i])) value[i] += this.self[i];
      if (i > 0) value[this.parent[i]] += value[i];
    }
    return value;
  }

  // weigh sets value and start of every node, without the hidden sides.
  weigh(hidden) {
    this.hidden = hidden;
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
      c.fillStyle = hit ? p.match[id & 3] : (p[flame.side[i]] || p.q)[id & 3];
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
