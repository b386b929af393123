//go:build linux && (amd64 || arm64)

package inspect

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"github.com/unpark-go/unpark"
)

// TestEnough: a kind is done when it was recorded long enough, and has events enough.
func TestEnough(t *testing.T) {
	thirty := RecordingOf(30 * time.Second)
	if short := RecordingOf(6 * time.Second); thirty.Least != 10*time.Second || short.Least != 5*time.Second {
		t.Errorf("at least %v of 30 s, %v of 6 s", thirty.Least, short.Least)
	}
	for _, c := range []struct {
		name            string
		took            time.Duration
		records, events float64
		want            bool
	}{
		{"many", 10 * time.Second, 8000, 8000, true},
		{"many, but not for long", 9 * time.Second, 70_000, 70_000, false},
		{"few", 29 * time.Second, 7900, 7900, false},
		{"many short ones", 10 * time.Second, 1000, 50_000, true},
		{"of which hardly any were recorded", 10 * time.Second, 900, 50_000, false},
	} {
		if got := thirty.enough(c.took, c.records, c.events); got != c.want {
			t.Errorf("%s: enough is %v", c.name, got)
		}
	}
}

// TestEnoughRecords: places with a twentieth of so many records are known within a tenth, 95 times of 100. Waits of one place are
// charged with the rate for each record of one that is shorter (runtime/mprof.go, blocksampled), or counted one by one (mutexes).
func TestEnoughRecords(t *testing.T) {
	const share, tries = 0.05, 2000
	random := rand.New(rand.NewPCG(3, 4))
	bad := 0
	for range tries {
		n := 0
		for range enoughRecords {
			if random.Float64() < share {
				n++
			}
		}
		if math.Abs(float64(n)/(share*enoughRecords)-1) > 0.1 {
			bad++
		}
	}
	if bad > tries/20 {
		t.Errorf("%d of %d are more than a tenth off", bad, tries)
	}
}

// recording is a process that records by no rates of its own, under a lease that holds them as a window does.
func recording(t *testing.T, r Recording) (p *Process, l *Lease, address string, began time.Time) {
	t.Helper()
	pid, address := serving(t)
	p, err := Open(pid)
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range []uint64{p.variables.BlockRate, p.variables.MutexRate} {
		if err := p.set(at, 0); err != nil {
			t.Fatal(err)
		}
	}
	if l, err = p.Lend(Rates{Block: 10_000, Mutex: 1}); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { l.Keep(ctx); close(done) }()
	t.Cleanup(func() { cancel(); <-done })
	began = time.Now()
	l.Record(r)
	return p, l, address, began
}

func profileOf(t *testing.T, p *Process, kind unpark.Kind) *profile.Profile {
	t.Helper()
	b, err := p.Profile(kind)
	if err != nil {
		t.Fatal(err)
	}
	return parsed(t, b)
}

// TestRecordingEnds: where there is enough, rates are put back before the lease ends; a profile then says of when it is, and what it
// has is what the process says of itself, by place.
func TestRecordingEnds(t *testing.T) {
	p, l, address, began := recording(t, Recording{Least: time.Second, Records: 300})
	for deadline := began.Add(30 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		if now, err := p.Rates(); err == nil && now == (Rates{}) {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("the rates stay lent")
		}
	}
	over := time.Now()
	time.Sleep(time.Second)
	for kind, value := range map[unpark.Kind]int{unpark.KindBlock: 1, unpark.KindMutex: 1} {
		outside := profileOf(t, p, kind)
		at := time.Unix(0, outside.TimeNanos)
		if at.Before(began.Add(time.Second)) || at.After(over.Add(200*time.Millisecond)) {
			t.Errorf("%s: it is of %v after the begin; rates were back after %v", kind, at.Sub(began), over.Sub(began))
		}
		got, want := places(outside, value), places(page(t, address, string(kind)), value)
		var all float64
		for _, v := range want {
			all += v
		}
		for f, v := range want {
			if v >= all/20 && (got[f] < 0.9*v || got[f] > 1.1*v) {
				t.Errorf("%s: %s: %.4g from outside, %.4g by pprof", kind, f, got[f], v)
			}
		}
	}
	if err := l.Release(); err != nil {
		t.Error(err)
	}
	// The next lease records anew.
	next, err := p.Lend(Rates{Block: 10_000, Mutex: 1})
	if err != nil {
		t.Fatal(err)
	}
	time.Sleep(50 * time.Millisecond)
	if at := time.Unix(0, profileOf(t, p, unpark.KindBlock).TimeNanos); at.Before(over) {
		t.Error("a profile of the next lease is of the one before")
	}
	if err := next.Release(); err != nil {
		t.Error(err)
	}
}

// TestRecordingGoesOn: with few events the rates stay until the lease ends, and one that anything else wrote stays after it.
func TestRecordingGoesOn(t *testing.T) {
	p, l, _, _ := recording(t, Recording{Least: 300 * time.Millisecond, Records: 1e9, Events: 1e9})
	time.Sleep(time.Second)
	now, err := p.Rates()
	if err != nil || now.Block == 0 || now.Mutex == 0 {
		t.Errorf("rates within the lease: %+v, %v", now, err)
	}
	if err := p.set(p.variables.MutexRate, 77); err != nil {
		t.Fatal(err)
	}
	l.Record(Recording{Least: 100 * time.Millisecond})
	for deadline := time.Now().Add(20 * time.Second); now.Block != 0 && time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if now, err = p.Rates(); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Release(); err != nil {
		t.Error(err)
	}
	if now, err = p.Rates(); err != nil || now != (Rates{Mutex: 77}) {
		t.Errorf("rates after the lease: %+v, %v", now, err)
	}
}

// TestRecordingOfAnother: where another reader lent the rates and puts them back, this one knows from when on nothing was recorded.
func TestRecordingOfAnother(t *testing.T) {
	p, l, _, _ := recording(t, Recording{Least: time.Hour})
	other, err := Open(p.PID)
	if err != nil {
		t.Fatal(err)
	}
	late, err := other.Lend(Rates{Block: 10_000, Mutex: 1})
	if err != nil {
		t.Fatal(err)
	}
	if len(late.Writes()) > 0 {
		t.Errorf("the second lease wrote %+v", late.Writes())
	}
	if err := late.ease(); err != nil {
		t.Fatal(err)
	}
	if err := l.Release(); err != nil {
		t.Fatal(err)
	}
	if err := late.ease(); err != nil {
		t.Fatal(err)
	}
	over := time.Now()
	time.Sleep(50 * time.Millisecond)
	if at := time.Unix(0, profileOf(t, other, unpark.KindMutex).TimeNanos); at.After(over) {
		t.Error("a profile is of a time in which nothing was recorded")
	}
}
