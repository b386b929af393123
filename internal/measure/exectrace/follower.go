package exectrace

import (
	"strings"

	"golang.org/x/exp/trace"

	"github.com/unpark-go/unpark"
)

const (
	// regionRequest is the type of the region that the probe's middleware opens
	// around a request (probe.RegionRequest).
	regionRequest = "request"
	// logAge is the category under which it logs how long ago the client meant to
	// send the request, in ns (probe.LogAge).
	logAge = "unpark.age"
	// logTrace is the category under which it logs which trace of the load a request
	// belongs to (probe.LogTrace), at most maxTrace digits.
	logTrace = "unpark.trace"
	maxTrace = 32
)

// follower hands the events of a trace to what keeps account of them.
type follower struct {
	stacks   *stacks
	tasks    map[trace.TaskID]string // their types
	sched    scheduler
	requests cutter
	waits    waitGraph
	starts   map[int32]map[int32]int64
	ended    map[int32]int64 // of these
	stops    map[int32]Holds
	stop     stop // that lasts now
	pace     pace

	events int64
	first  int64 // time of the first event
	used   int64 // bytes of the generations that are told
	ahead  int64 // and of the one that is being told
	told   bool  // there was an event
}

func newFollower(o Options) *follower {
	f := &follower{stacks: newStacks(o.Meaning), tasks: map[trace.TaskID]string{}, starts: map[int32]map[int32]int64{}, ended: map[int32]int64{}, stops: map[int32]Holds{}}
	f.sched.live = map[trace.GoID]*goroutine{}
	f.sched.moments = moments{length: int64(o.Moment), spent: map[moment]*timeline{}, sampled: map[int32][]int32{}}
	f.requests = cutter{sched: &f.sched, exact: newKeeper(o.Keep), inferred: newKeeper(o.Keep), order: o.Order}
	f.waits = waitGraph{sched: &f.sched, stacks: f.stacks}
	f.waits.places.numbers = map[uint64]int32{}
	f.waits.edges.index = map[edgeKey]int32{}
	return f
}

// seconds is how long the trace is so far.
func (f *follower) seconds() float64 { return float64(f.sched.now) / 1e9 }

// trace returns what was found.
func (f *follower) trace() *Trace {
	for _, g := range f.sched.live { // what they did last has not ended
		f.sched.moments.add(g.does(), g.stack, g.since, f.sched.now)
	}
	t := &Trace{
		Seconds: f.seconds(), Events: f.events,
		Stacks: f.stacks.sites(), Uses: f.sched.uses, Edges: f.waits.edges.list, Starts: f.starts, Ended: f.ended, Stops: f.stops,
		Live: f.pace.live, Goals: f.pace.goals, Procs: f.pace.procs, moments: f.sched.moments,
	}
	for len(t.Uses) < len(t.Stacks) {
		t.Uses = append(t.Uses, Use{})
	}
	t.Exact, t.Inferred = f.requests.requests()
	return t
}

func (f *follower) event(ev *trace.Event) {
	t := int64(ev.Time())
	if f.events == 0 {
		f.first = t
	}
	f.events++
	f.sched.advance(t - f.first)
	switch ev.Kind() {
	case trace.EventStateTransition:
		st := ev.StateTransition()
		if st.Resource.Kind == trace.ResourceGoroutine {
			f.transition(ev, &st)
		}
	case trace.EventRangeBegin, trace.EventRangeActive:
		f.ranged(ev, ev.Range(), true)
	case trace.EventRangeEnd:
		f.ranged(ev, ev.Range(), false)
	case trace.EventLabel:
		// Nothing but the collector's goroutines is labelled
		// (runtime/mgc.go:gcBgMarkWorker).
		if l := ev.Label(); l.Resource.Kind == trace.ResourceGoroutine && strings.HasPrefix(l.Label, "GC (") {
			f.sched.collects(f.sched.live[l.Resource.Goroutine()])
		}
	case trace.EventStackSample:
		if f.sched.moments.length > 0 {
			f.sched.moments.sample(f.stacks.number(ev.Stack(), AtSample), f.sched.now)
		}
	case trace.EventMetric:
		f.pace.metric(ev.Metric())
	case trace.EventTaskBegin:
		f.tasks[ev.Task().ID] = ev.Task().Type
	case trace.EventTaskEnd:
		delete(f.tasks, ev.Task().ID)
	case trace.EventLog:
		switch l := ev.Log(); l.Category {
		case logAge:
			f.requests.aged(f.sched.live[ev.Goroutine()], l.Message)
		case logTrace:
			f.requests.named(f.sched.live[ev.Goroutine()], l.Message)
		}
	case trace.EventRegionBegin:
		if reg := ev.Region(); reg.Type == regionRequest {
			f.requests.marked(f.sched.live[ev.Goroutine()], f.tasks[reg.Task])
		}
	case trace.EventRegionEnd:
		if reg := ev.Region(); reg.Type == regionRequest {
			f.requests.unmarked(f.sched.live[ev.Goroutine()])
		}
	}
}

// ranged follows what the runtime does for a while, when it begins and when it ends.
// The names are those of runtime/traceruntime.go.
func (f *follower) ranged(ev *trace.Event, r trace.Range, begins bool) {
	switch {
	case strings.HasPrefix(r.Name, "stop-the-world"):
		f.sched.cpus.stopped = begins
		f.pace.stops(r.Name, begins)
		if collects := strings.HasPrefix(r.Name, "stop-the-world (GC"); collects || ev.Kind() == trace.EventRangeActive {
			f.stop = stop{}
		} else if begins {
			f.stop = stop{f.stacks.number(ev.Stack(), AtStop), f.sched.now}
		} else if f.stop.stack != 0 {
			h := f.stops[f.stop.stack]
			h.add(f.sched.now - f.stop.since)
			f.stops[f.stop.stack], f.stop = h, stop{}
		}
	case r.Name == "GC mark assist" && r.Scope.Kind == trace.ResourceGoroutine:
		f.sched.assists(f.sched.live[r.Scope.Goroutine()], begins)
	}
}

// stop is a time in which only the goroutine runs that stopped the others.
type stop struct {
	stack int32 // of that one; 0 when there is none
	since int64 // ns
}

// transition moves a goroutine from one state into another.
func (f *follower) transition(ev *trace.Event, st *trace.StateTransition) {
	id := st.Resource.Goroutine()
	from, to := st.Goroutine()
	g := f.sched.live[id]
	if g == nil {
		if to == trace.GoNotExist {
			return
		}
		g = f.sched.born(id)
		if from == trace.GoNotExist {
			g.starter, g.creator = ev.Goroutine(), ev.Goroutine()
			entry := f.stacks.number(st.Stack, AtCreate)
			g.entry = entry
			if f.starts[entry] == nil {
				f.starts[entry] = map[int32]int64{}
			}
			f.starts[entry][f.stacks.number(ev.Stack(), AtStart)]++
			f.requests.created(g, f.meaning(entry))
		}
	} else if from == to {
		f.known(g, st)
		return
	}
	parked := g.idle
	if from == trace.GoWaiting && to == trace.GoRunnable {
		f.unblocked(g, ev)
	}
	f.sched.leave(g)
	if parked {
		g.idle = false
		f.requests.resumes(g)
	}
	switch to {
	case trace.GoRunning:
		f.sched.enter(g, Running, 0)
	case trace.GoRunnable:
		f.sched.enter(g, Runnable, 0)
	case trace.GoWaiting:
		at := blockedAt(st.Reason)
		f.blocks(g, f.stacks.number(st.Stack, at), at)
	case trace.GoSyscall:
		n := f.stacks.number(st.Stack, AtSyscall)
		f.requests.called(g, f.meaning(n))
		f.sched.enter(g, Syscall, n)
	case trace.GoNotExist:
		f.requests.returned(g)
		if g.entry != 0 {
			f.ended[g.entry]++
		}
		f.sched.bury(g)
	default:
		f.sched.enter(g, Unknown, 0)
	}
}

// meaning returns what a stack says. It is good until the next stack is numbered.
func (f *follower) meaning(stack int32) *Meaning { return &f.stacks.info(stack).mean }

// unblocked joins a goroutine that stops to wait with the one that ends its wait:
// the event is recorded on the latter, with the stack of its Unlock, send or Done
// (runtime/trace.go:GoUnpark).
func (f *follower) unblocked(g *goroutine, ev *trace.Event) {
	id := ev.Goroutine()
	another, by := g.state.EndedByAnother(), f.sched.live[id]
	if by != nil && by != g && !by.collector {
		stack := f.stacks.number(ev.Stack(), AtWake)
		mean := f.meaning(stack)
		g.done, g.late = mean.Done, mean.Late
		if another {
			f.waits.unblocked(g, by, stack)
		}
	}
	if by != nil && by.creator == g.id {
		return // what it began itself sets it to no other work
	}
	if another && g.state != Lock || untold(g.state) && id != trace.NoGoroutine {
		g.starter = id
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
		m := f.meaning(n)
		g.stack, g.idle = n, m.Idle
		g.learn(m)
	}
}

// blocks begins a wait.
func (f *follower) blocks(g *goroutine, stack int32, at Event) {
	if stack == 0 {
		f.sched.enter(g, at.state(unpark.WaitUnknown), 0)
		return
	}
	info := f.stacks.info(stack)
	f.requests.called(g, &info.mean)
	g.idle = info.mean.Idle
	f.sched.enter(g, info.state, stack)
}
