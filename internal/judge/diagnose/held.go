package diagnose

import (
	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/roles"
)

// work is what a frame below a lock's holder does.
type work string

const (
	workSleep   work = "sleeping"
	workIO      work = "I/O"
	workEncode  work = "encoding"
	workCompute work = "work"
)

// workOf sorts frames of the standard library and of common clients; a frame
// that is none of them is work.
func workOf(function string) work {
	switch {
	case roles.Is(function, roles.Sleep):
		return workSleep
	case roles.Is(function, roles.IO):
		return workIO
	case roles.Is(function, roles.Encode):
		return workEncode
	default:
		return workCompute
	}
}

// burden is what a holder does while it holds the lock: the frame to move out
// and what sort of work it is.
type burden struct {
	frame unpark.Site // the heaviest frame below the holder; zero when none was seen
	value float64
	what  work
	named unpark.Site // the frame that says what sort of work it is
	// source is the file that shows the frame.
	source string
}

// burdenOf reads the frames below the holder, largest first. The heaviest frame
// is often the application's own function around the wait; what it does shows
// in a library frame that holds at least half as much, or in what requests wait
// for below it.
func (r reading) burdenOf(l facts.Lock) burden {
	b := burden{what: workCompute, source: "goroutine.pb.gz"}
	for _, h := range l.Held {
		f := h.Site.Function
		if f == l.Holder.Function || h.Value <= 0 || roles.Is(f, roles.Lock) && !roles.Is(f, roles.IO) {
			continue
		}
		if b.frame.IsZero() {
			b.frame, b.value, b.named = h.Site, h.Value, h.Site
		}
		if w := workOf(f); w != workCompute && h.Value >= b.value/2 {
			b.what, b.named = w, h.Site
			return b
		}
	}
	if what, named, ok := r.originOf(l); ok {
		b.what, b.named = what, named
		if b.frame.IsZero() {
			b.frame, b.value, b.source = named, 1, traceFile
		}
		return b
	}
	if b.frame.IsZero() {
		return b
	}
	var most float64
	for _, w := range r.ev.Waits {
		if what := workOfWait(w.Class); what != "" && w.Delay > most && w.Delay >= b.value/2 &&
			on(w.Stack, b.frame.Function) && on(w.Stack, l.Holder.Function) {
			most, b.what = w.Delay, what
			b.named = w.Waiter
		}
	}
	return b
}

func workOfWait(c unpark.WaitClass) work {
	switch c {
	case unpark.WaitSleep:
		return workSleep
	case unpark.WaitSyscall, unpark.WaitNetwork, unpark.WaitDownstream, unpark.WaitPool:
		return workIO
	default:
		return ""
	}
}

// originOf says what keeps the holder of a lock, as a trace shows it: also through
// those it waits for itself.
func (r reading) originOf(l facts.Lock) (work, unpark.Site, bool) {
	o, ok := r.origin([]unpark.WaitClass{unpark.WaitLock}, l.Waiter.Function)
	what := workOfWait(o.held.Class)
	named := o.held.Call
	if named.IsZero() {
		named = o.held.Site
	}
	return what, named, ok && what != "" && o.share >= fills && !named.IsZero()
}
