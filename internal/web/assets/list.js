// The table of runs. Rows are made when they come into view: two thousand at once take longer than a reader waits.

import { figure, make } from './base.js';

const first = 60, more = 200;
const when = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });
const whole = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'long' });

// link is the address of the page of a row; "" where there is none.
export function link(row) {
  if (row.kind === 'run') return row.state === 'unreadable' ? '' : '/run/' + row.path.split('/').map(encodeURIComponent).join('/');
  return row.state === 'whole' ? '/experiment/' + row.path.split('/').map(encodeURIComponent).join('/') : '';
}

export class List {
  constructor(table, on) {
    this.body = table.tBodies[0];
    this.on = on;
    this.rows = [];
    this.at = -1;
    this.end = document.getElementById('more');
    new IntersectionObserver(seen => seen.some(s => s.isIntersecting) && this.draw(more), { rootMargin: '800px' }).observe(this.end);
    this.body.addEventListener('click', e => this.click(e));
  }

  // show replaces the rows; what the cursor was at stays so when it is still there.
  show(rows, notes, chosen) {
    const at = this.path(), drawn = Math.max(first, Math.min(this.body.rows.length, rows.length));
    Object.assign(this, { rows, notes, chosen: new Set(chosen) });
    this.body.replaceChildren();
    this.draw(drawn);
    this.at = at ? rows.findIndex(r => r.path === at) : -1;
    this.mark();
  }

  draw(n) {
    const from = this.body.rows.length, part = this.rows.slice(from, from + n);
    if (part.length) this.body.append(...part.map(r => this.row(r)));
  }

  row(r) {
    const m = r.metrics || {}, at = link(r), name = r.path.slice(r.path.lastIndexOf('/') + 1);
    const box = make('input', { type: 'checkbox', 'aria-label': `choose ${r.path}` });
    box.checked = this.chosen.has(r.path);
    box.disabled = r.kind !== 'run' || !at;
    const started = new Date(r.started), known = started.getUTCFullYear() > 1;
    const row = make('tr', { 'data-path': r.path, class: r.state === 'whole' || Object.keys(m).length ? '' : 'without' },
      make('td', {}, box),
      make('td', { class: r.parent ? 'child' : '', title: r.path }, at ? make('a', { href: at }, name) : name),
      make('td', { title: known ? whole.format(started) : '' }, known ? when.format(started) : '~'),
      make('td', { class: 'of-service', title: r.service || '' }, r.kind !== 'run' ? make('span', { class: 'quiet' }, r.kind) : r.service ? make('button', { type: 'button', 'data-service': r.service }, short(r.service)) : ''),
      make('td', { class: 'revision', title: r.revision || '' }, r.revision || ''),
      make('td', { class: 'load', title: r.load || '' }, r.load || ''),
      this.verdict(r),
      ...[['throughput', 'req/s'], ['p99', 's'], ['cpu_per_request', 's'], ['bytes_per_request', 'B']].map(([k, unit]) => make('td', { class: 'figure' }, k in m ? figure(m[k], unit) : '~')),
      this.words(r));
    return row;
  }

  // verdict is the limit and the first finding, or what is wrong with the run.
  verdict(r) {
    const f = (r.findings || [])[0];
    if (r.state !== 'whole') return make('td', { class: 'broken', colspan: Object.keys(r.metrics || {}).length ? 1 : 4, title: r.why || '' }, make('span', { class: 'state ' + r.state }, r.state), make('span', { class: 'quiet' }, ' ' + (r.why || '')));
    if (r.kind !== 'run') return make('td', { title: r.outcome || '' }, r.outcome || '');
    return make('td', { title: f ? f.title : r.why || '' }, make('span', { class: 'limit ' + (r.limit || 'unknown') }, r.limit || '~'), make('span', { class: 'quiet' }, f ? ' ' + f.title : r.why ? ' ' + r.why : ''));
  }

  words(r) {
    const n = this.notes[r.path];
    const cell = make('td', { title: n && n.text || '' });
    if (n) {
      for (const tag of n.tags || []) cell.append(make('button', { type: 'button', class: 'tag', 'data-tag': tag }, tag));
      if (n.text) cell.append(make('span', { class: 'note-mark' }, ' ' + n.text));
    } else cell.append(make('button', { type: 'button', class: 'add', 'data-note': '' }, 'note'));
    return cell;
  }

  click(e) {
    const row = e.target.closest('tr'), path = row && row.dataset.path;
    if (!path || e.target.closest('a')) return;
    this.at = this.rows.findIndex(r => r.path === path);
    this.mark();
    if (e.target.matches('input')) return this.choose();
    if (e.target.dataset.service !== undefined) return this.on.service(e.target.dataset.service);
    if (e.target.dataset.tag !== undefined) return this.on.tag(e.target.dataset.tag);
    if (e.target.closest('[data-note], .note-mark')) return this.on.note(path);
    if (getSelection().isCollapsed && !e.target.matches('td:first-child')) this.open();
  }

  path() { return this.rows[this.at] ? this.rows[this.at].path : ''; }

  move(by) {
    this.at = Math.max(0, Math.min(this.rows.length - 1, this.at + by));
    if (this.at >= this.body.rows.length) this.draw(more);
    this.mark();
    const row = this.body.rows[this.at];
    if (row) row.scrollIntoView({ block: 'nearest' });
  }

  mark() {
    for (const was of this.body.querySelectorAll('.at')) was.classList.remove('at');
    const row = this.body.rows[this.at];
    if (row) row.classList.add('at');
  }

  choose() {
    const r = this.rows[this.at];
    if (!r || r.kind !== 'run' || !link(r)) return;
    if (!this.chosen.delete(r.path)) this.chosen.add(r.path);
    this.on.chosen([...this.chosen]);
  }

  open() {
    const at = this.rows[this.at] && link(this.rows[this.at]);
    if (at) location.href = at;
  }
}

// short leaves out the path of the module but for its last element.
function short(service) {
  const [module, ...rest] = service.split(' ');
  return [module.slice(module.lastIndexOf('/') + 1), ...rest].join(' ');
}
