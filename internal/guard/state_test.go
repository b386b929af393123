package guard

import (
	"math"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
)

// at is a reading so many seconds after the first.
func at(seconds int, values map[metric]float64) reading {
	r := reading{at: time.Unix(1000+int64(seconds), 0), values: map[metric]unpark.Quantity{}, allowed: unpark.Num(2)}
	for m, v := range values {
		r.values[m] = unpark.Quantity{Value: unpark.Num(v), Unit: m.unit()}
	}
	return r
}

// TestStates: when a condition fires, over seconds. A negative value is an unknown one.
func TestStates(t *testing.T) {
	for _, tt := range []struct {
		name, when string
		of         metric
		values     []float64
		want       []bool
	}{
		{"once while it holds", "p99>200ms", p99, []float64{0.1, 0.3, 0.4, 0.3}, []bool{false, true, false, false}},
		{"again when it was false", "p99>200ms", p99, []float64{0.3, 0.1, 0.3}, []bool{true, false, true}},
		{"unknown is not false", "p99>200ms", p99, []float64{0.3, -1, 0.3}, []bool{true, false, false}},
		{"the limit itself", "p99>200ms", p99, []float64{0.2}, []bool{false}},
		{"at least the limit", "p99>=200ms", p99, []float64{0.2}, []bool{true}},
		{"below", "goroutines<10", goroutines, []float64{10, 9}, []bool{false, true}},
		{"a share of two processors", "cpu>90%", cpu, []float64{1.79, 1.81}, []bool{false, true}},
		{"cores", "cpu>1.5", cpu, []float64{1.4, 1.6}, []bool{false, true}},
		{"long enough", "cpu>1 for 2s", cpu, []float64{2, 2, 2, 2}, []bool{false, false, true, false}},
		{"not long enough", "cpu>1 for 2s", cpu, []float64{2, 2, 0, 2, 2}, []bool{false, false, false, false, false}},
	} {
		conditions, err := Parse(tt.when)
		if err != nil {
			t.Fatal(err)
		}
		s := newStates(conditions)
		for i, v := range tt.values {
			r := at(i, map[metric]float64{tt.of: v})
			if v < 0 {
				r = at(i, nil)
			}
			if _, ok := s.see(r); ok != tt.want[i] {
				t.Errorf("%s: fires after %d s: %v, want %v", tt.name, i, ok, tt.want[i])
			}
		}
	}
}

// TestEvents: each line and each signal fires.
func TestEvents(t *testing.T) {
	conditions, err := Parse(`log~"5\\d\\d" or signal`)
	if err != nil {
		t.Fatal(err)
	}
	s := newStates(conditions)
	r := at(0, nil)
	r.lines = []string{"GET / 200", "GET / 503", "GET / 504"}
	if f, ok := s.see(r); !ok || f.line != "GET / 503" {
		t.Errorf("%+v, %v", f, ok)
	}
	if f, ok := s.see(at(1, nil)); ok {
		t.Errorf("nothing happened: %+v", f)
	}
	r = at(2, nil)
	r.signals = 1
	if f, ok := s.see(r); !ok || f.condition.metric != signalled {
		t.Errorf("%+v, %v", f, ok)
	}
}

func TestLimiter(t *testing.T) {
	l := limiter{limit: Limit{2, time.Hour}}
	now := time.Unix(0, 0)
	for i, want := range []bool{true, true, false} {
		if next, ok := l.take(now.Add(time.Duration(i) * time.Minute)); ok != want || !ok && !next.Equal(now.Add(time.Hour)) {
			t.Errorf("%d: %v, %v", i, next, ok)
		}
	}
	if _, ok := l.take(now.Add(time.Hour)); !ok {
		t.Error("an hour later there is none")
	}
	if _, ok := l.take(now.Add(time.Hour + time.Second)); ok {
		t.Error("the second one is not an hour old")
	}
	if _, ok := (&limiter{}).take(now); !ok {
		t.Error("no limit limits")
	}
}

// TestQuantile: of 99 requests of 1 ms and one of 1 s, also in two parts.
func TestQuantile(t *testing.T) {
	fast := timed{Low: []float64{0.00098}, High: []float64{0.00102}, Counts: []int64{99}}
	slow := timed{Low: []float64{0.98}, High: []float64{1.02}, Counts: []int64{1}}
	for _, tt := range []struct {
		q, want float64
		all     []timed
	}{{0.5, 0.001, []timed{fast, slow}}, {0.99, 0.001, []timed{slow, fast}}, {1, 1, []timed{fast, slow}}, {0.99, 1, []timed{slow}}} {
		got := quantile(tt.all, tt.q)
		if v := got.Value.Or(-1); math.Abs(v/tt.want-1) > 0.03 {
			t.Errorf("%v of %v: %v", tt.q, tt.all, got)
		}
	}
	if got := quantile(nil, 0.99); got.Value.Known() {
		t.Errorf("of none: %v", got)
	}
}

// TestRecent: of few requests the seconds before are added, and a second without says nothing.
func TestRecent(t *testing.T) {
	of := func(counts ...int64) []timed {
		var out []timed
		for _, n := range counts {
			out = append(out, timed{Low: []float64{0}, High: []float64{1}, Counts: []int64{n}})
		}
		return out
	}
	for _, tt := range []struct {
		counts []int64
		want   int
	}{{nil, 0}, {[]int64{50}, 1}, {[]int64{50, 50}, 1}, {[]int64{50, 3}, 2}, {[]int64{50, 0}, 0}, {[]int64{3, 3}, 2}, {[]int64{9, 9, 9, 9, 1, 1, 1, 1, 1, 1, 1, 1, 1}, 10}} {
		if got := recent(of(tt.counts...)); len(got) != tt.want {
			t.Errorf("%v: %d seconds, want %d", tt.counts, len(got), tt.want)
		}
	}
}

func TestBrokenVitals(t *testing.T) {
	for _, line := range []string{"", "{}", "null", "[", `{"at":"x"}`, `{"at":"2026-01-02T03:04:05Z","requests":{"low_s":[1],"high_s":[],"counts":[]}}`} {
		if v, ok := readVital([]byte(line)); ok {
			t.Errorf("%s: %+v", line, v)
		}
	}
	if v, ok := readVital([]byte(`{"at":"2026-01-02T03:04:05Z","goroutines":7,"cpu_s":null}`)); !ok || v.Goroutines != unpark.Num(7) || v.CPU.Known() {
		t.Errorf("%+v, %v", v, ok)
	}
}
