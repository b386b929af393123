package exectrace

import (
	"strings"

	"golang.org/x/exp/trace"

	"github.com/unpark-go/unpark"
)

// follower follows a trace: which goroutine is in which state since when.
type follower struct {
	o      Options
	stacks *stacks
	tasks  map[trace.TaskID]string
	live   map[trace.GoID]*goroutine
	events int64
	first  int64 // time of the first event
	now    int64 // time of the latest
	used   int64 // bytes of the generations that are told
	ahead  int64 // and of the one that is being told
	told   bool  // there was an event

	// How the processors are used, as integrals over time: what happened between
	// two instants is the difference.
	running    int     // goroutines on processors
	collecting int     // of these, the collector's
	stopped    bool    // the world, or about to be
	gcTime     float64 // ns × collecting ÷ running
	stwTime    int64   // ns

	uses   []Use // by stack
	places places
	edges  edges
	oldest horizon // beginning of a wait that goes on

	exact, inferred keeper
	spare           []*request   // to be used again
	buried          []*goroutine // likewise
}

func newFollower(o Options) *follower {
	f := &follower{
		o: o, stacks: newStacks(o.Meaning),
		tasks: map[trace.TaskID]string{}, live: map[trace.GoID]*goroutine{},
	}
	f.places.numbers = map[uint64]int32{}
	f.edges.index = map[edgeKey]int32{}
	f.exact, f.inferred = newKeeper(o.Keep), newKeeper(o.Keep)
	return f
}

// goroutine is one goroutine that lives.
type goroutine struct {
	state State
	since int64 // of the state
	gcAt  float64
	stwAt int64
	stack int32 // of the wait or system call

	collector bool // works for the garbage collector
	assists   bool // inside a mark assist
	idle      bool // the wait is for work
	serving   Serving
	learned   bool // serving is known

	past  past   // its latest states
	wakes []wake // its latest wait at each place, that somebody ended
	woken *hold  // who ended the wait that is being left

	// starter is who set it to work: the goroutine that created it, or that ended its
	// latest wait for another. What it waits for by itself in between, it does for them.
	starter trace.GoID

	exact, inferred *request
}

// seconds is how long the trace is so far.
func (f *follower) seconds() float64 { return float64(f.now-f.first) / 1e9 }

// advance moves the clock.
func (f *follower) advance(t int64) {
	d := t - f.now
	if d <= 0 {
		return
	}
	if f.collecting > 0 && f.running > 0 {
		f.gcTime += float64(d) * float64(f.collecting) / float64(f.running)
	}
	if f.stopped {
		f.stwTime += d
	}
	f.now = t
}

// transition moves a goroutine from one state into another.
func (f *follower) transition(ev *trace.Event, st *trace.StateTransition) {
	id := st.Resource.Goroutine()
	from, to := st.Goroutine()
	g := f.live[id]
	if g == nil {
		if to == trace.GoNotExist {
			return
		}
		g = f.born(id)
		if from == trace.GoNotExist {
			g.starter = ev.Goroutine()
			f.created(g, f.stacks.number(st.Stack, AtCreate))
		}
	} else if from == to {
		f.known(g, st)
		return
	}
	parked := g.idle
	if from == trace.GoWaiting && to == trace.GoRunnable {
		f.unblocked(g, id, ev)
		if by := ev.Goroutine(); g.state.EndedByAnother() && g.state != Lock || untold(g.state) && by != trace.NoGoroutine {
			g.starter = by
		}
	}
	f.leave(g)
	if parked {
		g.idle = false
		f.resumes(g)
	}
	switch to {
	case trace.GoRunning:
		f.enter(g, Running, 0)
	case trace.GoRunnable:
		f.enter(g, Runnable, 0)
	case trace.GoWaiting:
		f.blocks(g, f.stacks.number(st.Stack, blockedAt(st.Reason)), blockedAt(st.Reason))
	case trace.GoSyscall:
		n := f.stacks.number(st.Stack, AtSyscall)
		f.called(g, n)
		f.enter(g, Syscall, n)
	case trace.GoNotExist:
		f.ended(g)
		f.bury(id, g)
	default:
		f.enter(g, Unknown, 0)
	}
}

// untold reports whether a wait's reason is not known: it began before the trace.
func untold(s State) bool { return s == Internal || s == Unknown }

// known learns from the status of a goroutine that each generation begins with: it
// may hold the first stack that is seen of it. The reason for a wait that began
// before the trace is not told.
func (f *follower) known(g *goroutine, st *trace.StateTransition) {
	if g.stack != 0 || !untold(g.state) {
		return
	}
	if n := f.stacks.number(st.Stack, AtOther); n != 0 {
		info := f.stacks.info(n)
		g.stack, g.idle = n, info.mean.Idle
		f.learn(g, n)
	}
}

func (f *follower) born(id trace.GoID) *goroutine {
	var g *goroutine
	if n := len(f.buried); n > 0 {
		g, f.buried = f.buried[n-1], f.buried[:n-1]
		*g = goroutine{past: past{spans: g.past.spans[:0]}, wakes: g.wakes[:0]}
	} else {
		g = &goroutine{}
	}
	g.since = f.now
	f.live[id] = g
	return g
}

// bury keeps the memory of a goroutine that ended for the next.
func (f *follower) bury(id trace.GoID, g *goroutine) {
	delete(f.live, id)
	g.past.forget()
	clear(g.wakes)
	f.buried = append(f.buried, g)
}

// leave ends the state that a goroutine is in, and books its time.
func (f *follower) leave(g *goroutine) {
	d := f.now - g.since
	if g.state == Running {
		f.running--
		if g.collector {
			f.collecting--
		}
	}
	switch g.state {
	case Running:
		if g.assists {
			f.spend(g, Assist, 0, d)
		} else {
			f.spend(g, Running, 0, d)
		}
	case Runnable:
		stw := min(f.stwTime-g.stwAt, d)
		gc := min(int64(f.gcTime-g.gcAt), d-stw)
		f.spendUntil(f.now-d+stw, g, STW, 0, stw)
		f.spendUntil(f.now-d+stw+gc, g, GC, 0, gc)
		f.spend(g, Runnable, 0, d-stw-gc)
	default:
		f.spend(g, g.state, g.stack, d)
	}
	g.woken = nil
}

// enter begins a state.
func (f *follower) enter(g *goroutine, s State, stack int32) {
	g.state, g.stack, g.since = s, stack, f.now
	g.gcAt, g.stwAt = f.gcTime, f.stwTime
	if s == Running {
		f.running++
		if g.collector {
			f.collecting++
		}
	}
}

// spend books a stretch that ends now.
func (f *follower) spend(g *goroutine, s State, stack int32, d int64) {
	f.spendUntil(f.now, g, s, stack, d)
}

func (f *follower) spendUntil(end int64, g *goroutine, s State, stack int32, d int64) {
	if d <= 0 {
		return
	}
	g.past.add(span{end: end, time: d, state: s, stack: stack, serves: g.serves(), idle: g.idle, behind: g.woken})
	if !g.idle {
		g.exact.add(s, stack, d)
		g.inferred.add(s, stack, d)
	}
	if stack != 0 {
		f.use(g, s, stack, d)
	}
}

func (f *follower) use(g *goroutine, s State, stack int32, d int64) {
	for len(f.uses) <= int(stack) {
		f.uses = append(f.uses, Use{})
	}
	u := &f.uses[stack]
	u.State = s
	if g.serves() {
		u.Inside += d
		u.Count++
	} else {
		u.Outside += d
	}
}

// serves reports whether a goroutine is inside a request.
func (g *goroutine) serves() bool { return !g.idle && (g.exact != nil || g.inferred != nil) }

// blocks begins a wait.
func (f *follower) blocks(g *goroutine, stack int32, at Event) {
	if stack == 0 {
		f.enter(g, at.state(unpark.WaitUnknown), 0)
		return
	}
	f.called(g, stack)
	info := f.stacks.info(stack)
	g.idle = info.mean.Idle
	f.enter(g, info.state, stack)
}

// rangeBegins and rangeEnds follow what the runtime does for a while. The names are
// those of runtime/traceruntime.go.
func (f *follower) rangeBegins(r trace.Range) {
	switch {
	case strings.HasPrefix(r.Name, "stop-the-world"):
		f.stopped = true
	case r.Name == "GC mark assist" && r.Scope.Kind == trace.ResourceGoroutine:
		f.assist(r.Scope.Goroutine(), true)
	}
}

func (f *follower) rangeEnds(r trace.Range) {
	switch {
	case strings.HasPrefix(r.Name, "stop-the-world"):
		f.stopped = false
	case r.Name == "GC mark assist" && r.Scope.Kind == trace.ResourceGoroutine:
		f.assist(r.Scope.Goroutine(), false)
	}
}

func (f *follower) assist(id trace.GoID, begins bool) {
	g := f.live[id]
	if g == nil || g.assists == begins {
		return
	}
	if g.state == Running {
		f.leave(g)
		g.assists = begins
		f.enter(g, Running, 0)
	}
	g.assists = begins
}
