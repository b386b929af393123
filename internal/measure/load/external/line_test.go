package external

import (
	"strings"
	"testing"
	"time"
)

func TestHint(t *testing.T) {
	for line, want := range map[string]string{
		"echo 'GET {url}' | vegeta attack": "vegeta report -type=json",
		"npx autocannon {url}":             "{seconds}",
		"/opt/oha {url}":                   "--output-format json",
		"k6 run --no-summary s.js":         "--no-summary",
		"./load.sh":                        "drive the load itself",
	} {
		if got := Hint(line); !strings.Contains(got, want) {
			t.Errorf("%s: %q", line, got)
		}
	}
}

func TestSummaryExport(t *testing.T) {
	for line, want := range map[string]string{
		"k6 run --summary-export=a.json s.js":    "a.json",
		"k6 run --summary-export 'a b.json' s":   "a b.json",
		"k6 run s.js --summary-export out.json;": "out.json",
		"k6 run s.js":                            "",
	} {
		if got := summaryExport(line); got != want {
			t.Errorf("%s: %q", line, got)
		}
	}
}

func TestUsage(t *testing.T) {
	var u usage
	zero := time.Unix(1000, 0)
	at := func(s float64) time.Time { return zero.Add(time.Duration(s * float64(time.Second))) }
	if u.cores(at(0), at(1)).Known() {
		t.Error("cores of nothing")
	}
	for _, s := range []struct{ at, cpu float64 }{{0, 0}, {1, 1}, {2, 3}, {3, 2}, {4, 5}} {
		u.add(at(s.at), s.cpu)
	}
	for _, tt := range []struct{ from, to, want float64 }{{0, 4, 1.25}, {0.5, 1.5, 1.5}, {2, 3, 0}, {3, 3.5, 2}} {
		if got := u.cores(at(tt.from), at(tt.to)).Or(-1); got < tt.want-1e-9 || got > tt.want+1e-9 {
			t.Errorf("%v to %v: %v, want %v", tt.from, tt.to, got, tt.want)
		}
	}
	if u.cores(at(-5), at(4)).Known() || u.cores(at(2), at(2)).Known() || u.cores(at(7), at(9)).Known() {
		t.Error("cores outside of the readings")
	}
}
