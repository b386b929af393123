package compare_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/compare"
)

// TestForecast: the outcome is put beside the forecast for what was removed, which
// need not be the first finding, and beside none when two forecasts compete.
func TestForecast(t *testing.T) {
	first := promising(finding("lock", "a.Get", 10, 0.08), ratio(1, 0.97, 1.03), ratio(0.1, 0.05, 0.2))
	second := promising(finding("io", "a.Sync", 20, 0.04), ratio(1.5, 1.3, 1.7), ratio(0.9, 0.8, 1.1))
	third := promising(finding("pool", "a.Dial", 30, 0.02), ratio(1.4, 1.2, 1.6), unpark.Quantity{})
	least := promising(finding("lock", "a.Get", 10, 0.08), unpark.Quantity{Unit: "ratio", Low: unpark.Num(2)}, unpark.Quantity{Unit: "ratio", High: unpark.Num(0.5)})
	nothing := promising(finding("lock", "a.Get", 10, 0.08), unpark.Quantity{Unit: "ratio", Low: unpark.Num(1)}, unpark.Quantity{})
	smaller := finding("io", "a.Sync", 20, 0.004)
	half := finding("io", "a.Sync", 20, 0.02)
	for _, c := range []struct {
		name          string
		before, after []unpark.Finding
		want          []string
		notices       []string
	}{
		{"the first is gone", []unpark.Finding{first}, nil, []string{"throughput a.Get true", "p99 a.Get false"}, nil},
		{"the second is gone", []unpark.Finding{first, second}, []unpark.Finding{first}, []string{"throughput a.Sync false", "p99 a.Sync false"}, nil},
		{"as good as gone", []unpark.Finding{second}, []unpark.Finding{smaller}, []string{"throughput a.Sync false", "p99 a.Sync false"}, nil},
		{"half is left", []unpark.Finding{second}, []unpark.Finding{half}, nil, []string{"forecast-of-removal"}},
		{"none is gone", []unpark.Finding{first, second}, []unpark.Finding{first, second}, nil, nil},
		{"each promised another metric", []unpark.Finding{first, second}, nil, []string{"throughput a.Sync false", "p99 a.Get false"}, nil},
		{"two promised throughput", []unpark.Finding{second, third}, nil, []string{"p99 a.Sync false"}, []string{"forecasts-together"}},
		{"one end, and what came is beyond it", []unpark.Finding{least}, nil, []string{"throughput a.Get false", "p99 a.Get true"}, nil},
		{"one end that says nothing", []unpark.Finding{nothing}, nil, nil, nil},
		{"no forecast", []unpark.Finding{finding("lock", "a.Get", 10, 0.08)}, nil, nil, nil},
	} {
		got := compare.Runs(arm(450, 0.09, 1, c.before...), arm(450, 0.03, 1, c.after...))
		var forecasts []string
		for _, f := range got.Forecast {
			forecasts = append(forecasts, fmt.Sprintf("%s %s %v", f.Metric, f.Function, f.Inside))
			if f.Rule == "" || f.Class == "" || !f.Predicted.Known() && !f.Predicted.OneEnded() || !f.Measured.Known() {
				t.Errorf("%s: %+v", c.name, f)
			}
		}
		if !slices.Equal(forecasts, c.want) {
			t.Errorf("%s: forecasts %v, want %v", c.name, forecasts, c.want)
		}
		if notices := codes(got.Warnings)[1:]; !slices.Equal(notices, c.notices) {
			t.Errorf("%s: notices %v, want %v", c.name, notices, c.notices)
		}
	}
}
