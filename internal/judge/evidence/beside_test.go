package evidence

import (
	"math"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/exectrace"
)

// TestPartInRequests: what requests start and do not wait for runs through the same functions as they do. Of a lock's waits, and of others, those
// count that traces find in requests or that hold one up, where they know the load's requests as such and find much outside.
func TestPartInRequests(t *testing.T) {
	const second = 1e9
	for name, c := range map[string]struct {
		inside, chained, outside float64 // s
		known                    int64   // requests of the traces
		part                     float64
		side                     unpark.Side
	}{
		"three quarters are beside":          {0.3, 0, 0.9, 1000, 0.25, unpark.RequestPath},
		"requests wait behind those":         {0.3, 0.2, 0.9, 1000, 5. / 12, unpark.RequestPath},
		"as much in requests":                {0.7, 0, 0.6, 1000, 1, unpark.RequestPath},
		"all are beside":                     {0, 0, 0.9, 1000, 1, unpark.Background},
		"few requests are known":             {0.3, 0, 0.9, 500, 1, unpark.RequestPath},
		"hardly any are beside":              {0.3, 0, 0.05, 1000, 1, unpark.RequestPath},
		"all are in requests, and hold more": {0.9, 0.9, 0.3, 1000, 1, unpark.RequestPath},
	} {
		in := Input{Window: window(8), Profiles: single(profileOf(t, unpark.KindBlock,
			made{"sync.(*Mutex).Lock lib.(*Conn).send" + handler, 800, 80}, made{"runtime.chanrecv1 main.wait" + serve, 400, 40}))}
		in.Window.Load = &unpark.Load{Mode: unpark.Closed, AchievedRPS: 1000, Requests: 8000}
		p := newProfiles(in)
		p.coverage = p.cover()
		use := func(s exectrace.State) exectrace.Use {
			return exectrace.Use{State: s, Inside: int64(c.inside * second), Chained: int64(c.chained * second), Outside: int64(c.outside * second)}
		}
		trace := &exectrace.Trace{
			Seconds: 1, Uses: []exectrace.Use{use(exectrace.Lock), use(exectrace.Channel)},
			Stacks: [][]unpark.Site{sitesOf("sync.(*Mutex).Lock lib.(*Conn).send" + handler), sitesOf("runtime.chanrecv1 main.wait" + serve)},
		}
		ts := &traces{window: p, all: []*exectrace.Trace{trace}, fair: []int{0}, count: c.known, spots: [][]spot{spotsOf(p.catalogue, trace)}}
		ts.beside = besideOf(ts)
		l := contention{p, ts}.reduce()[0]
		if math.Abs(l.Delay-c.part*800) > 1e-6 || math.Abs(l.Count-c.part*80) > 1e-6 {
			t.Errorf("%s: the lock is waited for for %g s, %g times, want the part %g", name, l.Delay, l.Count, c.part)
		}
		for _, w := range (waits{p, ts}).reduce() {
			if w.Class == unpark.WaitChannel && c.chained > 0 {
				continue // what waits for a message holds none up by that: whatever sends it does
			}
			if whole := map[unpark.WaitClass]float64{unpark.WaitLock: 800, unpark.WaitChannel: 400}[w.Class]; math.Abs(w.Delay-c.part*whole) > 1e-6 {
				t.Errorf("%s: %s %g s of %g, want the part %g", name, w.Class, w.Delay, whole, c.part)
			} else if w.Class == unpark.WaitChannel && w.Side != c.side {
				t.Errorf("%s: %s is on the side %q, want %q", name, w.Class, w.Side, c.side)
			}
		}
	}
}
