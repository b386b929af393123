package report

import (
	"testing"
	"time"

	"github.com/unpark-go/unpark"
)

// TestDrawnParts: a sample says that it is one, and goroutines that changed are no sample.
func TestDrawnParts(t *testing.T) {
	for want, s := range map[string]*unpark.Snapshots{
		"": {Count: 16},
		"goroutines 64 times, 4000 of 100k drawn by chance":               {Count: 64, Drawn: unpark.Num(4000), Of: unpark.Num(100_000), Moved: unpark.Num(2)},
		"goroutines 61 times, 0.500 of 81.5 changed while they were read": {Count: 61, Drawn: unpark.Num(81.5), Of: unpark.Num(81.5), Moved: unpark.Num(0.5)},
	} {
		if got := drawnParts(unpark.Window{Processes: []unpark.Process{{Snapshots: s}}}); got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
	if got := drawnParts(unpark.Window{Processes: []unpark.Process{{}}}); got != "" {
		t.Errorf("of none: %q", got)
	}
}

// TestRecordedPart: what was recorded for a part of the window is said, of several processes the shortest; what was recorded all
// the while is not.
func TestRecordedPart(t *testing.T) {
	start := time.Unix(1000, 0)
	file := func(kind unpark.Kind, recorded float64) unpark.ProfileFile {
		f := unpark.ProfileFile{Kind: kind, State: unpark.Present, Start: start, End: start.Add(30 * time.Second)}
		if recorded > 0 {
			f.Recorded = unpark.Num(recorded)
		}
		return f
	}
	w := unpark.Window{Start: start, End: start.Add(30 * time.Second), Profiles: []unpark.ProfileFile{
		file(unpark.KindBlock, 12), file(unpark.KindBlock, 10), file(unpark.KindMutex, 0),
	}}
	if got, want := recordedPart(w), "block recorded for 10 s of 30 s, which had events enough"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	w.Profiles = w.Profiles[2:]
	if got := recordedPart(w); got != "" {
		t.Errorf("%q of a whole one", got)
	}
}
