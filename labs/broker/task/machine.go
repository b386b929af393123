package task

import (
	"container/heap"
	"sync/atomic"
)

// Keep is how many completed tasks a machine remembers, and how many of the newest
// idempotency keys are recognised at least.
const Keep = 1 << 14

// Writer receives the records that a command changes, in order. Key and value may
// be kept.
type Writer interface {
	Set(key, value []byte)
	Delete(key []byte)
}

// Machine holds the tasks of one shard. One goroutine at a time may use it, except
// for Waiting.
type Machine struct {
	keep  int
	tasks map[uint64]*Task
	keys  map[string]uint64
	ready entries // by id: the oldest is claimed first
	lease entries // by end of lease; those of completed tasks stay a while
	done  entries // by order of completion
	meta  meta

	readyCount atomic.Int64
	nextExpiry atomic.Int64 // no earlier lease ends; 0: there is none
}

// meta is what a machine knows beside its tasks.
type meta struct {
	next    uint64 // id of the next task
	ended   uint64 // completions
	clock   int64  // the latest Command.Now
	applied uint64 // see Apply
}

// NewMachine returns an empty machine that remembers keep completed tasks.
func NewMachine(keep int) *Machine {
	return &Machine{keep: keep, tasks: map[uint64]*Task{}, keys: map[string]uint64{}, meta: meta{next: 1}}
}

// Waiting reports whether a claim at time now, in nanoseconds since 1970, is likely
// to find a task. Any goroutine may ask.
func (m *Machine) Waiting(now int64) bool {
	if m.readyCount.Load() > 0 {
		return true
	}
	next := m.nextExpiry.Load()
	return next != 0 && next <= now
}

// Applied is the index given with the last command.
func (m *Machine) Applied() uint64 { return m.meta.applied }

// Apply carries out a command and gives w the records that it changes, none when
// nothing changed. Index is the command's place in a replicated log, 0 without one;
// it is kept with the records.
func (m *Machine) Apply(c Command, index uint64, w Writer) Result {
	before := m.meta
	// Leaders' clocks differ, and a lease that has ended stays ended.
	m.meta.clock = max(m.meta.clock, c.Now)
	m.meta.applied = max(m.meta.applied, index)
	var r Result
	switch c.Op {
	case Create:
		r = m.create(c, w)
	case Claim:
		r = m.claim(c, w)
	case Complete:
		r = m.complete(c, w)
	default:
		r = Result{Err: ErrInvalid}
	}
	changed := r.Err == nil && !r.Again && (c.Op != Claim || r.Found)
	if changed || m.meta.applied != before.applied {
		w.Set(metaKey(), m.meta.encode())
	} else {
		m.meta = before
	}
	m.publish()
	return r
}

func (m *Machine) create(c Command, w Writer) Result {
	if id, ok := m.keys[c.Key]; ok && c.Key != "" {
		return Result{Task: *m.tasks[id], Again: true}
	}
	t := &Task{ID: m.meta.next, Key: c.Key, Payload: c.Payload, State: Ready}
	m.meta.next++
	m.add(t)
	w.Set(taskKey(t.ID), t.encode())
	return Result{Task: *t}
}

// claim delivers the oldest task that nobody has a lease on.
func (m *Machine) claim(c Command, w Writer) Result {
	m.expire()
	if len(m.ready) == 0 {
		return Result{}
	}
	t := m.tasks[heap.Pop(&m.ready).(entry).id]
	t.State, t.Worker, t.Until = Leased, c.Worker, m.meta.clock+int64(c.Lease)
	t.Attempt++
	heap.Push(&m.lease, entry{t.Until, t.ID})
	w.Set(taskKey(t.ID), t.encode())
	return Result{Task: *t, Found: true}
}

// complete ends a task for the worker that has its lease, also when the lease has
// run out and nobody else has claimed the task since.
func (m *Machine) complete(c Command, w Writer) Result {
	t, ok := m.tasks[c.ID]
	switch {
	case !ok:
		return Result{Err: ErrUnknown}
	case t.Attempt != c.Attempt || c.Attempt == 0:
		return Result{Err: ErrLeaseLost}
	case t.State == Done:
		return Result{Task: *t, Again: true}
	case t.State == Ready:
		m.unready(t.ID)
	}
	m.meta.ended++
	t.State, t.Ended, t.Payload = Done, m.meta.ended, nil
	heap.Push(&m.done, entry{int64(t.Ended), t.ID})
	w.Set(taskKey(t.ID), t.encode())
	m.forget(w)
	return Result{Task: *t}
}

// expire makes ready what has an ended lease. Nothing is written: the records and
// the clock say it.
func (m *Machine) expire() {
	for len(m.lease) > 0 && m.lease[0].at <= m.meta.clock {
		e := heap.Pop(&m.lease).(entry)
		if m.holds(e) {
			m.tasks[e.id].State = Ready
			heap.Push(&m.ready, entry{int64(e.id), e.id})
		}
	}
}

// holds reports whether an entry is of a lease that somebody has.
func (m *Machine) holds(e entry) bool {
	t := m.tasks[e.id]
	return t != nil && t.State == Leased && t.Until == e.at
}

// unready takes a task whose lease had ended off the ready ones.
func (m *Machine) unready(id uint64) {
	for i, e := range m.ready {
		if e.id == id {
			heap.Remove(&m.ready, i)
			return
		}
	}
}

// forget drops the completed tasks that are too many, the first completed first.
func (m *Machine) forget(w Writer) {
	for len(m.done) > m.keep {
		id := heap.Pop(&m.done).(entry).id
		delete(m.keys, m.tasks[id].Key)
		delete(m.tasks, id)
		w.Delete(taskKey(id))
	}
}

// add takes a task in, where its state and the clock say.
func (m *Machine) add(t *Task) {
	m.tasks[t.ID] = t
	if t.Key != "" {
		m.keys[t.Key] = t.ID
	}
	switch t.State {
	case Leased:
		heap.Push(&m.lease, entry{t.Until, t.ID})
	case Done:
		heap.Push(&m.done, entry{int64(t.Ended), t.ID})
	default:
		heap.Push(&m.ready, entry{int64(t.ID), t.ID})
	}
}

// publish tells Waiting. Entries of leases that were completed or given anew are
// dropped when they come first, so that there are not many of them.
func (m *Machine) publish() {
	for len(m.lease) > 0 && !m.holds(m.lease[0]) {
		heap.Pop(&m.lease)
	}
	m.readyCount.Store(int64(len(m.ready)))
	next := int64(0)
	if len(m.lease) > 0 {
		next = m.lease[0].at
	}
	m.nextExpiry.Store(next)
}
