package window

import (
	"strings"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
)

// TestSpans: profiles of a process that are from another stretch of time than the window are told together, each sort of stretch with its cure;
// those that cover it are not.
func TestSpans(t *testing.T) {
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	file := func(kind unpark.Kind, pid int, from, to float64) unpark.ProfileFile {
		at := func(s float64) time.Time { return start.Add(time.Duration(s * float64(time.Second))) }
		return unpark.ProfileFile{Kind: kind, PID: pid, State: unpark.Present, Start: at(from), End: at(to)}
	}
	w := unpark.Window{Start: start, End: start.Add(6 * time.Second), Profiles: []unpark.ProfileFile{
		file(unpark.KindBlock, 7, -1, 7.5), file(unpark.KindMutex, 7, -1, 7.5), file(unpark.KindCPU, 7, 0, 6), file(unpark.KindAllocs, 7, 1, 6),
	}}
	got := overlap(w, false)
	if len(got) != 2 || got[0].Message != "the profiles block, mutex of process 7 cover 6.0 s of the 6.0 s window and last 8.5 s" ||
		got[1].Message != "the profiles allocs of process 7 cover 5.0 s of the 6.0 s window and last 5.0 s" {
		t.Fatalf("%+v", got)
	}
	if !strings.Contains(got[0].Cure, "late") || !strings.Contains(got[1].Cure, "--warmup") {
		t.Errorf("cures of a late answer and of a short profile: %+v", got)
	}
}
