package dump

import (
	"cmp"
	"slices"

	"github.com/unpark-go/unpark"
)

// member is a goroutine with what is said of it.
type member struct {
	*track
	verdict
	on object // what it waits on, where that can be told
}

// settled is a process after its last dump.
type settled struct {
	*process
	index    int       // of the process in the document
	members  []*member // by id; without the observer's own
	byID     map[int64]*member
	children map[int64][]*member
	links    []unpark.WatchLink
	locked   []unpark.WatchDeadlock
}

// settle judges every goroutine of a process, and then those that wait for their
// children.
func settle(p *process, index int) *settled {
	s := &settled{process: p, index: index, byID: make(map[int64]*member), children: make(map[int64][]*member)}
	if p.dumps() == 0 {
		return s
	}
	for _, t := range p.tracks {
		if t.at.observer() {
			continue
		}
		m := &member{track: t, verdict: p.judge(t)}
		m.on = t.object()
		s.members = append(s.members, m)
		s.byID[t.id] = m
		if t.creator != 0 {
			s.children[t.creator] = append(s.children[t.creator], m)
		}
	}
	slices.SortFunc(s.members, func(a, b *member) int { return cmp.Compare(a.id, b.id) })
	for _, c := range s.children {
		slices.SortFunc(c, func(a, b *member) int { return cmp.Compare(a.id, b.id) })
	}
	s.queues()
	for _, m := range s.members {
		s.family(m)
	}
	s.locks()
	s.gatherings()
	return s
}

// lockKey tells locks apart: by address, and where that is unknown by place.
type lockKey struct {
	address uint64
	at      *place
}

func (m *member) lockKey() lockKey {
	if m.on.known() {
		return lockKey{address: m.on.address}
	}
	return lockKey{at: m.at}
}

// queues lets goroutines off that wait for a lock which others got meanwhile: it
// is handed on in the order of arrival as soon as a goroutine has waited for 1 ms
// (internal/sync/mutex.go, starvation mode), so that they came and went as well. A
// goroutine that takes the same lock in a loop is seen there most of the time.
func (s *settled) queues() {
	moves := make(map[lockKey]bool)
	for _, m := range s.members {
		if m.at.label.Class == unpark.WaitLock && (m.at.went > 0 || m.moves > 0) {
			moves[m.lockKey()] = true
		}
	}
	for _, m := range s.members {
		if m.at.label.Class == unpark.WaitLock && m.motion == unpark.MotionStuck && !m.proven && moves[m.lockKey()] {
			m.motion = unpark.MotionAdvancing
		}
	}
}

// family lets a parent off that waits for children which still move, or wait for
// what is outside: a proxy waits for the two goroutines that copy, a handler for
// its fan-out.
func (s *settled) family(m *member) {
	if m.motion != unpark.MotionStuck && m.motion != unpark.MotionWaiting || !m.at.given() || m.leaked || m.at.proof != "" {
		return
	}
	for _, c := range s.children[m.id] {
		if c.motion == unpark.MotionOutside || c.motion == unpark.MotionAdvancing {
			m.motion = unpark.MotionOutside
			return
		}
	}
}

// unmoved reports whether a goroutine was seen at one place all the time.
func (m *member) unmoved() bool {
	return m.motion == unpark.MotionStuck || m.motion == unpark.MotionWaiting || m.motion == unpark.MotionParked && m.since == 0
}

// ids returns the first ids of some goroutines.
func ids(all []*member) []int64 {
	out := make([]int64, 0, mostListed)
	for _, m := range all[:min(len(all), mostListed)] {
		out = append(out, m.id)
	}
	return out
}

// mostListed bounds how many goroutines of a set are named.
const mostListed = 10

// link is one step of who waits for whom.
func (s *settled) link(from, to []*member, on object, c unpark.Certainty, why string) {
	l := unpark.WatchLink{
		Process: s.index, From: ids(from), FromCount: len(from), Site: from[0].at.site, Object: on.String(),
		To: ids(to), ToCount: len(to), Certainty: c, Why: why,
	}
	if len(to) > 0 {
		l.ToSite = to[0].at.site
	}
	s.links = append(s.links, l)
}

// gatherings finds goroutines that wait for a group of children which are stuck
// themselves.
func (s *settled) gatherings() {
	for _, m := range s.members {
		if m.at.label.Class != unpark.WaitGroup || !m.unmoved() {
			continue
		}
		var stuck, sending []*member
		for _, c := range s.children[m.id] {
			if c.motion == unpark.MotionStuck {
				stuck = append(stuck, c)
			}
			if c.motion == unpark.MotionStuck && c.at.state == "chan send" {
				sending = append(sending, c)
			}
		}
		if len(stuck) == 0 || len(stuck) < len(s.children[m.id]) {
			continue
		}
		s.link([]*member{m}, stuck, m.on, unpark.Likely, "it waits for a group, and started them")
		if len(sending) == len(stuck) {
			s.gathered(m, sending)
		}
	}
}

// gathered tells of a parent that waits for its children, which want to send.
func (s *settled) gathered(parent *member, sending []*member) {
	if parent.motion != unpark.MotionStuck {
		parent.motion = unpark.MotionStuck
	}
	s.locked = append(s.locked, unpark.WatchDeadlock{
		Process: s.index, Certainty: unpark.Likely,
		Title: "a goroutine waits for a group before anybody receives what its members send",
		Evidence: []string{
			sentence("goroutine %d waits on %s at %s and started %s", parent.id, orElse(parent.on, "a sync.WaitGroup"), parent.at.site.Place(), counted(len(sending), "goroutine")),
			sentence("all of them wait to send at %s, and did not move", sending[0].at.site.Place()),
			"it never ends if the one that waits is the one that should receive",
		},
		Count: 1 + len(sending), Goroutines: ids(append([]*member{parent}, sending...)),
	})
}
