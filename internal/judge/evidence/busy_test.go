package evidence

import (
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
)

func TestCountedUtilization(t *testing.T) {
	get := unpark.Site{Function: "main.(*cache).get", Line: 30}
	// 400 requests a second hold it for 2.25 ms each: 0.9 of the time, so 0.9 of them wait.
	base := func() (*profiles, []facts.Lock, *unpark.Tracing) {
		l := facts.Lock{Waiter: get, Holder: get, Count: 3600, Utilization: unpark.Num(0.8)}
		e := unpark.Edge{Class: unpark.WaitLock, Waiter: get, Holder: get, Hold: &unpark.Hold{N: 1500, Mean: 2.25e-3}}
		return &profiles{seconds: 10, processes: 1, instants: make([][]stack, 16)}, []facts.Lock{l}, &unpark.Tracing{Edges: []unpark.Edge{e}}
	}
	for _, c := range []struct {
		name   string
		change func(*profiles, []facts.Lock, *unpark.Tracing)
		want   float64
	}{
		{"once a request", func(*profiles, []facts.Lock, *unpark.Tracing) {}, 0.9},
		{"three times, for a third", func(_ *profiles, ls []facts.Lock, tr *unpark.Tracing) {
			ls[0].Count *= 3
			tr.Edges[0].Hold.Mean /= 3
		}, 0.9},
		{"two processes", func(p *profiles, _ []facts.Lock, tr *unpark.Tracing) {
			p.processes = 2
			tr.Edges[0].Hold.Mean *= 2
		}, 0.9},
		{"dumps miss those that have just got the lock", func(p *profiles, ls []facts.Lock, _ *unpark.Tracing) {
			p.instants = make([][]stack, 1000)
			ls[0].Utilization = unpark.Num(0.75)
		}, 0.9},
		{"many dumps say less", func(p *profiles, ls []facts.Lock, _ *unpark.Tracing) {
			p.instants = make([][]stack, 1000)
			ls[0].Utilization = unpark.Num(0.6)
		}, 0.6},
		{"many dumps say more", func(p *profiles, ls []facts.Lock, _ *unpark.Tracing) {
			p.instants = make([][]stack, 1000)
			ls[0].Utilization = unpark.Num(0.96)
		}, 0.96},
		{"too few holds", func(_ *profiles, _ []facts.Lock, tr *unpark.Tracing) { tr.Edges[0].Hold.N = 20 }, 0.8},
		{"another lock's holds", func(_ *profiles, _ []facts.Lock, tr *unpark.Tracing) { tr.Edges[0].Holder.Line = 99 }, 0.8},
	} {
		p, locks, trace := base()
		c.change(p, locks, trace)
		l := counted(p, locks, trace, unpark.Num(4000))[0]
		if got := l.Utilization.Or(0); !near(got, c.want, 1e-9) || l.Counted != (c.want == 0.9) {
			t.Errorf("%s: %v, counted %v, want %v", c.name, got, l.Counted, c.want)
		}
	}
	p, locks, _ := base()
	if got := counted(p, locks, nil, unpark.Num(4000))[0].Utilization.Or(0); got != 0.8 {
		t.Errorf("without a trace: %v", got)
	}
}
