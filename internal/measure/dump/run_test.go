package dump

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/unpark-go/unpark"
)

// source answers with dumps in turn, the last of them for good.
func source(took time.Duration, dumps ...[]byte) Source {
	n := 0
	return Source{Endpoint: "test", Stacks: func(context.Context) ([]byte, error) {
		time.Sleep(took)
		n++
		d := dumps[min(n, len(dumps))-1]
		if d == nil {
			return nil, errors.New("connection refused")
		}
		return d, nil
	}}
}

func times(w unpark.Watch) []float64 {
	var out []float64
	for _, d := range w.Processes[0].Dumps {
		out = append(out, d.At)
	}
	return out
}

func codes(w unpark.Watch) (out []string) {
	for _, n := range w.Warnings {
		out = append(out, n.Code)
	}
	return out
}

// TestSchedule uses a clock that stands still while nobody works.
func TestSchedule(t *testing.T) {
	d := dumpOf(mainGor, send(5, "chan send", "0x1"))
	for _, test := range []struct {
		name  string
		c     Config
		took  time.Duration
		times []float64
		codes []string
	}{
		{"by count", Config{Every: time.Second, Count: 4}, time.Millisecond, []float64{0, 1.001, 2.002, 3.003}, []string{"short"}},
		{"by time", Config{Every: 2 * time.Second, For: 5 * time.Second}, 0, []float64{0, 2, 4}, []string{"short"}},
		{"dear dumps come less often", Config{Every: time.Second, Count: 3}, 100 * time.Millisecond, []float64{0, 10, 20}, []string{"stretched", "short"}},
		{"dear dumps, by time", Config{Every: time.Second, For: 31 * time.Second}, 100 * time.Millisecond, []float64{0, 10, 20, 30}, []string{"stretched", "short"}},
		{"three at least", Config{Every: time.Second, For: 3 * time.Second}, 100 * time.Millisecond, []float64{0, 10, 20}, []string{"stretched", "short"}},
	} {
		synctest.Test(t, func(t *testing.T) {
			test.c.Sources = []Source{source(test.took, d)}
			w, err := Run(context.Background(), test.c)
			if err != nil {
				t.Fatal(err)
			}
			if got := times(w); !slices.EqualFunc(got, test.times, func(a, b float64) bool { return a-b < 1e-6 && b-a < 1e-6 }) {
				t.Errorf("%s: dumps at %v, want %v", test.name, got, test.times)
			}
			if got := codes(w); !slices.Equal(got, test.codes) {
				t.Errorf("%s: warnings %v, want %v", test.name, got, test.codes)
			}
			if w.Totals.Stuck != 1 {
				t.Errorf("%s: %+v", test.name, w.Totals)
			}
		})
	}
}

// TestLastDumpWaitsForTheMinute: the collection comes after the first dump, and
// the last dump when its minute is over.
func TestLastDumpWaitsForTheMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := source(0, dumpOf(mainGor, send(5, "chan send", "0x1")), dumpOf(mainGor, send(5, "chan send", "0x1")), dumpOf(mainGor, send(5, "chan send, 1 minutes", "0x1")))
		s.Collect = func(context.Context) error { time.Sleep(3 * time.Second); return nil }
		w, err := Run(context.Background(), Config{Sources: []Source{s}, Every: 30 * time.Second, For: time.Minute})
		if err != nil {
			t.Fatal(err)
		}
		if got := times(w); got[len(got)-1] != 63.5 {
			t.Errorf("dumps at %v", got)
		}
		if w.Groups[0].Proven != 1 || len(w.Warnings) != 0 || w.Processes[0].Collected.Or(0) != 3 {
			t.Errorf("%+v, warnings %v", w.Groups[0], w.Warnings)
		}
	})
}

func TestInterrupted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(context.Background(), 3500*time.Millisecond)
		defer cancel()
		leaks := source(0, nil)
		leaks.Leaks = func(context.Context) ([]byte, error) { t.Error("the leak profile was read"); return nil, nil }
		leaks.Stacks = source(0, dumpOf(mainGor, send(5, "chan send", "0x1"))).Stacks
		w, err := Run(ctx, Config{Sources: []Source{leaks}, Every: time.Second, Count: 60})
		if err != nil || w.Partial != "interrupted after 4 of 60 dumps" || w.Totals.Stuck != 1 {
			t.Errorf("%v, %q, %+v", err, w.Partial, w.Totals)
		}
	})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Run(ctx, Config{Sources: []Source{source(0, nil)}, Every: time.Second, Count: 3}); err == nil || !strings.Contains(err.Error(), "before the first dump") {
		t.Errorf("error %v", err)
	}
}

func TestSourcesThatFail(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := dumpOf(mainGor, send(5, "chan send", "0x1"))
		if _, err := Run(context.Background(), Config{Sources: []Source{source(0, nil), source(0, nil)}, Every: time.Second, Count: 3}); err == nil {
			t.Error("no dump at all is no error")
		}
		w, err := Run(context.Background(), Config{Sources: []Source{source(0, d, d, d, nil), source(0, d)}, Every: time.Second, Count: 5})
		if err != nil || w.Partial != "" || !slices.Contains(codes(w), "missing-dumps") || w.Totals.Stuck != 2 {
			t.Errorf("one of two: %v, %q, %v, %+v", err, w.Partial, codes(w), w.Totals)
		}
		w, err = Run(context.Background(), Config{Sources: []Source{source(0, d, d, d, nil)}, Every: time.Second, Count: 5})
		if err != nil || !strings.Contains(w.Partial, "no process answered after 3 dumps") || w.Totals.Stuck != 1 {
			t.Errorf("it went away: %v, %q, %+v", err, w.Partial, w.Totals)
		}
		w, err = Run(context.Background(), Config{Sources: []Source{source(0, d, []byte("502 Bad Gateway"), d, d)}, Every: time.Second, Count: 4})
		if err != nil || w.Partial != "" || w.Processes[0].Dumps[1].Error == "" || w.Totals.Stuck != 1 {
			t.Errorf("a page that is no dump: %v, %+v", err, w.Processes)
		}
	})
}

// TestMoreThanListed: of a process with far more goroutines than a dump lists that is told; of one with a few more it is not.
func TestMoreThanListed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := dumpOf(mainGor, send(5, "chan send", "0x1"))
		for living, told := range map[float64]bool{0: false, 2: false, 2.3: false, 1e6: true} {
			s := source(0, d)
			s.Living = living
			w, err := Run(context.Background(), Config{Sources: []Source{s}, Every: time.Second, Count: 3})
			if err != nil || slices.Contains(codes(w), "some-goroutines") != told {
				t.Errorf("%v living: %v, %v", living, err, codes(w))
			}
		}
	})
}

// TestManyProcesses: each is read by itself, and the progress counts all.
func TestManyProcesses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var sources []Source
		for i := range 100 {
			s := source(time.Millisecond, dumpOf(mainGor, send(5, "chan send", "0x1")))
			s.Endpoint = fmt.Sprint(i)
			sources = append(sources, s)
		}
		var events atomic.Int64
		w, err := Run(context.Background(), Config{Sources: sources, Every: time.Second, Count: 3, Progress: func(e Event) {
			events.Add(1)
			if e.Goroutines != 200 || e.Of != 3 {
				t.Errorf("%+v", e)
			}
		}})
		if err != nil || events.Load() != 3 || w.Totals.Stuck != 100 || len(w.Groups) != 2 || len(w.Groups[0].Members) != 10 {
			t.Errorf("%v, %d events, %+v", err, events.Load(), w.Totals)
		}
	})
}

// TestOneSlowDump: a busy machine delays nothing.
func TestOneSlowDump(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := 0
		s := Source{Stacks: func(context.Context) ([]byte, error) {
			if n++; n == 2 {
				time.Sleep(time.Second)
			}
			return dumpOf(mainGor, send(5, "chan send", "0x1")), nil
		}}
		w, err := Run(context.Background(), Config{Sources: []Source{s}, Every: time.Second, Count: 4})
		if err != nil {
			t.Fatal(err)
		}
		if got := times(w); got[3] > 4 {
			t.Errorf("dumps at %v", got)
		}
	})
}
