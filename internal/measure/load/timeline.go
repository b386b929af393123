package load

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/unpark-go/unpark"
)

const (
	tickEvery = time.Second
	// shortestTick: a rest at the end that is shorter has no rate worth drawing.
	shortestTick = 250 * time.Millisecond
	// mostWaiting bounds the work of a tick when the target is far behind.
	mostWaiting = 100_000
)

// Live is how the load goes right now.
type Live struct {
	Phase    string
	RPS      float64 // answers per second, over the last second
	P99      float64 // of their response in seconds
	Errors   int64   // since the load began
	InFlight int     // requests sent and not answered
}

// timeline collects one tick a second.
type timeline struct {
	mu     sync.Mutex
	ticks  []unpark.Tick
	log    intervalLog
	errors int64 // of all ticks
	at     int64 // end of the last tick
	cpu    unpark.Number
	whole  []second // of a share of a plan: the ticks without loss
}

// Ticks returns the timeline so far, one tick a second. A tick's latencies are
// those of the answers that came in it and, so that a target which stands still
// does not look fast, the ages of requests that already wait for longer than
// the p99 of those answers.
func (g *Generator) Ticks() []unpark.Tick {
	g.timeline.mu.Lock()
	defer g.timeline.mu.Unlock()
	return slices.Clone(g.timeline.ticks)
}

// Live returns the last second, for showing progress.
func (g *Generator) Live() Live {
	list := *g.stretches.Load()
	l := Live{Phase: list[len(list)-1].phase}
	now := g.clock.now()
	for _, c := range g.engine.connections() {
		if c.current.Load() <= now {
			l.InFlight++
		}
	}
	for _, sh := range g.shards {
		sh.mu.Lock()
		l.Errors += sh.pulse.errors
		sh.mu.Unlock()
	}
	g.timeline.mu.Lock()
	defer g.timeline.mu.Unlock()
	l.Errors += g.timeline.errors
	if n := len(g.timeline.ticks); n > 0 {
		l.RPS, l.P99 = g.timeline.ticks[n-1].RPS, g.timeline.ticks[n-1].P99
	}
	return l
}

// watch makes the ticks until ctx is done.
func (g *Generator) watch(ctx context.Context) {
	g.timeline.mu.Lock()
	g.timeline.cpu = processCPU()
	g.timeline.mu.Unlock()
	t := time.NewTicker(tickEvery)
	defer t.Stop()
	for {
		select {
		case <-t.C:
			g.tick(g.clock.now())
		case <-ctx.Done():
			if now := min(g.clock.now(), g.stopAt.Load()); now-g.timeline.at >= int64(shortestTick) {
				g.tick(now)
			}
			return
		}
	}
}

func (g *Generator) tick(now int64) {
	sum := newPulse()
	for _, sh := range g.shards {
		sh.mu.Lock()
		sh.pulse.empty(&sum)
		sh.mu.Unlock()
	}
	l, answers := sum.response.latency(), sum.response.counts.TotalCount()
	g.timeline.mu.Lock()
	g.timeline.log.add(&sum, g.timeline.at, now)
	g.timeline.mu.Unlock()
	ages := newHistogram(coarse)
	for t := range g.waiting {
		if age := now - t; age > int64(l.P99*1e9) {
			ages.add(age)
		}
	}
	answered := sum.response
	sum.response = clone(answered)
	sum.response.merge(ages)
	l = sum.response.latency()
	cpu := processCPU()
	g.timeline.mu.Lock()
	defer g.timeline.mu.Unlock()
	length := seconds(now - g.timeline.at)
	list := *g.stretches.Load()
	t := unpark.Tick{
		At: seconds(now), RPS: float64(answers) / length, P50: l.P50, P99: l.P99, Errors: sum.errors,
		Generator: cores(g.timeline.cpu, cpu, length), Phase: list[len(list)-1].phase,
	}
	// A tick belongs to the phase that its middle lies in.
	if st := find(list, (g.timeline.at+now)/2); st != nil {
		t.Phase = st.phase
	}
	if g.settings.part.Of > 0 {
		g.timeline.whole = append(g.timeline.whole, second{
			From: g.timeline.at, To: now, Tick: t,
			Response: sparseOf(answered), Service: sparseOf(sum.service), Lag: sparseOf(sum.lag), Ages: sparseOf(ages),
		})
	}
	g.timeline.ticks = append(g.timeline.ticks, t)
	g.timeline.errors += sum.errors
	g.timeline.at, g.timeline.cpu = now, cpu
}

// waiting yields the intended starts of requests in flight and of arrivals
// that are due and were not taken, the oldest of those first.
func (g *Generator) waiting(yield func(int64) bool) {
	now, heads := g.engine.mark()
	for _, c := range g.engine.connections() {
		if t := c.current.Load(); t < min(heads[c.lane].due, now) && !yield(t) {
			return
		}
	}
	for lane := range heads {
		n := 0
		for due := range g.untaken(lane, heads, now) {
			if n++; n > mostWaiting/len(heads) {
				break
			}
			if !yield(due) {
				return
			}
		}
	}
}
