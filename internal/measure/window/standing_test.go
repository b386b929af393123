package window

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/probe/agent"
)

// queueOnce has goroutines wait for a lock that is held for so long.
func queueOnce(hold time.Duration) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	mu.Lock()
	for range 4 {
		wg.Go(func() {
			mu.Lock()
			defer mu.Unlock()
		})
	}
	time.Sleep(hold)
	mu.Unlock()
	wg.Wait()
}

// TestWindowBeginsInThePast: what was over before the window was opened is in its block
// profile, when a guard kept the seconds before, and not without one.
func TestWindowBeginsInThePast(t *testing.T) {
	e := probed(t)
	ctx := t.Context()
	standing := Stand(ctx, []*Endpoint{e}, DefaultRates(), time.Hour)
	if len(standing.Notes) > 0 {
		t.Fatal(standing.Notes)
	}
	standing.Guard(ctx, []*Endpoint{e}, 10*time.Second, time.Hour)
	if agent.Active() == (standing.pasts[0].flight == nil) {
		t.Error("requests are marked, and there is no flight recorder, or the other way round")
	}
	if err := standing.Keep(ctx); err != nil {
		t.Fatal(err)
	}
	before := time.Now()
	queueOnce(200 * time.Millisecond)
	dir := t.TempDir()
	create := func(name string) (io.WriteCloser, error) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return nil, err
		}
		return os.Create(path)
	}
	o := Options{Name: "window-01", Duration: time.Second, Rates: DefaultRates(), Endpoints: []*Endpoint{e}, Create: create, Since: standing}
	for _, tt := range []struct {
		name  string
		since *Standing
		past  bool
	}{{"kept", standing, true}, {"without", nil, false}} {
		o.Since, o.Name = tt.since, "window-"+tt.name
		c, err := Measure(ctx, o)
		if err != nil {
			t.Fatal(err)
		}
		if c.Window.Start.Before(before) != tt.past {
			t.Errorf("%s: it begins %v after the stall", tt.name, c.Window.Start.Sub(before))
		}
		waited := 0.0
		for _, s := range c.Profiles[unpark.KindBlock][0].Samples() {
			for _, at := range s.Stack {
				if strings.Contains(at.Function, "queueOnce") {
					waited += s.Value
					break
				}
			}
		}
		if (waited > 0.5) != tt.past {
			t.Errorf("%s: goroutines waited %v s", tt.name, waited)
		}
		traced := false
		for _, f := range c.Window.Profiles {
			traced = traced || f.Kind == unpark.KindTrace && f.State == unpark.Present
		}
		if traced != (tt.past && e.Info.Flight) {
			t.Errorf("%s: the flight recorder: %v", tt.name, c.Window.Profiles)
		}
	}
	standing.Release()
	for deadline := time.Now().Add(20 * time.Second); runtime.SetMutexProfileFraction(-1) != 0 || agent.Active(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the rates are still lent")
		}
	}
}

// TestRings: two readings and ten dumps are kept, and dear ones come more rarely.
func TestRings(t *testing.T) {
	e := probed(t)
	p := &past{endpoint: e}
	now := time.Now()
	for i := range 30 {
		if err := p.keep(t.Context(), now.Add(time.Duration(i)*2*readEvery)); err != nil {
			t.Fatal(err)
		}
		p.looks.next = time.Time{}
	}
	if len(p.readings) != readingsKept || len(p.dumps) != dumpsKept {
		t.Errorf("%d readings, %d dumps", len(p.readings), len(p.dumps))
	}
	var d due
	d.took(price{at: now, took: time.Second}, readEvery, guardedLeast)
	if d.now(now.Add(restGuarded*time.Second - time.Second)) {
		t.Error("what takes a second is read again too soon")
	}
	d.took(price{at: now, took: time.Millisecond}, readEvery, guardedLeast)
	if d.now(now.Add(readEvery/2)) || !d.now(now.Add(readEvery)) {
		t.Error("one slow reading counts for more than a quick one")
	}
	r, dumps, ok := p.first()
	if !ok || len(r.kinds) != len(cumulative) || len(dumps) > dumpsKept {
		t.Error(r, len(dumps), ok)
	}
}

// TestReadingsKeepToTheBudget: whatever answers cost, all of them together take no more of a process than is allowed, and cheap
// ones come as often as they are wanted.
func TestReadingsKeepToTheBudget(t *testing.T) {
	for _, tt := range []struct {
		cost, cores float64 // of each answer, in CPU seconds; that the process uses
		often       bool
	}{{0.0001, 1, true}, {0.006, 0.01, false}, {0.02, 1.5, false}, {0.02, 16, true}, {3, 1.5, false}} {
		now, answers := time.Unix(1e9, 0), 0
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			answers++
			w.Header().Set("Trailer", costTrailer)
			if strings.HasSuffix(r.URL.Path, "/metrics") {
				fmt.Fprintf(w, `{"at":%q,"metrics":{},"cpu_s":%g}`, now.Format(time.RFC3339Nano), tt.cores*float64(now.Unix()-1e9))
			}
			w.Header().Set(costTrailer, fmt.Sprint(tt.cost))
		}))
		e, err := NewEndpoint(s.URL, "")
		if err != nil {
			t.Fatal(err)
		}
		e.Info = &Info{}
		p := &past{endpoint: e}
		const seconds = 1000
		for range seconds {
			if err := p.keep(t.Context(), now); err != nil {
				t.Fatal(err)
			}
			now = now.Add(time.Second)
		}
		first := 5 * tt.cost // one of each is taken before anything is known
		used := (float64(answers)*tt.cost - first) / seconds
		if most := max(guardedShare*tt.cores, guardedLeast); used > most {
			t.Errorf("%v s each, a process of %v cores: %.5f cores, the budget is %.5f", tt.cost, tt.cores, used, most)
		}
		if often := answers > 95*(seconds+4*seconds/int(readEvery.Seconds()))/100; often != tt.often {
			t.Errorf("%v s each, a process of %v cores: %d answers in %d s", tt.cost, tt.cores, answers, seconds)
		}
		s.Close()
	}
}

// TestProbeTellsWhatAnswersCost: and one that does not is paced by the clock.
func TestProbeTellsWhatAnswersCost(t *testing.T) {
	e := probed(t)
	p := &past{endpoint: e}
	if err := p.keep(t.Context(), time.Now()); err != nil {
		t.Fatal(err)
	}
	cost := p.readings[0].page.cost
	if v, ok := cost.Get(); ok != (runtime.GOOS == "linux") || ok && (v <= 0 || v > 60) {
		t.Errorf("a page of metrics took %v s of CPU", cost)
	}
	if byClock := p.reads.quickest > 0; byClock == (runtime.GOOS == "linux") {
		t.Errorf("paced by the clock: %v", byClock)
	}
}

// TestFollow reads lines of vitals until it is told to end, and tells of a process that is silent.
func TestFollow(t *testing.T) {
	e := probed(t)
	ctx, cancel := context.WithCancel(t.Context())
	n := 0
	err := e.Follow(ctx, time.Hour, time.Minute, func(b []byte) error {
		var v struct {
			Goroutines float64 `json:"goroutines"`
		}
		if err := json.Unmarshal(b, &v); err != nil || v.Goroutines < 1 {
			t.Errorf("%s: %v", b, err)
		}
		n++
		cancel()
		return nil
	})
	if n != 1 || err == nil {
		t.Errorf("%d lines, %v", n, err)
	}
	if err := e.Follow(t.Context(), 2*time.Second, time.Minute, func([]byte) error { return nil }); err != nil {
		t.Errorf("its time is over: %v", err)
	}
	if err := e.Follow(t.Context(), time.Hour, time.Millisecond, func([]byte) error { return nil }); err == nil || !strings.Contains(err.Error(), "no line within") {
		t.Errorf("silence: %v", err)
	}
}
