package guard

import (
	"time"

	"github.com/unpark-go/unpark"
)

// reading is what is known of the target, and of what is followed beside it, at one instant.
type reading struct {
	at      time.Time
	values  map[metric]unpark.Quantity
	allowed unpark.Number // cores that the target may use
	lines   []string      // of the log, since the reading before
	signals int           // since the reading before
}

// fired is a condition that holds now and did not before.
type fired struct {
	condition Condition
	at        time.Time
	value     unpark.Quantity
	line      string
}

// states judges readings one after the other.
type states struct{ all []state }

// state is what one condition remembers.
type state struct {
	Condition
	since time.Time // since when it holds; zero when it does not
	spent bool      // it fired, and was not false since then
}

func newStates(conditions []Condition) *states {
	s := &states{}
	for _, c := range conditions {
		s.all = append(s.all, state{Condition: c})
	}
	return s
}

// see judges a reading. A condition that still holds does not fire again before it was false once. Of
// several that begin to hold at once the first is the one that is told.
func (s *states) see(r reading) (first fired, ok bool) {
	for i := range s.all {
		if f, fires := s.all[i].see(r); fires && !ok {
			first, ok = f, true
		}
	}
	return first, ok
}

func (s *state) see(r reading) (fired, bool) {
	if s.metric.event() {
		return s.happened(r)
	}
	v, holds, known := s.holds(r)
	switch {
	case !known: // a second without a request says nothing
		return fired{}, false
	case !holds:
		s.since, s.spent = time.Time{}, false
		return fired{}, false
	}
	if s.since.IsZero() {
		s.since = r.at
	}
	if s.spent || r.at.Sub(s.since) < s.hold {
		return fired{}, false
	}
	s.spent = true
	return fired{condition: s.Condition, at: r.at, value: v}, true
}

// happened judges what has no value.
func (s *state) happened(r reading) (fired, bool) {
	f := fired{condition: s.Condition, at: r.at}
	if s.metric == signalled {
		return f, r.signals > 0
	}
	for _, line := range r.lines {
		if s.pattern.MatchString(line) {
			f.line = line
			return f, true
		}
	}
	return f, false
}
