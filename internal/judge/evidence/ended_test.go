package evidence

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/exectrace"
)

// TestHowWaitsEnded: deadlines count by the time that requests wait, contexts that are done by the number of all waits, and what traces have
// hardly seen says nothing.
func TestHowWaitsEnded(t *testing.T) {
	const second = 1e9
	at := spot{site: unpark.Site{Function: "main.ask"}}
	for _, c := range []struct {
		name string
		use  exectrace.Use
		want waitEnds
	}{
		{"mostly late", exectrace.Use{Inside: 10 * second, Late: 9 * second, Ended: 100, GivenUp: 20}, waitEnds{0.9, 0.2, 0}},
		{"given up outside of requests", exectrace.Use{Outside: 10 * second, Ended: 100, GivenUp: 60}, waitEnds{0, 0.6, 0}},
		{"answered", exectrace.Use{Inside: 10 * second, Ended: 100}, waitEnds{}},
		{"hardly seen", exectrace.Use{Inside: second / 100, Late: second / 100, Ended: 2, GivenUp: 2}, waitEnds{}},
	} {
		c.use.State = exectrace.Downstream
		body := exectrace.Use{State: exectrace.Downstream, Ended: 300} // no context ends such a wait
		ts := &traces{all: []*exectrace.Trace{{Uses: []exectrace.Use{c.use, body}}}, spots: [][]spot{{at, at}}, fair: []int{0}}
		if got := howEnded(ts)[waitIn{unpark.WaitDownstream, "main.ask"}]; got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

// TestWritesBetweenWaits: what a handler writes to its client counts for its waits, and what it writes elsewhere does not.
func TestWritesBetweenWaits(t *testing.T) {
	const flush = "net/http.checkConnErrorWriter.Write bufio.(*Writer).Flush net/http.(*response).Flush main.events"
	for _, c := range []struct {
		name, stack string
		want        float64
	}{
		{"to its client", "syscall.write internal/poll.(*FD).Write net.(*conn).Write " + flush, 0.9},
		{"to another service", "syscall.write internal/poll.(*FD).Write net.(*conn).Write main.events", 0},
		{"of another kind", "syscall.fsync os.(*File).Sync main.events", 0},
	} {
		site := unpark.Site{Function: "main.events"}
		var sites []unpark.Site
		for name := range strings.FieldsSeq(c.stack) {
			sites = append(sites, unpark.Site{Function: name})
		}
		uses := []exectrace.Use{{State: exectrace.Select, Inside: 1e9, Ended: 10, Count: 10}, {State: exectrace.Syscall, Inside: 1e6, Ended: 9, Count: 9}}
		ts := &traces{all: []*exectrace.Trace{{Uses: uses}}, spots: [][]spot{{{site: site}, {site: site, stack: sites}}}, fair: []int{0}}
		if got := howEnded(ts)[waitIn{unpark.WaitSelect, "main.events"}].wrote; got != c.want {
			t.Errorf("%s: %g writes a wait, want %g", c.name, got, c.want)
		}
	}
}
