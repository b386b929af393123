package load

import (
	"context"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/unpark-go/unpark"
)

// settleEvery is how often a stretch looks whether its stragglers have finished.
const settleEvery = 2 * time.Millisecond

// Stretch is an interval of the load: a warm-up, a window, or what lies between.
type Stretch struct {
	g       *Generator
	phase   string
	start   int64
	offered int64 // arrivals intended before start
	cpu     unpark.Number
	tallies []*tally // by shard and guarded by its lock; nil once the stretch is final

	end  atomic.Int64 // never while it is open
	over chan struct{}
	last struct { // at the end; read after over is closed
		offered int64
		cpu     unpark.Number
	}

	mu         sync.Mutex
	final      *unpark.Load
	total      *tally // of the final result
	unfinished int64
}

func newStretch(g *Generator, phase string) *Stretch {
	s := &Stretch{g: g, phase: phase, over: make(chan struct{})}
	s.end.Store(never)
	for range g.shards {
		s.tallies = append(s.tallies, newTally())
	}
	return s
}

// stop ends the stretch at an instant for what is recorded from then on, unless it
// has ended.
func (s *Stretch) stop(at int64) { s.end.CompareAndSwap(never, at) }

// finish ends the stretch at an instant, with the arrivals and the processor
// time until then. The generator's begin is locked.
func (s *Stretch) finish(at, offered int64, cpu unpark.Number) {
	select {
	case <-s.over:
		return
	default:
	}
	s.stop(at)
	s.last.offered, s.last.cpu = offered, cpu
	close(s.over)
}

// find returns the stretch that an instant lies in, or nil.
func find(list []*Stretch, at int64) *Stretch {
	for i := len(list) - 1; i >= 0; i-- {
		if s := list[i]; at >= s.start {
			if at < s.end.Load() {
				return s
			}
			return nil
		}
	}
	return nil
}

// Load returns what the generator saw in the stretch. It waits for the end of
// the stretch and for its stragglers, which finish while the load goes on, until
// ctx is done or the generator stops; then the result is final, and the same
// for every later call. A stretch that has not ended when ctx is done ends
// there: what follows until the next Begin belongs to no stretch.
//
// Requests that were intended in the stretch and have no answer by then are
// counted as Unfinished, and their age is recorded in Response as a lower bound
// of what they will take; a frozen target would look fast without them. To
// leave none behind, Begin another stretch, call Load, and Stop after that.
//
// Requests and AchievedRPS count answers of any status within the interval;
// everything else (latencies, Status, Errors, Late, body sizes) belongs to the
// stretch of a request's intended start. Errors counts failed requests and
// unexpected statuses ("status" in ErrorKinds); only the latter, and timeouts
// as lower bounds, have a latency in Response.
func (s *Stretch) Load(ctx context.Context) unpark.Load {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.final == nil {
		s.wait(ctx)
		l := s.seal()
		s.final = &l
	}
	return *s.final
}

// Answered is how many answers came within the stretch until now; [Stretch.Load] has the figure that is final.
func (s *Stretch) Answered() int64 {
	var n int64
	for i, sh := range s.g.shards {
		sh.mu.Lock()
		t := s.tallies[i]
		if t != nil {
			n += t.requests
		}
		sh.mu.Unlock()
		if t == nil { // it is final
			s.mu.Lock()
			defer s.mu.Unlock()
			return s.final.Requests
		}
	}
	return n
}

func (s *Stretch) wait(ctx context.Context) {
	select {
	case <-s.over:
	case <-ctx.Done():
		s.g.begin.Lock()
		now, offered := s.g.cut(s.stop)
		s.finish(now, offered, processCPU())
		s.g.begin.Unlock()
	}
	tick := time.NewTicker(settleEvery)
	defer tick.Stop()
	for !s.settled() {
		select {
		case <-ctx.Done():
			return
		case <-s.g.stopped:
			return
		case <-tick.C:
		}
	}
}

// settled reports whether every request intended before the end has finished.
// The schedule is asked first: what it gave out before that, a connection has.
func (s *Stretch) settled() bool {
	end := s.end.Load()
	_, heads := s.g.engine.mark()
	for _, h := range heads {
		if h.due < end {
			return false
		}
	}
	for _, c := range s.g.engine.connections() {
		if c.current.Load() < end {
			return false
		}
	}
	return true
}

// seal makes the result. No request can finish while the shards are locked, so
// each is counted either as finished or as unfinished.
func (s *Stretch) seal() unpark.Load {
	end := s.end.Load()
	for _, sh := range s.g.shards {
		sh.mu.Lock()
	}
	now, heads := s.g.engine.mark()
	var open []int64
	for _, c := range s.g.engine.connections() {
		// One that is not before its lane's head was taken after the mark and is
		// counted below.
		if t := c.current.Load(); t >= s.start && t < min(end, heads[c.lane].due) {
			open = append(open, t)
		}
	}
	tallies := slices.Clone(s.tallies)
	for i := range s.tallies {
		s.tallies[i] = nil // what finishes from now on is not counted
	}
	for _, sh := range s.g.shards {
		sh.mu.Unlock()
	}
	for lane := range heads {
		for due := range s.g.untaken(lane, heads, end) {
			if due >= s.start {
				open = append(open, due)
			}
		}
	}
	now = min(now, s.g.stopAt.Load()) // nothing aged after that
	total := newTally()
	for _, t := range tallies {
		total.merge(t)
	}
	for _, t := range open {
		total.response.add(now - t)
	}
	s.total, s.unfinished = total, int64(len(open))
	return s.result(total, s.unfinished)
}

func (s *Stretch) result(t *tally, unfinished int64) unpark.Load {
	l := unpark.Load{Mode: s.g.settings.mode, Seconds: seconds(s.end.Load() - s.start), Unfinished: unfinished}
	t.fill(&l)
	if l.Seconds <= 0 {
		return l
	}
	l.AchievedRPS = float64(l.Requests) / l.Seconds
	l.OfferedRPS = l.AchievedRPS
	if l.Mode.Open() {
		l.OfferedRPS = float64(s.last.offered-s.offered) / l.Seconds
	}
	l.GeneratorCPU = cores(s.cpu, s.last.cpu, l.Seconds)
	return l
}

// cores is the mean number of processors used between two readings.
func cores(from, to unpark.Number, seconds float64) unpark.Number {
	a, okA := from.Get()
	b, okB := to.Get()
	if !okA || !okB || seconds <= 0 {
		return unpark.Number{}
	}
	return unpark.Num(math.Max(0, b-a) / seconds)
}
