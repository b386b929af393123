package report

import (
	"testing"

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
