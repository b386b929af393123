package report

import (
	"slices"
	"testing"

	"github.com/unpark-go/unpark"
)

func TestByWorth(t *testing.T) {
	forecast := func(x, p99 unpark.Quantity) unpark.Finding {
		return unpark.Finding{Class: unpark.ClassLock, Prediction: unpark.Prediction{Throughput: x, P50: x, P99: p99}}
	}
	same, unknown := unpark.Between(1.004, 0.9, 1.2, "ratio", 100), unpark.Quantity{}
	half, twice := unpark.Measured(0.5, "ratio", 100), unpark.Measured(2, "ratio", 100)
	tests := []struct {
		name         string
		all          []unpark.Finding
		full, folded []int // places, from 0
	}{
		{"nothing", nil, nil, nil},
		{"noise beside a gain", []unpark.Finding{forecast(twice, half), forecast(same, same)}, []int{0}, []int{1}},
		{"a gain of the tail alone", []unpark.Finding{forecast(twice, half), forecast(same, half)}, []int{0, 1}, nil},
		{"noise alone: the ceiling is elsewhere", []unpark.Finding{forecast(same, same), forecast(same, same)}, []int{0}, []int{1}},
		{"without a forecast", []unpark.Finding{forecast(twice, half), forecast(unknown, unknown)}, []int{0, 1}, nil},
		{"throughput that stays because it is offered, and no p99", []unpark.Finding{forecast(twice, half), forecast(same, unknown)}, []int{0, 1}, nil},
		{"noise ranked before what has no forecast", []unpark.Finding{forecast(same, same), forecast(unknown, unknown)}, []int{1}, []int{0}},
	}
	tried := forecast(same, same)
	tried.Experiment = &unpark.Experiment{}
	if full, folded := byWorth([]unpark.Finding{forecast(twice, half), tried}); len(full) != 2 || len(folded) != 0 {
		t.Errorf("what was tried is folded: %v", folded)
	}
	places := func(fs []ranked) []int {
		var out []int
		for _, f := range fs {
			out = append(out, f.at)
		}
		return out
	}
	for _, tt := range tests {
		full, folded := byWorth(tt.all)
		if !slices.Equal(places(full), tt.full) || !slices.Equal(places(folded), tt.folded) {
			t.Errorf("%s: full %v, folded %v", tt.name, places(full), places(folded))
		}
	}
}

// TestFoldedNames: of two findings at one line the name tells which is which.
func TestFoldedNames(t *testing.T) {
	line := unpark.Site{Function: "main.thumb", File: "main.go", Line: 32}
	of := func(f unpark.Finding) string { return foldedName(ranked{f, 1}) }
	scale := of(unpark.Finding{Rank: 2, Class: unpark.ClassCPU, Site: line, Culprit: &unpark.Site{Function: "image/jpeg.Decode"}})
	if want := "2 cpu in main.thumb main.go:32, jpeg.Decode"; scale != want {
		t.Errorf("%q, want %q", scale, want)
	}
	if itself := of(unpark.Finding{Rank: 3, Class: unpark.ClassCPU, Site: line, Culprit: &line}); itself != "3 cpu in main.thumb main.go:32" {
		t.Errorf("%q", itself)
	}
}
