package diagnose

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/model"
)

// ofPlaces is a model in which requests wait for a pool, and so many are not waiting.
func ofPlaces(busy, used float64, below ...string) *model.Model {
	l := unpark.Latency{N: 1000, Mean: 0.08, P50: 0.08, P99: 0.1, Max: 0.2}
	stack := []unpark.Site{{Function: "runtime.chansend1"}}
	for _, f := range append(below, "main.resize") {
		stack = append(stack, unpark.Site{Function: f, File: "main.go", Line: 9})
	}
	return model.New(facts.Evidence{
		Coverage: map[unpark.Kind]facts.KindCoverage{unpark.KindBlock: {State: unpark.Present}},
		Seconds:  10, Requests: unpark.Num(1000), CPU: facts.CPU{Cores: unpark.Num(used), Allowed: unpark.Num(2), Sampled: unpark.Num(10 * used)},
		Waits: []facts.Wait{{
			Side: unpark.RequestPath, Class: unpark.WaitPool, Waiter: stack[len(stack)-1], Delay: 10 * (8 - busy), Count: 1000,
			Source: unpark.KindBlock.File(), Stack: stack,
		}},
		Window: unpark.Window{
			Profiles: []unpark.ProfileFile{{Kind: unpark.KindBlock, State: unpark.Present, Rate: unpark.Num(1e6)}},
			Load:     &unpark.Load{Mode: unpark.Closed, AchievedRPS: 100, Response: l, Service: l},
		},
	})
}

// TestFewPlaces: of fewer places than processors more come first, and else what a place is held for.
func TestFewPlaces(t *testing.T) {
	for name, c := range map[string]struct {
		busy, used float64
		below      []string
		first      string
	}{
		"one place":           {1, 0.9, nil, "Raise the pool's size"},
		"as many as cores":    {2.2, 0.9, nil, "Hold a place for less"},
		"one, cores are full": {1, 1.95, nil, "Hold a place for less"},
		"one connection":      {1, 0.9, []string{"database/sql.(*DB).conn"}, "Give it back sooner"},
	} {
		all := runPool(ofPlaces(c.busy, c.used, c.below...))
		if len(all) != 1 || !strings.HasPrefix(all[0].Remedies[0].Title, c.first) {
			t.Errorf("%s: %+v", name, all)
		}
	}
}

// TestBlockingHasPlaces: a place in a pool is waited for until another request gives it back, as a lock is.
func TestBlockingHasPlaces(t *testing.T) {
	b, ok := Blocking(ofPlaces(1, 0.9))
	if !ok || b.First == nil || b.First.Class != unpark.ClassPool || b.Waiters.Value.Or(0) != 7 || b.Share.Value.Or(0) != 1 {
		t.Errorf("seven wait for a place: %+v", b)
	}
	// A connection that is opened is given back by no other request.
	if b, _ := Blocking(ofPlaces(1, 0.9, "net.(*Dialer).DialContext", "net/http.(*Transport).dialConn", "net/http.(*Transport).getConn")); b.First != nil || b.Waiters.Value.Or(0) != 0 {
		t.Errorf("seven wait for connections that are opened: %+v", b)
	}
}

// TestLargestSourceFirst: of two sources of one wait the one that most of it is from is the first fact.
func TestLargestSourceFirst(t *testing.T) {
	m := ofPlaces(1, 0.9)
	p := m.Pool[0]
	for first, sources := range map[string]map[string]float64{
		"goroutine":   {"block.pb.gz": 0.004, "goroutine": 10},
		"block.pb.gz": {"block.pb.gz": 8, "goroutine": 0.5},
		"a":           {"b": 1, "a": 1},
	} {
		p.Sources = sources
		if got := finding(m, "pool", unpark.ClassPool, p).Facts; got[0].Source != first || got[0].Value.Or(0) != sources[first] || len(got) < 2 {
			t.Errorf("of %v: %+v", sources, got)
		}
	}
}

// TestFewPlacesBesideOthers: processors that other processes have are no more free for more places.
func TestFewPlacesBesideOthers(t *testing.T) {
	m := ofPlaces(1, 0.2)
	if !fewPlaces(m, m.Pool[0]) {
		t.Error("one place, and room")
	}
	m.Shared, m.Machine, m.Others = true, unpark.Num(0.99), 0.85
	if fewPlaces(m, m.Pool[0]) {
		t.Error("one place, and others have the processors")
	}
}
