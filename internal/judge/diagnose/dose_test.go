package diagnose_test

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/diagnose"
)

// atHalf is a window at half the load in which a lock had these mean waiters.
func atHalf(waiters float64) facts.Dose {
	return facts.Dose{RPS: 500, Seconds: 10, Waits: []facts.Wait{
		waits(unpark.WaitLock, waiters*10, 2000, "block.pb.gz", "sync.(*Mutex).Lock", "app.(*Cache).Get", "net/http.(*conn).serve"),
	}}
}

func TestDose(t *testing.T) {
	inside := unpark.Tracing{Seconds: 2, Requests: 2000, Edges: []unpark.Edge{{
		Class: unpark.WaitLock, Waiter: fn("app.(*Cache).Get"), Holder: fn("app.(*Cache).Get"), Delay: 6,
	}}}
	tests := []struct {
		name    string
		dose    []facts.Dose
		tracing *unpark.Tracing
		listed  bool
		notice  bool
		low     bool
	}{
		{"one level only", nil, nil, true, false, false},
		{"a queue: five times the waiters at twice the load", []facts.Dose{atHalf(0.6)}, nil, true, false, false},
		{"a wait of every request: twice the waiters", []facts.Dose{atHalf(1.5)}, nil, true, false, false},
		{"as many at half the load: parking", []facts.Dose{atHalf(2.9)}, nil, false, true, false},
		{"as many, but a trace finds them inside requests", []facts.Dose{atHalf(2.9)}, &inside, true, true, true},
		{"the other level is too near", []facts.Dose{{RPS: 900, Seconds: 10, Waits: atHalf(2.9).Waits}}, nil, true, false, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ev := calm()
			ev.Locks = []facts.Lock{contended(30, 0.5)}
			ev.Doses, ev.Tracing = tt.dose, tt.tracing
			limit, findings, notices := diagnose.Verdict(ev, nil)
			locks := of(unpark.ClassLock, findings)
			if listed := len(locks) > 0; listed != tt.listed {
				t.Fatalf("listed %t, want %t: %v", listed, tt.listed, findings)
			}
			told := false
			for _, n := range notices {
				told = told || n.Code == "signs-disagree" && strings.Contains(n.Message, "(*Cache).Get")
			}
			if told != tt.notice {
				t.Errorf("notice %t, want %t: %v", told, tt.notice, notices)
			}
			if tt.listed && (locks[0].Confidence == unpark.Low) != tt.low {
				t.Errorf("confidence %s, low wanted: %t", locks[0].Confidence, tt.low)
			}
			if !tt.listed && limit.Kind == unpark.LimitLock {
				t.Errorf("the limit is a wait that is not listed: %s", limit.Why)
			}
		})
	}
}

func TestTailFacts(t *testing.T) {
	tracing := func(low float64) *unpark.Tracing {
		return &unpark.Tracing{
			Seconds: 2, Requests: 2000, Tail: unpark.Cohort{From: 0.99, To: 1, N: 20, Mean: 0.48}, Middle: unpark.Cohort{From: 0.4, To: 0.6, N: 400, Mean: 0.02},
			Excess: []unpark.Excess{
				{Class: unpark.WaitLock, Site: fn("app.(*Cache).Get"), Tail: 0.43, Middle: 0.003, More: unpark.Between(0.427, low, 0.44, "s/req", 20), Share: unpark.Num(0.93)},
				{Class: unpark.WaitScheduler, Tail: 0.02, Middle: 0.001, More: unpark.Between(0.019, 0.01, 0.03, "s/req", 20), Share: unpark.Num(0.04)},
			},
			Edges: []unpark.Edge{{
				Class: unpark.WaitLock, Waiter: fn("app.(*Cache).Get"), Holder: fn("app.(*Cache).fill"), Delay: 6, Count: 100,
				Held: []unpark.Held{
					{Class: unpark.WaitSyscall, Site: fn("app.(*Cache).fill"), Call: unpark.Site{Function: "os.(*File).Sync"}, Share: 0.9},
					{Class: unpark.Running, Share: 0.05},
				},
			}},
		}
	}
	texts := func(low float64) string {
		ev := calm()
		ev.Locks, ev.Tracing = []facts.Lock{contended(30, 0.5)}, tracing(low)
		_, findings, _ := diagnose.Verdict(ev, nil)
		var out strings.Builder
		for _, f := range of(unpark.ClassLock, findings)[0].Facts {
			out.WriteString(f.Text + "\n")
		}
		return out.String()
	}
	got := texts(0.4)
	for _, want := range []string{
		"the slowest 1 % (480 ms on average) spend here",
		"share of what makes them slower than requests in the middle",
		"the waits were ended in app.(*Cache).fill (app.go:10)",
		"in a system call, os.(*File).Sync in app.(*Cache).fill (app.go:10)",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if strings.Contains(got, "on a processor") {
		t.Errorf("a twentieth is told:\n%s", got)
	}
	if got := texts(-0.1); strings.Contains(got, "slowest") {
		t.Errorf("an excess that may be none is told:\n%s", got)
	}
}
