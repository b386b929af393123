package predict

import (
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
)

// TestForeign: of one's own function all that it costs may go, and no more; a fix of a library's, and asking another service
// less, may take more with it, so that only the least is said. A wait for a place has its length, in whichever code.
func TestForeign(t *testing.T) {
	of := func(class unpark.Class, culprit string) unpark.Prediction {
		s := full2()
		s.limit = unpark.LimitCPU
		c := closedLoop{change{s, ofCPU(0.4)}}
		c.cut.answer = class == unpark.ClassChannel
		p := unpark.Prediction{Throughput: unpark.Between(1.6, 1.3, 2.1, "ratio", 100), P50: unpark.Between(0.6, 0.5, 0.8, "ratio", 100)}
		f := unpark.Finding{Class: class, Site: unpark.Site{Function: "app.serve"}}
		if culprit != "" {
			f.Culprit = &unpark.Site{Function: culprit}
		}
		c.silent(&p, f)
		return p
	}
	for _, test := range []struct {
		class       unpark.Class
		culprit     string
		open, alone bool // alone: what would be if it took nothing and all else stayed is said beside the least
	}{
		{unpark.ClassCPU, "example.org/lib.Parse", true, true},
		{unpark.ClassAlloc, "time.After", true, true},
		{unpark.ClassCPU, "app.serve", false, false},
		{unpark.ClassCPU, "", false, false},
		{unpark.ClassPool, "example.org/lib.(*Pool).Get", false, false},
		{unpark.ClassLock, "example.org/log.(*Log).Write", true, false},
		{unpark.ClassLock, "app.write", false, false},
		{unpark.ClassChannel, "example.org/cache.(*Cache).Set", true, true},
		{unpark.ClassChannel, "app.put", false, false},
		{unpark.ClassDownstream, "", true, false},
	} {
		p := of(test.class, test.culprit)
		if q := p.Throughput; q.High.Known() == test.open || q.Low != unpark.Num(1.3) {
			t.Errorf("%s of %q: %+v", test.class, test.culprit, q)
		}
		if got := p.Alternatives; len(got) > 0 != test.alone || test.alone && (got[0].Fix != unpark.FixAlone || got[0].Throughput != unpark.Between(1.6, 1.3, 2.1, "ratio", 100)) {
			t.Errorf("%s of %q alone: %+v", test.class, test.culprit, got)
		}
	}
}

// TestForeignLock: a library's lock goes with what is computed under it where that is called less, however small what it buys is; the
// application's own goes alone. Its waiter tells whose it is where nothing else is known.
func TestForeignLock(t *testing.T) {
	for waiter, open := range map[string]bool{"example.org/pool.(*Pool).Acquire.func2": true, "app.(*store).take": false} {
		s := full2()
		s.limit = unpark.LimitCPU
		p := unpark.Prediction{Throughput: unpark.Between(1.11, 1.05, 1.2, "ratio", 100)}
		closedLoop{change{s, ofCPU(0.1)}}.silent(&p, unpark.Finding{Class: unpark.ClassLock, Site: unpark.Site{Function: "app.report"}, Waiter: &unpark.Site{Function: waiter}})
		if q := p.Throughput; q.High.Known() == open || q.Low != unpark.Num(1.05) {
			t.Errorf("%s: %+v", waiter, q)
		}
	}
}

// TestTimeWithoutAName: where most of a request's time has no name, requests may queue for what one of them waits for, and nothing is said of
// how much is bought without that; where it has one, or where CPU goes, both ends are.
func TestTimeWithoutAName(t *testing.T) {
	for name, c := range map[string]struct {
		limit unpark.LimitKind
		wait  float64 // part of a request that is measured
		fix   cut
		open  bool
	}{
		"a loop that nothing shows": {unpark.LimitUnknown, 0.1, cut{wait: span{1e-3, 2e-3, 2e-3}, under: -1}, true},
		"all is known":              {unpark.LimitUnknown, 0.9, cut{wait: span{1e-3, 2e-3, 2e-3}, under: -1}, false},
		"connections are few":       {unpark.LimitConnections, 0.1, cut{wait: span{1e-3, 2e-3, 2e-3}, under: -1}, false},
		"CPU":                       {unpark.LimitUnknown, 0.1, ofCPU(0.1), false},
	} {
		site := unpark.Site{Function: "app.ask"}
		s := full2(func(ev *facts.Evidence) {
			ev.Waits = []facts.Wait{{Side: unpark.RequestPath, Class: unpark.WaitDownstream, Waiter: site, Delay: c.wait * 25e-3 * 30_000, Count: 30_000, Stack: []unpark.Site{site}}}
		})
		s.limit, s.cpu = c.limit, 0.1e-3
		p := unpark.Prediction{Throughput: unpark.Between(1.07, 1.003, 1.13, "ratio", 100)}
		closedLoop{change{s, c.fix}}.silent(&p, unpark.Finding{Class: unpark.ClassIO, Site: site, Waiter: &site})
		if q := p.Throughput; q.High.Known() == c.open || q.Low != unpark.Num(1.003) {
			t.Errorf("%s: %+v", name, q)
		}
	}
}
