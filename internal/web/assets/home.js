// The first page: which runs there are. Its whole state is in the address, so that a link shows what its sender saw:
// ?service=shop&function=Cache&text=release&state=whole&speed=measured&run=a&run=b

import { make } from './base.js';
import { List } from './list.js';
import { showSeries } from './series.js';

const field = id => document.getElementById(id);
const filters = ['service', 'function', 'text', 'state'];
let answer = { rows: [], all: 0, notes: {}, services: [] };
let asked = 0;

function readState() {
  const p = new URLSearchParams(location.search);
  return { ...Object.fromEntries(filters.map(f => [f, p.get(f) || ''])), speed: p.get('speed') === 'measured' ? 'measured' : '', chosen: p.getAll('run') };
}

// go changes the state through the address. Typing replaces, a choice makes an entry, so that "back" takes it back.
function go(change, replace) {
  const s = { ...readState(), ...change }, p = new URLSearchParams();
  for (const f of filters) if (s[f]) p.set(f, s[f]);
  if (s.speed) p.set('speed', s.speed);
  for (const path of s.chosen) p.append('run', path);
  const to = location.pathname + (String(p) && '?' + p);
  history[replace ? 'replaceState' : 'pushState'](null, '', to);
  show('function' in change);
}

const list = new List(document.getElementById('list'), {
  chosen: paths => go({ chosen: paths }, true),
  note: openNote,
  tag: tag => go({ text: tag }),
  service: name => go({ service: name }),
});

// load asks for the rows; of several answers under way only the last counts.
async function load() {
  const mine = ++asked, s = readState(), began = performance.now();
  try {
    const response = await fetch('/api/runs?' + new URLSearchParams(s.function ? { function: s.function } : {}));
    const got = await response.json();
    if (mine !== asked) return;
    if (!response.ok) throw new Error(got.error);
    const going = got.rows.filter(r => r.path.endsWith('.partial') && (got.live || []).includes(r.path)); // which has nothing to read yet, and is told above
    got.rows = got.rows.filter(r => !going.includes(r));
    got.all -= going.length;
    answer = got;
    show(false);
    notices(got.notices || [], got.live || []);
    document.getElementById('list').getBoundingClientRect(); // laid out, which is part of the time
    document.body.dataset.ms = Math.round(performance.now() - began);
  } catch (e) {
    if (mine === asked) notices([{ message: `The list could not be read: ${e.message}`, cure: 'Is unpark ui still running?' }]);
  }
}

function notices(all, live = []) {
  field('notices').replaceChildren(...live.map(path => make('aside', { class: 'banner going', role: 'status' }, make('b', {}, 'Under way'), make('a', { href: '/live/' + path.split('/').map(encodeURIComponent).join('/') }, path.replace(/\.partial$/, '')))), ...all.map(n => make('aside', { class: 'banner caution', role: 'status' }, make('b', {}, 'Note'), make('span', {}, n.message + ' ', make('span', { class: 'cure' }, n.cure || '')))));
}

// matches reports whether a row has all words of the text somewhere.
function matches(row, words) {
  const note = answer.notes[row.path] || {};
  const text = [row.path, row.service, row.load, row.limit, row.why, row.outcome, row.revision, row.kind, note.text, ...note.tags || [], ...(row.findings || []).map(f => f.title)].join(' ').toLowerCase();
  return words.every(w => text.includes(w));
}

function show(anew) {
  const s = readState();
  for (const f of filters) if (document.activeElement !== field(f) || f === 'service' || f === 'state') fillField(f, s[f]);
  if (anew) return load();
  const words = s.text.toLowerCase().split(/\s+/).filter(Boolean);
  const rows = answer.rows.filter(r => (!s.service || r.service === s.service) && (!s.state || r.state === s.state) && matches(r, words));
  document.body.classList.toggle('one-service', Boolean(s.service) || answer.services.length < 2);
  document.body.classList.toggle('no-revision', !rows.some(r => r.revision));
  field('root').textContent = answer.root || '';
  list.show(rows, answer.notes, s.chosen);
  const reading = answer.reading ? ` · reading ${answer.reading.done.toLocaleString('en')} of ${answer.reading.of.toLocaleString('en')}` : '';
  const of = rows.length === answer.all ? '' : ` of ${answer.all.toLocaleString('en')}`;
  field('count').textContent = `${rows.length.toLocaleString('en')}${of} ${answer.all === 1 ? 'run' : 'runs'}${reading}`;
  field('more').textContent = answer.all || answer.reading ? '' : 'There is no run here yet: unpark run writes into this folder.';
  const compare = field('compare');
  compare.disabled = s.chosen.length < 2;
  compare.textContent = s.chosen.length ? `compare ${s.chosen.length}` : 'compare';
  const service = s.service || (answer.services.length === 1 ? answer.services[0].name : '');
  showSeries(field('series'), service, s.speed, answer, { search: f => go({ function: f }), speed: how => go({ speed: how }) });
  document.body.dataset.rows = rows.length;
}

function fillField(f, value) {
  const at = field(f);
  if (f === 'service') {
    const names = answer.services.map(x => x.name);
    if (value && !names.includes(value)) names.push(value);
    const count = Object.fromEntries(answer.services.map(x => [x.name, x.runs]));
    at.replaceChildren(make('option', { value: '' }, 'all'), ...names.map(n => make('option', { value: n }, `${n} (${count[n] || 0})`)));
  }
  at.value = value;
}

// The note of a run, in a dialogue.
let noted = '';
function openNote(path) {
  const n = answer.notes[path] || {};
  noted = path;
  field('note-of').textContent = path;
  field('note-tags').value = (n.tags || []).join(', ');
  field('note-text').value = n.text || '';
  field('note-error').textContent = '';
  field('note').showModal();
}

async function saveNote() {
  const note = { tags: field('note-tags').value.split(','), text: field('note-text').value };
  const response = await fetch('/api/note', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ path: noted, note }) });
  if (!response.ok) field('note-error').textContent = (await response.json()).error;
  else {
    field('note').close();
    load();
  }
}

// take sends files, which become one run.
async function take(files) {
  if (!files.length) return;
  const form = new FormData();
  for (const f of files) form.append('file', f);
  field('count').textContent = `importing ${files.length === 1 ? files[0].name : files.length + ' files'}…`;
  try {
    const response = await fetch('/api/import', { method: 'POST', body: form }), got = await response.json();
    if (!response.ok) throw new Error(got.error);
    location.href = '/run/' + encodeURIComponent(got.path);
  } catch (e) {
    await load();
    notices([{ message: e.message, cure: '' }]);
  }
}

function compare() {
  const chosen = readState().chosen;
  if (chosen.length >= 2) location.href = '/compare?' + new URLSearchParams(chosen.map(p => ['run', p]));
}

function onKey(event) {
  const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName) && event.target.type !== 'checkbox';
  if (document.querySelector('dialog[open]') || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === 'Escape') {
    if (typing) event.target.blur();
    else go({ function: '', text: '', state: '', chosen: [] });
    return;
  }
  if (typing) return;
  const actions = {
    '/': () => field('function').select(), f: () => field('text').select(), s: () => field('service').focus(), '?': () => field('help').showModal(),
    j: () => list.move(1), k: () => list.move(-1), x: () => list.choose(), c: compare, n: () => list.path() && openNote(list.path()),
    Enter: () => event.target.tagName !== 'BUTTON' && event.target.tagName !== 'A' && list.open(),
  };
  if (actions[event.key]) {
    if (event.key !== 'Enter') event.preventDefault();
    actions[event.key]();
  }
}

let typed;
for (const f of ['function', 'text']) {
  field(f).addEventListener('input', () => {
    clearTimeout(typed);
    typed = setTimeout(() => go({ [f]: field(f).value }, true), f === 'function' ? 150 : 0);
  });
}
for (const f of ['service', 'state']) field(f).addEventListener('change', () => go({ [f]: field(f).value }));
field('compare').addEventListener('click', compare);
field('import').addEventListener('change', () => take([...field('import').files]));
addEventListener('dragover', e => e.preventDefault());
addEventListener('drop', e => {
  e.preventDefault();
  take([...e.dataTransfer.files]);
});
field('help-open').addEventListener('click', () => field('help').showModal());
field('note-save').addEventListener('click', saveNote);
field('note-cancel').addEventListener('click', () => field('note').close());
addEventListener('keydown', onKey);
addEventListener('popstate', () => show(true));

document.getElementById('list').load = load; // for tests
load();
// The server says when the list changed, also after it was away.
const events = new EventSource('/api/events');
events.addEventListener('runs', load);
let away = false;
events.addEventListener('error', () => { away = true; });
events.addEventListener('open', () => {
  if (away) load();
  away = false;
});
for (const f of filters) fillField(f, readState()[f]);
