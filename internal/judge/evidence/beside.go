package evidence

import (
	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/exectrace"
)

// beside says of waits which part is in requests, as traces show it: what a request starts and does not wait for runs through the
// same functions as requests do, and in a profile looks the same.
type beside struct {
	inside map[waitIn]float64 // the part that is in requests, or holds one up, of waits that are outside as well
	known  bool               // the requests of the load are known as such
}

func besideOf(ts *traces) beside {
	if !ts.knows() {
		return beside{}
	}
	type times struct{ inside, chained, outside float64 }
	sums := map[waitIn]times{}
	var lasting float64
	for _, i := range ts.fair {
		lasting += ts.all[i].Seconds
		for n, u := range ts.all[i].Uses {
			if !u.State.HasPlace() {
				continue
			}
			k := waitIn{u.State.Class(), ts.spots[i][n].site.Function}
			t := sums[k]
			t.inside += seconds(u.Inside)
			if !forMessages(u.State) {
				t.chained += seconds(u.Chained)
			}
			t.outside += seconds(u.Outside)
			sums[k] = t
		}
	}
	out := beside{inside: map[waitIn]float64{}}
	if l := ts.window.in.Window.Load; l != nil {
		out.known = float64(ts.count) >= mostKnown*l.AchievedRPS*lasting
	}
	for k, t := range sums {
		if t.outside >= enoughTraced {
			out.inside[k] = min(1, (t.inside+t.chained)/(t.inside+t.outside))
		}
	}
	return out
}

// all reports whether a wait is outside of requests and holds none up.
func (b beside) all(k waitIn) bool {
	part, ok := b.inside[k]
	return ok && part <= besidePart
}

// rest is the part of a wait that is in requests, or holds one up, where most is not; 1 where that is not known. Of smaller parts outside
// nothing is said: requests that a trace has the beginning or the end of are outside to it.
func (b beside) rest(k waitIn) float64 {
	part, ok := b.inside[k]
	if !ok || !b.known || b.all(k) || part > mostlyBeside {
		return 1
	}
	return part
}

// forMessages reports whether a goroutine that serves no request waits in such a state
// for a message. Requests that wait for it wait for what sends the message.
func forMessages(s exectrace.State) bool {
	switch s.Class() {
	case unpark.WaitChannel, unpark.WaitSelect, unpark.WaitCond:
		return true
	default:
		return false
	}
}
