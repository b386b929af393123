package model

import (
	"testing"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
)

// TestRecordedPart: what was recorded for a third of the window has a third of the records behind it.
func TestRecordedPart(t *testing.T) {
	start := time.Unix(1000, 0)
	f := unpark.ProfileFile{Kind: unpark.KindBlock, State: unpark.Present, Start: start, End: start.Add(30 * time.Second), Rate: unpark.Num(1e6)}
	for recorded, want := range map[unpark.Number]float64{{}: 3000, unpark.Num(10): 1000} {
		f.Recorded = recorded
		m := &Model{Ev: facts.Evidence{Window: unpark.Window{Profiles: []unpark.ProfileFile{f}}}}
		if got := m.Recorded(3, 9000); got != want {
			t.Errorf("recorded %v s: %v records, want %v", recorded, got, want)
		}
	}
}
