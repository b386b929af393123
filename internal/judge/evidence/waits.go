package evidence

import (
	"slices"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/roles"
)

// place is what waits are summed by.
type place struct {
	class unpark.WaitClass
	side  unpark.Side
	idle  bool
	site  unpark.Site
}

// dumpPlace keeps waits that the block profile records apart from those that it does
// not: a call downstream may be of either sort at one line.
type dumpPlace struct {
	place
	recorded bool
}

func (s stack) place() place {
	return place{s.label.Class, s.label.Side, s.label.Idle, s.site()}
}

// sourceDump is the source of a wait that goroutine dumps show.
const sourceDump = "goroutine"

// waits sums the time spent not running, by place: from the block profile, and
// from dumps for what the block profile does not record (runtime/mprof.go:
// blockevent is called for channels, selects and semaphores only) or has not
// recorded yet.
type waits struct {
	*profiles
	traces *traces
}

func (w waits) reduce() []facts.Wait {
	recorded, dumped := tally[place]{}, tally[dumpPlace]{}
	for s := range w.of(unpark.KindBlock) {
		recorded.add(s.place(), s, s.value, s.count)
	}
	for _, s := range w.dumped() {
		if s.label.Class != unpark.WaitUnknown {
			dumped.add(dumpPlace{s.place(), s.label.Recorded}, s, s.value, 0)
		}
	}
	var out []facts.Wait
	traced, computed := w.traces.waits(), w.computed()
	for p, v := range traced.all() {
		// The block profile knows the whole window, dumps know more of it than a short
		// trace does, and without either the trace knows best. A select for what comes over a connection (net/http's client) is
		// a wait for the network in a trace, and one that the block profile would have in dumps: without that these leave it out.
		if p.recorded && w.has(unpark.KindBlock) || !p.recorded && len(w.instants) >= minSnapshots && (w.has(unpark.KindBlock) || dumped[p] != nil) {
			continue
		}
		out = append(out, w.wait(p.place, v, v.value, v.count, sourceTrace, v.samples))
	}
	for p, v := range dumped.all() {
		if p.side == unpark.RequestPath && !p.idle && !w.has(unpark.KindBlock) && p.recorded && w.traces.knows() {
			continue
		}
		delay := v.value / float64(len(w.instants)) * w.seconds
		if on := computed[p.place]; on != nil {
			if delay -= on.value; delay <= 0 {
				continue
			}
		}
		if p.recorded && w.has(unpark.KindBlock) {
			if !w.unfinished(v, recorded[p.place], delay) {
				continue
			}
			delete(recorded, p.place)
		}
		made := w.wait(w.placed(p.place), v, delay, 0, sourceDump, int64(len(w.instants)))
		if t := traced[p]; t != nil && !p.recorded {
			made.Traced = t.count
		}
		out = append(out, made)
	}
	for p, v := range recorded.all() {
		out = append(out, w.wait(w.placed(p), v, v.value, v.count, unpark.KindBlock.File(), v.samples))
	}
	ends := howEnded(w.traces)
	for i, f := range out {
		if e, ok := ends[waitIn{f.Class, f.Waiter.Function}]; ok && f.Side == unpark.RequestPath {
			out[i].Late, out[i].GivenUp, out[i].Wrote = unpark.Num(e.late), unpark.Num(e.givenUp), unpark.Num(e.wrote)
		}
	}
	return largest(out, func(w facts.Wait) float64 { return w.Delay }, func(w facts.Wait) unpark.Site { return w.Waiter })
}

// computed sums the CPU inside of system calls. A dump shows a goroutine in its call whether
// the kernel works for it there or lets it wait, and only the second is waiting.
func (w waits) computed() tally[place] {
	out := tally[place]{}
	for s := range w.of(unpark.KindCPU) {
		s.label = w.catalogue.Label(unpark.KindGoroutine, s.sites)
		if s.label.Class == unpark.WaitSyscall {
			out.add(s.place(), s, s.value, s.count)
		}
	}
	return out
}

// unfinished reports whether dumps show waiting that the block profile has not
// recorded: at least one goroutine in every dump, over three of them, and well
// above what was recorded. Fewer dumps than that are chance.
func (w waits) unfinished(v, known *sum, delay float64) bool {
	if len(w.instants) < minSnapshots || v.value < float64(len(w.instants)) {
		return false
	}
	part := w.part(unpark.KindBlock) // of a wait that is longer nothing is recorded
	if known != nil && known.count*part >= endsOften && known.value/known.count <= w.seconds*part/endsSoon {
		return false
	}
	return known == nil || delay > unfinishedFactor*known.value
}

// placed takes a wait off the request path that delays no request, as traces show: the
// stack of a flusher can look like a request's.
func (w waits) placed(p place) place {
	if p.side == unpark.RequestPath && !p.idle && w.traces.beside.all(waitIn{p.class, p.site.Function}) {
		p.side = unpark.Background
	}
	return p
}

func (w waits) wait(p place, v *sum, delay, count float64, source string, samples int64) facts.Wait {
	if p.side == unpark.RequestPath && !p.idle && source != sourceTrace {
		part := w.traces.beside.rest(waitIn{p.class, w.waitsIn(p, v).Function})
		delay, count = part*delay, part*count
	}
	out := facts.Wait{
		Class: p.class, Side: p.side, Waiter: p.site, Delay: delay, Count: count,
		Stack: clip(v.stack), Source: source, Idle: p.idle, Samples: samples,
	}
	beyond := v.stack[len(out.Stack):]
	if asked := w.asked(v.stack); len(asked) > 0 {
		out.Asked = asked[len(asked)-1]
		out.Above = clip(slices.Concat(beyond[max(0, len(beyond)+len(asked)-maxStack):], asked)) // what is in the middle is how a library calls itself
	} else if at := slices.IndexFunc(beyond, func(s unpark.Site) bool { return s.Function == p.site.Function }); at >= 0 {
		out.Above = clip(beyond[max(0, at+1-maxStack) : at+1])
	}
	return out
}

// waitsIn is the function by which traces name a wait: of a lock it is what takes that.
func (w waits) waitsIn(p place, v *sum) unpark.Site {
	if p.class != unpark.WaitLock {
		return p.site
	}
	s := stack{catalogue: w.catalogue, sites: v.stack, label: w.catalogue.Label(unpark.KindBlock, v.stack)}
	return s.caller()
}

// asked is the way from the application's line to the go statement that starts the goroutine of a stack, which a library runs for
// requests: a client that asks once for all that want the same, say. Leaf first.
func (w waits) asked(sites []unpark.Site) []unpark.Site {
	s := stack{catalogue: w.catalogue, sites: sites}
	theirs := func(at unpark.Site) bool {
		_, _, _, module := at.Module()
		return module || roles.Is(at.Function, roles.Standard) || strings.HasPrefix(at.File, "<") // <autogenerated>, of whichever
	}
	if len(sites) == 0 || slices.ContainsFunc(sites, s.handles) || slices.ContainsFunc(sites, func(at unpark.Site) bool { return !theirs(at) }) {
		return nil
	}
	above := slices.Clone(over(w.traces.started(), sites[len(sites)-1].Function))
	slices.Reverse(above)
	own := slices.IndexFunc(above, func(at unpark.Site) bool { return !theirs(at) })
	return clip(above[:own+1])
}
