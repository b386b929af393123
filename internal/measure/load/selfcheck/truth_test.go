package selfcheck

import (
	"math"
	"slices"
	"testing"
	"time"
)

// quantile returns the smallest value with at least a share q at or below it.
func quantile(all []time.Duration, q float64) float64 {
	slices.Sort(all)
	return all[max(0, int(math.Ceil(q*float64(len(all))))-1)].Seconds()
}

// openLoop simulates arrivals at a rate over so many connections at a server
// that serves one after the other in 1/speed; the response counts from the
// intended start.
func openLoop(s Service, rate float64, connections int, speed float64, from, length time.Duration) []time.Duration {
	free := make([]time.Duration, connections)
	var out []time.Duration
	server := time.Duration(0)
	for k := 0; ; k++ {
		due := time.Duration(float64(k) / rate * 1e9)
		if due >= from+length {
			return out
		}
		c := 0
		for i, t := range free {
			if t < free[c] {
				c = i
			}
		}
		done := max(s.release(max(due, free[c])), server)
		if speed > 0 {
			done += time.Duration(1e9 / speed)
			server = done
		}
		free[c] = done
		if due >= from {
			out = append(out, done-due)
		}
	}
}

// closedLoop simulates one connection whose way there and back takes way.
func closedLoop(s Service, way, from, length time.Duration) []time.Duration {
	var out []time.Duration
	for at := time.Duration(0); at < from+length; {
		done := s.release(at+way/2) + way/2
		if at >= from {
			out = append(out, done-at)
		}
		at = done
	}
	return out
}

func near(got, want, tolerance float64) bool { return math.Abs(got-want) <= tolerance*want }

func TestOpenTruth(t *testing.T) {
	for q, want := range map[float64]float64{0.5: 0, 0.8: 0, 0.9: 0.5, 0.95: 0.75, 0.99: 0.95, 1: 1} {
		if got := openTruth(stalled(), q); math.Abs(got-want) > 1e-9 {
			t.Errorf("truth at %g is %g, want %g", q, got, want)
		}
	}
	// Against a simulation, at every phase of the schedule and with few or many
	// connections: a millisecond between arrivals is the resolution.
	for _, from := range []time.Duration{2 * time.Second, 2500 * time.Millisecond, 4999 * time.Millisecond, 5 * time.Second, 5700 * time.Millisecond} {
		for _, connections := range []int{1, 50, 1200} {
			all := openLoop(stalled(), 1000, connections, 0, from, 20*time.Second)
			if len(all) != 20000 {
				t.Fatalf("%d arrivals", len(all))
			}
			for _, q := range []float64{0.9, 0.99} {
				if got, want := quantile(all, q), openTruth(stalled(), q); math.Abs(got-want) > 0.002 {
					t.Errorf("from %v over %d connections: p%g is %g, truth %g", from, connections, 100*q, got, want)
				}
			}
		}
	}
	// And what the comment says of a server that is not infinitely fast.
	all := openLoop(stalled(), 1000, 50, 50000, 2*time.Second, 20*time.Second)
	if p90, p99 := quantile(all, 0.9), quantile(all, 0.99); !near(p90, 0.51, 0.003) || !near(p99, 0.951, 0.002) {
		t.Errorf("at 50,000/s p90 %g and p99 %g, want 0.510 and 0.951", p90, p99)
	}
}

func TestClosedTruth(t *testing.T) {
	s := ticking()
	if perPeriod(s) != 41 || closedTruth(s, 0.9) != 0.1 || closedTruth(s, 0.97) != 0.1 || closedTruth(s, 0.99) != 1 {
		t.Errorf("n %g, p90 %g, p99 %g", perPeriod(s), closedTruth(s, 0.9), closedTruth(s, 0.99))
	}
	for _, way := range []time.Duration{0, 100 * time.Microsecond, 20 * time.Millisecond} {
		for _, from := range []time.Duration{2 * time.Second, 2560 * time.Millisecond, 5 * time.Second, 5730 * time.Millisecond} {
			all := closedLoop(s, way, from, 20*time.Second)
			if len(all) != 4*41 {
				t.Errorf("way %v from %v: %d requests, want %d", way, from, len(all), 4*41)
			}
			for _, q := range []float64{0.5, 0.9, 0.97, 0.99} {
				if got, want := quantile(all, q), closedTruth(s, q); !near(got, want, 1e-6) {
					t.Errorf("way %v from %v: p%g is %g, truth %g", way, from, 100*q, got, want)
				}
			}
		}
	}
}

func TestRelease(t *testing.T) {
	ms := func(n int) time.Duration { return time.Duration(n) * time.Millisecond }
	for _, test := range []struct {
		s        Service
		at, want int
	}{
		{Service{}, 17, 17},
		{steady(), 17, 18},
		{stalled(), 0, 1000},
		{stalled(), 999, 1000},
		{stalled(), 1000, 1000},
		{stalled(), 4999, 4999},
		{stalled(), 5000, 6000},
		{stalled(), 7321, 7321},
		{ticking(), 0, 1000},
		{ticking(), 950, 1000},
		{ticking(), 1000, 1100},
		{ticking(), 1099, 1100},
		{ticking(), 4899, 4900},
		{ticking(), 4900, 5000},
		{ticking(), 5000, 6000},
	} {
		if got := test.s.release(ms(test.at)); got != ms(test.want) {
			t.Errorf("%+v at %d ms: %v, want %d ms", test.s, test.at, got, test.want)
		}
	}
}

func TestServiceCheck(t *testing.T) {
	for _, s := range []Service{{}, stalled(), ticking(), steady()} {
		if err := s.Check(); err != nil {
			t.Errorf("%+v: %v", s, err)
		}
	}
	for _, s := range []Service{
		{Work: -1},
		{Freeze: time.Second},
		{Freeze: 2 * time.Second, Period: time.Second},
		{Freeze: time.Second, Period: 5 * time.Second, Tick: 300 * time.Millisecond},
	} {
		if s.Check() == nil {
			t.Errorf("%+v was accepted", s)
		}
	}
}
