//go:build linux && (amd64 || arm64)

package inspect

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

// TestEased: a rate is raised until what it would have recorded is no more than it may be in that time.
func TestEased(t *testing.T) {
	const rate = 1_000_000 // ticks
	short := bucket{count: 40_000, cycles: 40_000 * rate / 10}
	long := bucket{count: 450, cycles: 450 * rate * 50}
	for _, c := range []struct {
		name     string
		now, was []bucket
		kind     int
		rate     int64
		want     int64
	}{
		{"few", []bucket{{count: 100, cycles: 100 * rate}}, nil, blockProfile, rate, rate},
		{"many short ones", []bucket{short}, nil, blockProfile, rate, 9_313_221},
		{"they were there before", []bucket{{count: 10, cycles: 10}, short}, []bucket{short}, blockProfile, rate, rate},
		{"long ones are always recorded", []bucket{long}, nil, blockProfile, rate, rate},
		{"contentions", []bucket{{count: 5000}}, nil, mutexProfile, 1, 10},
		{"of which few are recorded already", []bucket{{count: 5000}}, nil, mutexProfile, 10, 10},
	} {
		if got := eased(mostRecords, c.now, c.was, c.rate, c.kind); got != c.want {
			t.Errorf("%s: rate %d, not %d", c.name, got, c.want)
		}
	}
}

// TestEase: a process that records too much records less, what was written is told, and all is put back; a rate that another wrote
// meanwhile stays.
func TestEase(t *testing.T) {
	p, err := Open(started(t))
	if err != nil {
		t.Fatal(err)
	}
	l, err := p.Lend(Rates{Block: 1e3, Mutex: 1})
	if err != nil {
		t.Fatal(err)
	}
	lent, err := p.Rates()
	if err != nil {
		t.Fatal(err)
	}
	much := func() {
		// As if all that it has recorded were of this millisecond.
		for _, at := range []uint64{p.variables.BlockRate, p.variables.MutexRate} {
			l.last[at] = reading{at: time.Now()}
		}
		if err := l.ease(); err != nil {
			t.Fatal(err)
		}
	}
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		much()
		if now, err := p.Rates(); err != nil || now.Block > lent.Block && now.Mutex > lent.Mutex {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("the rates stay as they were")
		}
	}
	now, err := p.Rates()
	if err != nil {
		t.Fatal(err)
	}
	writes := l.Writes()
	last := map[string]int64{}
	for _, w := range writes {
		if w.Before != last[w.Variable] {
			t.Errorf("%+v: it was %d", w, last[w.Variable])
		}
		last[w.Variable] = w.Value
	}
	if last["runtime.blockprofilerate"] != now.Block || last["runtime.mutexprofilerate"] != now.Mutex || len(writes) < 4 {
		t.Errorf("rates are %+v, written were %+v", now, writes)
	}
	if err := p.set(p.variables.MutexRate, 77); err != nil {
		t.Fatal(err)
	}
	much()
	if err := l.Release(); err != nil {
		t.Fatal(err)
	}
	if after, err := p.Rates(); err != nil || after != (Rates{Mutex: 77}) {
		t.Errorf("rates after the lease: %+v, %v", after, err)
	}
}

// TestEasedAccuracy: with as few records as are left, places with a twentieth of all that is waited are known within a tenth in a
// window of 30 s, which `unpark attach` has, 95 times of 100; the others better. Events are drawn as the runtime draws them
// (runtime/mprof.go, blocksampled).
func TestEasedAccuracy(t *testing.T) {
	const (
		seconds, perSecond = 30, 10_000
		rate               = 1_000_000 // ticks, as lent
		share, places      = 0.05, 20
	)
	random := rand.New(rand.NewPCG(1, 2))
	var squares float64
	bad, all := 0, 0
	for range 20 {
		var events [places][]float64
		var truth [places]float64
		second := make([]bucket, places)
		for i := range events {
			events[i] = make([]float64, share*seconds*perSecond)
			for k := range events[i] {
				events[i][k] = rate / 4 * random.ExpFloat64()
				truth[i] += events[i][k]
			}
			second[i] = bucket{count: share * perSecond, cycles: int64(truth[i] / seconds)}
		}
		raised := float64(eased(mostRecords, second, nil, rate, blockProfile))
		if raised == rate {
			t.Fatal("all would be recorded")
		}
		for i := range events {
			var told float64
			for _, cycles := range events[i] {
				switch {
				case cycles >= raised:
					told += cycles
				case random.Float64()*raised < cycles:
					told += raised
				}
			}
			off := told/truth[i] - 1
			squares += off * off
			if all++; math.Abs(off) > 0.1 {
				bad++
			}
		}
	}
	t.Logf("%d of %d places are more than a tenth off, all of them by %.3f", bad, all, math.Sqrt(squares/float64(all)))
	if bad > all/20 {
		t.Errorf("%d of %d places are more than a tenth off", bad, all)
	}
}
