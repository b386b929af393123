package steady

import (
	"cmp"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/unpark-go/unpark"
)

// latency summarises responses as a histogram of the load does: a hundred buckets.
func latency(v []float64) unpark.Latency {
	slices.Sort(v)
	n := len(v)
	if n == 0 {
		return unpark.Latency{}
	}
	at := func(p float64) float64 { return v[min(n-1, int(math.Ceil(p*float64(n)))-1)] }
	l := unpark.Latency{N: int64(n), Min: v[0], Max: v[n-1], P50: at(0.5), P99: at(0.99)}
	step := math.Pow(l.Max/l.Min, 0.01)
	for i, from := 0, 0; i <= 100; i++ {
		le := l.Min * math.Pow(step, float64(i))
		if i == 100 {
			le = l.Max
		}
		to, _ := slices.BinarySearchFunc(v, le*(1+1e-12), cmp.Compare[float64])
		l.Buckets = append(l.Buckets, unpark.Bucket{Le: le, Count: int64(to - from)})
		from = to
	}
	return l
}

// service draws responses in seconds of a service that is asked so often a second.
type service struct {
	random *rand.Rand
	rate   float64
	drift  float64 // of the response, a second
	bursts float64 // share of seconds in which a tenth of the answers are slow
	now    float64
}

func (s *service) block(_ context.Context, seconds float64) (unpark.Load, error) {
	var v []float64
	for second := 0.0; second < seconds; second++ {
		slow := s.random.Float64() < s.bursts
		for range int(s.rate * min(1, seconds-second)) {
			d := 0.005 * math.Exp(0.5*s.random.NormFloat64()) * (1 + s.drift*s.now)
			if slow && s.random.Float64() < 0.1 {
				d += 0.05 * (1 + 0.3*s.random.Float64())
			}
			v = append(v, d)
		}
		s.now++
	}
	return unpark.Load{Seconds: seconds, AchievedRPS: float64(len(v)) / seconds, Response: latency(v)}, nil
}

// p99 of the service in the long run.
func (s *service) p99() float64 {
	all, _ := (&service{random: s.random, rate: 1000, bursts: s.bursts}).block(context.Background(), 2000)
	return all.Response.P99
}

func source(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }

// TestReached drives windows of the length that Settle chooses: their intervals are as
// narrow as asked for, and hold the true p99.
func TestReached(t *testing.T) {
	for _, c := range []struct {
		name   string
		rate   float64
		bursts float64
		within float64
	}{
		{"answers that are slow by themselves", 200, 0, 0.05},
		{"many of them", 5000, 0, 0.02},
		{"slow ones that come together", 500, 0.3, 0.15},
	} {
		t.Run(c.name, func(t *testing.T) {
			truth := (&service{random: source(7), bursts: c.bursts}).p99()
			const draws = 60
			holds, narrow := 0, 0
			for seed := range uint64(draws) {
				s := &service{random: source(seed), rate: c.rate, bursts: c.bursts}
				settled, err := Settle(t.Context(), c.within, 3, s.block)
				if err != nil {
					t.Fatal(err)
				}
				l, _ := s.block(t.Context(), settled.Window)
				p, _ := settled.Judge(l, nil)
				if p.P99.Contains(truth) {
					holds++
				}
				if v, ok := p.Reached.Get(); ok && v <= c.within*1.1 {
					narrow++
				}
			}
			t.Logf("%d of %d hold the truth, %d are as narrow as asked for", holds, draws, narrow)
			if holds < draws*80/100 {
				t.Errorf("%d of %d intervals of 90 %% hold the true p99", holds, draws)
			}
			if narrow < draws*75/100 {
				t.Errorf("%d of %d windows gave the width", narrow, draws)
			}
		})
	}
}

func TestSettle(t *testing.T) {
	steady := &service{random: source(1), rate: 300}
	s, err := Settle(t.Context(), 0.1, 3, steady.block)
	if err != nil || !s.Steady || s.Took > 30 {
		t.Errorf("a steady service: %+v, %v", s, err)
	}
	growing := &service{random: source(2), rate: 300, drift: 0.1}
	s, err = Settle(t.Context(), 0.1, 3, growing.block)
	if err != nil || s.Steady || s.Took > mostSettling {
		t.Errorf("a service that gets slower by a tenth each second: %+v, %v", s, err)
	}
	_, notices := s.Judge(unpark.Load{Response: latency([]float64{1, 2, 3})}, nil)
	if len(notices) != 2 || notices[0].Code != "not-steady" || notices[1].Code != "p99-within" {
		t.Errorf("notices = %+v", notices)
	}
	warming := &service{random: source(3), rate: 300}
	blocks := 0
	s, err = Settle(t.Context(), 0.1, 3, func(ctx context.Context, seconds float64) (unpark.Load, error) {
		blocks++
		warming.drift = 0
		if blocks < 12 {
			warming.drift = float64(12-blocks) / warming.now // falls until then
		}
		return warming.block(ctx, seconds)
	})
	if err != nil || !s.Steady || s.Took < 14 {
		t.Errorf("a service that gets warm in 12 s: %+v, %v", s, err)
	}
	gone := errors.New("the service ended")
	if _, err := Settle(t.Context(), 0.1, 3, func(context.Context, float64) (unpark.Load, error) { return unpark.Load{}, gone }); !errors.Is(err, gone) {
		t.Errorf("err = %v, want %v", err, gone)
	}
}

func TestBlockLength(t *testing.T) {
	for _, c := range []struct{ rate, median, want float64 }{
		{1000, 0.001, 1}, {20, 0.01, 2.5}, {0, 0, 6}, {1, 0.1, 6}, {100, 0.5, 2.5},
	} {
		if got := blockLength(unpark.Load{AchievedRPS: c.rate, Response: unpark.Latency{P50: c.median}}); got != c.want {
			t.Errorf("%g req/s of %g s: %g s, want %g", c.rate, c.median, got, c.want)
		}
	}
}

func TestWindowLength(t *testing.T) {
	window := func(rate, within, least float64) Settled {
		s, err := Settle(t.Context(), within, least, (&service{random: source(4), rate: rate}).block)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	if s := window(1000, 0.2, 15); s.Window != 15 {
		t.Errorf("a wide interval: a window of %g s, want the least", s.Window)
	}
	wide, narrow := window(100, 0.1, 1).Window, window(100, 0.05, 1).Window
	if narrow < 2.5*wide || narrow > 6*wide {
		t.Errorf("half the width: a window of %g s instead of %g, want about four times", narrow, wide)
	}
	if s := window(5, 0.01, 10); s.Window != 10 || s.Needed <= mostWindow {
		t.Errorf("what takes hours: %g s of %g needed, want the least", s.Window, s.Needed)
	}
}

func TestInterval(t *testing.T) {
	if q := Interval(unpark.Latency{}, 1); q.Known() {
		t.Errorf("no answer: %+v", q)
	}
	l, _ := (&service{random: source(5), rate: 20}).block(t.Context(), 1)
	if q := Interval(l.Response, 1); !q.Known() || q.High.Known() {
		t.Errorf("20 answers: %+v, want no ends", q)
	}
	l, _ = (&service{random: source(5), rate: 2000}).block(t.Context(), 1)
	alone, together := Interval(l.Response, 1), Interval(l.Response, 2)
	if a, b := half(alone).Or(0), half(together).Or(0); a <= 0 || b < 1.2*a {
		t.Errorf("half widths %g and, of answers that come together, %g", a, b)
	}
	if !alone.Contains(alone.Value.Or(0)) {
		t.Errorf("%+v does not hold its value", alone)
	}
	// All answers alike: an interval without width, and no division by nothing.
	q := Interval(latency(slices.Repeat([]float64{0.01}, 1000)), 1)
	if half(q).Or(1) > 1e-3 {
		t.Errorf("answers that are all alike: %+v", q)
	}
}

func TestTrend(t *testing.T) {
	for _, c := range []struct {
		name string
		v    []float64
		want bool
	}{
		{"nothing", nil, false},
		{"flat", []float64{5, 5, 5, 5, 5, 5, 5, 5, 5, 5}, false},
		{"up", []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, true},
		{"down", []float64{9, 8, 9, 7, 7, 6, 5, 5, 4, 3}, true},
		{"up, by next to nothing", []float64{1.00, 1.001, 1.002, 1.003, 1.004, 1.005, 1.006, 1.007, 1.008, 1.009}, false},
		{"to and fro", []float64{1, 9, 1, 9, 1, 9, 1, 9, 1, 9}, false},
	} {
		if got := trend(c.v, 0.05); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestMovedIn(t *testing.T) {
	var ticks []unpark.Tick
	for i := range 20 {
		ticks = append(ticks, unpark.Tick{Phase: "window", RPS: 10, P50: 1 + 0.1*float64(i), P99: 2})
	}
	if !movedIn(ticks, 0.1) || movedIn(ticks[:5], 0.1) || movedIn(nil, 0.1) {
		t.Error("a median that doubles in 20 s is a trend; five ticks are too few for one")
	}
}
