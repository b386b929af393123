package load

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/unpark-go/unpark"
)

// firstPhase is the phase before the first Begin.
func firstPhase(plan unpark.Plan) string {
	if plan.Warmup > 0 {
		return "warmup"
	}
	return "window"
}

// clock reads the monotonic clock in nanoseconds since the load began.
type clock struct{ base time.Time }

func (c *clock) now() int64 { return int64(time.Since(c.base)) }

// Generator drives one load plan until it is stopped.
type Generator struct {
	settings *settings
	clock    *clock
	started  time.Time // on the wall
	began    time.Time // in fact
	waited   time.Duration
	engine   engine
	repeats  *repeats
	shards   []*shard
	sent     atomic.Int64 // requests of a closed loop that differ

	cancel  context.CancelFunc
	detach  func() bool // from the context of Start
	running sync.WaitGroup
	stop    sync.Once
	stopped chan struct{}
	stopAt  atomic.Int64 // never until Stop

	begin     sync.Mutex // one change of the stretches at a time
	stretches atomic.Pointer[[]*Stretch]

	timeline timeline
}

// Start checks the plan and begins to drive it; errors name the field, the
// value and the cure. The load runs until Stop is called or ctx is done,
// whatever the plan's Duration says, and what happens before the first Begin
// belongs to the phase "warmup", or "window" where the plan has no warm-up.
//
// An open plan without Connections uses at most 100; a request waits for a free
// one and keeps its intended start. A plan without a Timeout gives up a request
// after 30 s. The rate of a ramp stays at its first value for the plan's Warmup
// and at its last after the end. The certificate of a target is verified unless
// all URLs are on loopback. Redirects are not followed.
func Start(ctx context.Context, plan unpark.Plan) (*Generator, error) {
	return StartAt(ctx, plan, time.Time{})
}

// StartAt is [Start] with a load that begins at an instant, for which everything is made
// ready before. Of an instant that is over, what was due since then is late. ctx does not
// end the wait, so that callers come shortly before.
func StartAt(ctx context.Context, plan unpark.Plan, at time.Time) (*Generator, error) {
	s, err := newSettings(plan)
	if err != nil {
		return nil, err
	}
	s.at = at
	return s.start(ctx)
}

func (s *settings) start(ctx context.Context) (*Generator, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("load: start: %w", err)
	}
	ctx, cancel := context.WithCancel(ctx)
	g, err := s.prepare(ctx)
	if err != nil {
		cancel()
		return nil, fmt.Errorf("load: start: %w", err)
	}
	g.cancel = cancel
	g.engine.arm()
	before := runQueued()
	await(s.at)
	g.run(ctx)
	g.waited = runQueued() - before
	return g, nil
}

// await returns at an instant, which a timer would miss by up to a millisecond.
func await(at time.Time) {
	const overshoot = 1500 * time.Microsecond
	if at.IsZero() {
		return
	}
	time.Sleep(time.Until(at) - overshoot)
	for time.Until(at) > 0 {
		runtime.Gosched()
	}
}

// prepare makes a generator in which nothing moves yet.
func (s *settings) prepare(ctx context.Context) (*Generator, error) {
	g := &Generator{settings: s, clock: &clock{base: time.Now()}, repeats: newRepeats(len(s.kinds)), stopped: make(chan struct{})}
	g.stopAt.Store(never)
	var err error
	if g.engine, err = newEngine(ctx, g); err != nil {
		return nil, err
	}
	first := newStretch(g, s.phase)
	first.cpu = processCPU()
	g.stretches.Store(&[]*Stretch{first})
	return g, nil
}

// newShards makes the places to record in; an engine asks once.
func (g *Generator) newShards(n int) []*shard {
	for range n {
		g.shards = append(g.shards, &shard{pulse: newPulse()})
	}
	return g.shards
}

// run starts the clock and everything that moves.
func (g *Generator) run(ctx context.Context) {
	g.begin.Lock() // a Stop by ctx waits for all of this
	defer g.begin.Unlock()
	if g.started = g.settings.at; g.started.IsZero() {
		g.started = time.Now()
	}
	g.clock.base = g.started // setting up thousands of connections is no lag
	g.began = g.engine.start()
	g.running.Go(func() { g.watch(ctx) })
	g.detach = context.AfterFunc(ctx, g.Stop)
}

// Began is when the load began in fact, which a busy machine makes later than it was to: waited is how long
// threads of this process stood ready meanwhile without a processor to run on, together. It is 0 where the system
// does not tell.
func (g *Generator) Began() (at time.Time, waited time.Duration) { return g.began, g.waited }

// First returns the stretch that began with the load. It is the one to measure where
// there is no warm-up: what is due at once would be over when another one begins.
func (g *Generator) First() *Stretch { return (*g.stretches.Load())[0] }

// Begin starts a stretch and ends the one before it at the same instant. The
// phase names it in Live and Ticks: "warmup", "baseline", "window", "trace". After
// Stop it returns an empty stretch.
func (g *Generator) Begin(phase string) *Stretch {
	g.begin.Lock()
	defer g.begin.Unlock()
	next := newStretch(g, phase)
	list := *g.stretches.Load()
	longer := append(append(make([]*Stretch, 0, len(list)+1), list...), next)
	stopped := g.stopAt.Load() != never
	now, offered := g.cut(func(now int64) {
		if next.start = now; !stopped {
			g.stretches.Store(&longer)
		}
	})
	next.offered, next.cpu = offered, processCPU()
	if stopped {
		next.finish(now, offered, next.cpu)
	} else {
		list[len(list)-1].finish(now, offered, next.cpu)
	}
	return next
}

// cut changes what record reads, at an instant that lies between all answers: those
// recorded before it came before it, those recorded later see the change. It
// returns the instant and the number of arrivals that were intended before it; that
// number is 0 in a closed loop.
func (g *Generator) cut(change func(now int64)) (now, offered int64) {
	for _, sh := range g.shards {
		sh.mu.Lock()
	}
	now, heads := g.engine.mark()
	change(now)
	for _, sh := range g.shards {
		sh.mu.Unlock()
	}
	first := heads[0]
	for _, h := range heads {
		if h.index < first.index {
			first = h // all arrivals before this one were taken
		}
	}
	for first.due < now {
		first.index++
		first.due = g.settings.pacer.next(first.index, first.due)
	}
	return now, first.index
}

// Stop ends the last stretch, abandons what is in flight and returns when every
// worker has ended. It may be called again, and from several goroutines.
func (g *Generator) Stop() {
	g.stop.Do(func() {
		g.begin.Lock()
		list := *g.stretches.Load()
		last := list[len(list)-1]
		now, offered := g.cut(last.stop)
		g.stopAt.Store(now)
		last.finish(now, offered, processCPU())
		g.begin.Unlock()
		g.detach()
		g.engine.close()
		g.cancel()
		g.running.Wait()
		close(g.stopped)
	})
}
