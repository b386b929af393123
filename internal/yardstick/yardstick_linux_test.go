package yardstick

import (
	"os"
	"runtime"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

func allowed(t *testing.T) []int {
	t.Helper()
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &set); err != nil {
		t.Fatal(err)
	}
	var out []int
	for c := range len(set) * 64 {
		if set.IsSet(c) {
			out = append(out, c)
		}
	}
	return out
}

func TestYardstick(t *testing.T) {
	for name, cpus := range map[string][]int{"everywhere": allowed(t), "wherever": nil} {
		y, err := Start(cpus, Often, 10*time.Second)
		if err != nil {
			t.Fatal(err)
		}
		from := time.Now()
		for len(y.over) == 0 && time.Since(from) < 1500*time.Millisecond {
			time.Sleep(50 * time.Millisecond)
		}
		y.Stop()
		took, n, ok := y.Within(from, time.Now())
		if !ok || n < least || took <= 0 || took > 20*time.Millisecond {
			t.Errorf("%s: %v from %d pieces, %v", name, took, n, ok)
		}
		t.Logf("%s: %v from %d pieces", name, took, n)
		if _, n, ok := y.Within(from.Add(-time.Hour), from.Add(-time.Minute)); ok || n != 0 {
			t.Errorf("%s: %d pieces before it began", name, n)
		}
	}
}

// TestYardstickEnds: it ends by itself, without Stop, and its descriptors are closed.
func TestYardstickEnds(t *testing.T) {
	before := descriptors(t)
	y, err := Start(nil, Often, 3*Often)
	if err != nil {
		t.Fatal(err)
	}
	select {
	case <-y.over:
	case <-time.After(time.Minute):
		t.Fatal("it goes on after its time")
	}
	y.Stop()
	if _, _, ok := y.Within(y.began, time.Now()); ok {
		t.Errorf("a figure from %d pieces", len(y.pieces))
	}
	if after := descriptors(t); after > before {
		t.Errorf("%d descriptors before, %d after", before, after)
	}
}

func TestYardstickRefused(t *testing.T) {
	before := descriptors(t)
	if _, err := Start([]int{len(unix.CPUSet{})*64 - 1}, Often, time.Second); err == nil {
		t.Error("a processor that does not exist is measured")
	}
	if after := descriptors(t); after > before {
		t.Errorf("%d descriptors before, %d after", before, after)
	}
}

func descriptors(t *testing.T) int {
	t.Helper()
	all, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(all)
}

func TestPieceAllocatesNothing(t *testing.T) {
	w, err := newWork()
	if err != nil {
		t.Fatal(err)
	}
	defer w.wire.close()
	if n := testing.AllocsPerRun(20, w.piece); n != 0 {
		t.Errorf("%v allocations for a piece", n)
	}
}

// BenchmarkPiece is the processor time of a piece on warm caches, and of its parts.
func BenchmarkPiece(b *testing.B) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	w, err := newWork()
	if err != nil {
		b.Fatal(err)
	}
	defer w.wire.close()
	for b.Loop() {
		w.piece()
	}
}

// BenchmarkBeside is what a yardstick takes of one processor, the timer's part included, as often as rounds and runs do a piece.
func BenchmarkBeside(b *testing.B) {
	for name, every := range map[string]time.Duration{"often": Often, "seldom": Seldom} {
		b.Run(name, func(b *testing.B) {
			var before, after unix.Rusage
			for b.Loop() {
				_ = unix.Getrusage(unix.RUSAGE_SELF, &before)
				y, err := Start(nil, every, time.Minute)
				if err != nil {
					b.Fatal(err)
				}
				time.Sleep(3 * time.Second)
				y.Stop()
				_ = unix.Getrusage(unix.RUSAGE_SELF, &after)
				took := time.Duration(after.Utime.Nano() + after.Stime.Nano() - before.Utime.Nano() - before.Stime.Nano())
				b.ReportMetric(100*took.Seconds()/3, "%core")
			}
		})
	}
}
