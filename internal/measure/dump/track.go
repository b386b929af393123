package dump

import (
	"bytes"
	"strconv"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/profile"
)

// track is one goroutine over the dumps. A goroutine's id is never used twice
// (runtime/proc.go:newproc1 takes it from a counter).
type track struct {
	id, creator int64
	at          *place
	born        int // the dump in which it was seen first
	since       int // the dump from which on it was seen unmoved
	last        int // the dump in which it was seen last
	seen        int // dumps in which it was seen since then
	sinceTime   time.Time
	moves       int  // times that it was seen to have moved
	parked      bool // it was seen to idle where no lock is held
	leaked      bool // the runtime has marked it
	minutes     int64
	args        []argument // of all frames, leaf first; not kept where it is idle
}

// process follows the goroutines of one process.
type process struct {
	reader *reader
	places *places
	tracks map[int64]*track
	begun  []time.Time // when each dump was asked for
	// collected is when a garbage collection ended that began after the first dump;
	// zero without one.
	collected time.Time
	writer    int64 // id of the goroutine that wrote the last dump
	highest   int64 // highest id in it
	one       bool  // no other process can answer
	restarts  int
	count     int // goroutines of the last dump without the observer's
}

func newProcess(c *profile.Catalogue, idle []string) *process {
	return &process{reader: newReader(), places: newPlaces(c, idle), tracks: make(map[int64]*track)}
}

// dumps returns how many dumps were read.
func (p *process) dumps() int { return len(p.begun) }

// add reads one more dump, which was asked for at this time.
func (p *process) add(at time.Time, text []byte) (summary, error) {
	if !p.one {
		p.recognise(text)
	}
	n := p.dumps() // counted from the last restart on, like everything that is kept
	s, err := p.reader.read(text, func(g *goroutine) {
		if p.one || g.creator != p.writer { // what serves the dump's request has a child that watches its connection
			p.see(g, n, at)
		}
	})
	if err != nil {
		return s, err
	}
	p.begun = append(p.begun, at)
	p.depart(n, s)
	p.recount(n)
	return s, nil
}

// recognise forgets everything when another process has answered. The first
// goroutine of a dump is the one that wrote it (runtime/mprof.go:Stack), on a
// connection that is kept: its id grows at most, and so does the highest of all
// ids unless that goroutine ended.
func (p *process) recognise(text []byte) {
	writer, highest := idsOf(text)
	if writer == 0 {
		return // no dump
	}
	if writer < p.writer && highest < p.highest {
		p.restarts++
		clear(p.tracks)
		for _, at := range p.places.all {
			at.counts, at.came, at.went, at.settledWent = nil, 0, 0, 0
		}
		p.begun, p.collected = nil, time.Time{}
	}
	p.writer, p.highest = writer, highest
}

// idsOf returns the id of the first goroutine of a dump and the highest one.
func idsOf(text []byte) (first, highest int64) {
	for rest := text; len(rest) > 0; {
		if after, ok := bytes.CutPrefix(rest, header); ok {
			digits, _, _ := bytes.Cut(after[:min(len(after), 24)], []byte(" "))
			if id, err := strconv.ParseInt(string(digits), 10, 64); err == nil {
				if first == 0 {
					first = id
				}
				highest = max(highest, id)
			}
		}
		i := bytes.Index(rest, []byte("\n\n"))
		if i < 0 {
			break
		}
		rest = rest[i+2:]
	}
	return first, highest
}

// see takes a goroutine of dump n into account.
func (p *process) see(g *goroutine, n int, at time.Time) {
	here := p.places.of(g)
	t, known := p.tracks[g.id]
	if !known {
		t = &track{id: g.id, creator: g.creator, born: n, at: here, since: n, sinceTime: at}
		p.tracks[g.id] = t
		t.arrive(here, n)
	}
	switch {
	case !known:
	case t.at != here:
		t.moves++
		t.leave()
		t.at, t.since, t.sinceTime, t.seen = here, n, at, 0
		t.arrive(here, n)
	case g.minutes < t.minutes && !g.leaked, changed(t.args, g.frames):
		t.moves++
		t.since, t.sinceTime, t.seen = n, at, 0
	}
	t.seen++
	t.last, t.minutes, t.leaked = n, g.minutes, g.leaked && !here.main()
	t.parked = t.parked || here.bystander()
	t.args = t.args[:0]
	if !here.idle && !here.observer() {
		for _, f := range g.frames {
			t.args = append(t.args, f.args...)
		}
	}
}

func (t *track) arrive(p *place, n int) {
	if n > 0 {
		p.came++
	}
}

// leave counts a departure from where the goroutine was.
func (t *track) leave() {
	t.at.went++
	if t.seen > 1 {
		t.at.settledWent++
	}
}

// depart removes goroutines that ended before dump n. One that a truncated dump
// lacks may be there.
func (p *process) depart(n int, s summary) {
	if s.truncated || s.broken > 0 {
		return
	}
	for id, t := range p.tracks {
		if t.last < n {
			t.leave()
			delete(p.tracks, id)
		}
	}
}

// recount notes how many goroutines are at each place in dump n.
func (p *process) recount(n int) {
	p.count = 0
	for _, t := range p.tracks {
		for len(t.at.counts) <= n {
			t.at.counts = append(t.at.counts, 0)
		}
		t.at.counts[n]++
		if !t.at.observer() {
			p.count++
		}
	}
}

// series returns the goroutines at a place in every dump.
func (p *process) series(at *place) []int {
	out := make([]int, p.dumps())
	copy(out, at.counts)
	return out
}

// changed reports whether the arguments on a stack are others than before. Nobody
// but the goroutine itself changes them, live or not, with one exception: a
// collection may move the stack, and with it every pointer into it by the same
// distance (runtime/stack.go:adjustpointer).
func changed(before []argument, frames []frame) bool {
	i, distance := 0, uint64(0)
	for _, f := range frames {
		for _, a := range f.args {
			if i >= len(before) {
				return false
			}
			d := a.value - before[i].value
			i++
			switch {
			case d == 0:
			case distance == 0:
				distance = d
			case d != distance:
				return true
			}
		}
	}
	return distance%stackUnit != 0
}

// stackUnit divides the distance between two stacks: their ends are at multiples
// of the smallest one (runtime/stack.go:fixedStack is 2 kB).
const stackUnit = 2048

// waited returns how long the goroutine has not moved at least, at the last dump
// that has it, and whether the runtime's own wait time says so for the whole
// watch. moved says that the runtime's wait time says the contrary.
func (p *process) waited(t *track) (seconds float64, proven, moved bool) {
	end := p.begun[t.last]
	seconds = max(end.Sub(t.sinceTime).Seconds(), 60*float64(t.minutes))
	if t.at.runs() {
		return seconds, false, false
	}
	if t.sinceTime.Before(p.collected) && !t.leaked {
		whole := int64(end.Sub(p.collected) / time.Minute)
		// The collection met it waiting: every minute since then must show.
		if t.minutes < whole {
			return 0, false, true
		}
		if whole > 0 {
			return seconds, true, false
		}
	}
	return seconds, 60*float64(t.minutes) >= end.Sub(p.begun[0]).Seconds() && t.minutes > 0, false
}

// verdict is what is said of one goroutine.
type verdict struct {
	motion  unpark.Motion
	proven  bool
	seconds float64
}

// fewest is the number of dumps in which a goroutine must be seen unmoved before
// anything is said of it.
const fewest = 3

// judge says what a goroutine did.
func (p *process) judge(t *track) verdict {
	seconds, proven, moved := p.waited(t)
	v := verdict{unpark.MotionRecent, false, seconds}
	switch whole := t.since == 0 && t.seen >= fewest; {
	case t.leaked, t.at.proof != "":
		return verdict{unpark.MotionStuck, true, seconds}
	case t.at.runs(): // also where it would park
		v.motion = unpark.MotionAdvancing
	case t.at.idle:
		v.motion = unpark.MotionParked
	case moved:
		v.motion = unpark.MotionAdvancing
	case !whole && (t.moves > 0 && t.seen < fewest || t.at.settledWent > 0 || t.seen == 1 && t.at.went > 0):
		v.motion = unpark.MotionAdvancing
	case !whole:
	case !t.at.inside():
		v.motion, v.proven = unpark.MotionOutside, proven
	case t.at.given() && !t.at.request:
		v.motion, v.proven = unpark.MotionWaiting, proven
	default:
		v.motion, v.proven = unpark.MotionStuck, proven
	}
	return v
}
