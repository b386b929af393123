package window

import "context"

// resume begins a window in the past: with the readings of a guard, as far as there are
// any. It reports whether every process has one; where one has none, it is new, and the
// window begins now.
func (s *session) resume(ctx context.Context) bool {
	since := s.o.Since
	if since == nil {
		return false
	}
	var found []firstReading
	for _, m := range s.members {
		p := since.of(m.endpoint)
		if p == nil {
			return false
		}
		r, _, ok := p.first()
		if !ok {
			return false
		}
		found = append(found, r)
	}
	s.recall(ctx)
	for i, m := range s.members {
		m.resume(since.of(m.endpoint), found[i])
	}
	s.used.past = found
	s.members.each(func(m *member) { m.look(); m.rates(ctx) })
	return true
}

// resume takes what was read of a process as its first reading.
func (m *member) resume(p *past, r firstReading) {
	for k, one := range r.kinds {
		*m.kind(k) = one
	}
	_, dumps, _ := p.first()
	m.snapshots = dumps
	m.pages[0] = r.page
	if p.lease != nil {
		granted := *p.lease
		granted.held = nil // it is the guard's to end
		m.lease = &granted
	}
}

// recall takes what the flight recorders hold, before anything else adds to it.
func (s *session) recall(ctx context.Context) {
	var armed []*member
	for _, m := range s.members {
		if p := s.o.Since.of(m.endpoint); p.flight != nil {
			m.armed = true
			armed = append(armed, m)
		}
	}
	if len(armed) == 0 {
		return
	}
	t := tracer{o: s.o, members: s.members}
	keep := t.record(ctx, armed[:min(len(armed), mostTraced)], "trace-01.out", patience, func(e *Endpoint) string { return e.root + "/debug/unpark/flight/snapshot" })
	keep()
	for _, m := range armed {
		m.armed = false // the stretch after the window arms none
		p := s.o.Since.of(m.endpoint)
		if n := len(m.traces); n > 0 {
			m.traces[n-1].start, p.armed = p.armed, m.traces[n-1].end
		}
	}
}

// resumed puts the begin of a window back to the readings that it begins with.
func (u *usage) resumed() {
	if len(u.past) == 0 {
		return
	}
	u.first.at = u.past[0].at
	u.first.machine, u.first.all = u.past[0].machine, nil
	u.first.lives = map[identity]life{}
	for _, r := range u.past {
		if r.at.After(u.first.at) {
			u.first.at = r.at
		}
		if r.usage != nil {
			u.first.lives[r.id] = *r.usage
		}
	}
}
