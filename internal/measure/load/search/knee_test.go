package search_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/load/search"
)

// closed is a sweep over connections: throughput by level, response by Little.
func closed(pairs ...[2]float64) (out []search.Level) {
	for _, p := range pairs {
		out = append(out, search.Level{
			At:   unpark.Level{Connections: int(p[0])},
			Load: unpark.Load{AchievedRPS: p[1], Response: unpark.Latency{Mean: p[0] / p[1], N: int64(p[1])}},
		})
	}
	return out
}

func TestKnee(t *testing.T) {
	for _, c := range []struct {
		name   string
		levels []search.Level
		at     int // 0: none
		words  string
	}{
		{
			"saturates", closed([2]float64{1, 100}, [2]float64{2, 200}, [2]float64{4, 395}, [2]float64{8, 780}, [2]float64{16, 820}, [2]float64{32, 825}), 8,
			"the knee is at 8 connections: beyond it each further connection adds 1.88 req/s where the first ones added 100 req/s, and the mean response grows from 10.3 ms to 38.8 ms",
		},
		{"in any order, repeated", closed([2]float64{8, 780}, [2]float64{1, 100}, [2]float64{16, 820}, [2]float64{4, 395}, [2]float64{8, 20}, [2]float64{8, 790}), 8, ""},
		{"linear", closed([2]float64{1, 100}, [2]float64{2, 198}, [2]float64{4, 390}, [2]float64{8, 760}), 0, ""},
		{"retrograde", closed([2]float64{1, 100}, [2]float64{2, 190}, [2]float64{4, 300}, [2]float64{8, 280}, [2]float64{16, 200}), 4, ""},
		{"saturated from the start", closed([2]float64{50, 1000}, [2]float64{100, 1010}, [2]float64{200, 1005}), 50, "at or below the lowest level, 50 connections"},
		{"one bad level is not a knee", closed([2]float64{1, 100}, [2]float64{2, 110}, [2]float64{4, 390}, [2]float64{8, 770}), 0, ""},
		{"too few", closed([2]float64{1, 100}, [2]float64{20, 110}), 0, ""},
		{"nothing answered", closed([2]float64{1, 100}, [2]float64{2, 200}, [2]float64{0, 10}), 0, ""},
		{"empty", nil, 0, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			k, ok := search.KneeOf(c.levels)
			if ok != (c.at > 0) || k.Level.Connections != c.at {
				t.Fatalf("%v %+v, want %d", ok, k, c.at)
			}
			if !strings.Contains(k.Text, c.words) {
				t.Errorf("got  %s\nwant %s", k.Text, c.words)
			}
		})
	}
}

// TestKneeOfRates: an open sweep bends where the service can do no more. With
// flat latency, achieving less is not a knee of the service.
func TestKneeOfRates(t *testing.T) {
	var levels, flat []search.Level
	for _, rate := range []float64{100, 200, 400, 800, 1600} {
		l := search.Level{At: unpark.Level{RateRPS: rate}, Load: loadOf(rate, 500, 0.01+max(0, rate/500-1))}
		levels = append(levels, l)
		l.Load.Response.Mean = 0.01
		flat = append(flat, l)
	}
	// Between 400 and 800 the gain is a quarter, beyond it nothing.
	if k, ok := search.KneeOf(levels); !ok || k.Level.RateRPS != 400 || !strings.HasPrefix(k.Text, "the knee is at 400 req/s offered: beyond it each further req/s adds 0.083 req/s where the first ones added 1 req/s,") {
		t.Errorf("%v %s", ok, k.Text)
	}
	if k, ok := search.KneeOf(flat); ok {
		t.Errorf("a knee without latency: %s", k.Text)
	}
}

// TestKneeIsSteady: noise as between identical runs neither hides nor makes a
// knee.
func TestKneeIsSteady(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	found, invented := 0, 0
	for range 300 {
		var bent, straight [][2]float64
		for _, n := range []float64{1, 2, 4, 8, 16, 32, 64} {
			noise := func() float64 { return 1 + 0.04*r.NormFloat64() }
			bent = append(bent, [2]float64{n, min(n*100, 1000+n) * noise()})
			straight = append(straight, [2]float64{n, n * 100 / (1 + 0.002*n) * noise()})
		}
		if k, ok := search.KneeOf(closed(bent...)); ok && (k.Level.Connections == 8 || k.Level.Connections == 16) {
			found++
		}
		if _, ok := search.KneeOf(closed(straight...)); ok {
			invented++
		}
	}
	if found < 290 || invented > 3 {
		t.Errorf("%d of 300 knees found, %d of 300 invented", found, invented)
	}
}
