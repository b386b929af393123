package investigate

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	pprof "github.com/google/pprof/profile"

	"github.com/unpark-go/unpark"
)

// TestSpread: the first findings say how their cost is spread, and which process of which machine has most of it, by
// the profiles of each; what cannot be read is left out.
func TestSpread(t *testing.T) {
	dir := t.TempDir()
	w := madeWindow(time.Unix(1e9, 0).UTC(), 7, 8, 9)
	for i := range w.Processes {
		w.Processes[i].Machine = i
	}
	for pid, delay := range map[string]int64{"7": 1e9, "8": 4e9, "9": 2e9} {
		at := &pprof.Function{ID: 1, Name: "example.com/shop.get"}
		l := &pprof.Location{ID: 1, Line: []pprof.Line{{Function: at}}}
		p := &pprof.Profile{
			SampleType: []*pprof.ValueType{{Type: "contentions", Unit: "count"}, {Type: "delay", Unit: "nanoseconds"}},
			Function:   []*pprof.Function{at}, Location: []*pprof.Location{l},
			Sample: []*pprof.Sample{{Location: []*pprof.Location{l}, Value: []int64{1, delay}}},
		}
		var b bytes.Buffer
		if err := p.Write(&b); err != nil {
			t.Fatal(err)
		}
		of := filepath.Join(dir, "window-01", pid)
		if err := os.MkdirAll(of, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(of, "block.pb.gz"), b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	finding := unpark.Finding{Class: unpark.ClassLock, Site: unpark.Site{Function: "example.com/shop.get"}}
	said := func(w unpark.Window, f unpark.Finding) string {
		run := unpark.Run{Windows: []unpark.Window{w}, Findings: []unpark.Finding{f}}
		spread(&run, 0, dir)
		if len(run.Findings[0].Facts) == 0 {
			return ""
		}
		return run.Findings[0].Facts[0].Text
	}
	const want = "most of one process ÷ the median of 3 on 3 machines: each has 1 s to 4 s, the median 2 s; process 8 has most, on machine 1"
	if got := said(w, finding); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	// Several of one kind are read at once, and each has its own.
	none, rated := finding, finding
	none.Site.Function = "example.com/shop.none"
	rated.Class = unpark.ClassRateLimit
	three := unpark.Run{Windows: []unpark.Window{w}, Findings: []unpark.Finding{none, finding, rated}}
	spread(&three, 0, dir)
	if f := three.Findings; len(f[0].Facts) != 0 || len(f[1].Facts) != 1 || len(f[2].Facts) != 1 || f[1].Facts[0].Text != want || f[2].Facts[0].Text != want {
		t.Errorf("three findings: %+v", three.Findings)
	}
	// A process that stands apart is told first, and what all have much alike after what is known of all together.
	known := finding
	known.Facts = []unpark.Fact{{Text: "of all together"}}
	told := unpark.Run{Windows: []unpark.Window{w}, Findings: []unpark.Finding{known}}
	if spread(&told, 0, dir); len(told.Findings[0].Facts) != 2 || told.Findings[0].Facts[0].Text != want {
		t.Errorf("one stands apart: %+v", told.Findings[0].Facts)
	}
	elsewhere := finding
	elsewhere.Site.Function = "example.com/shop.put"
	other := finding
	other.Service = "inventory"
	cpu := finding
	cpu.Class = unpark.ClassCPU // no file has it
	alone := w
	alone.Processes = w.Processes[:1]
	for name, got := range map[string]string{"no cost": said(w, elsewhere), "a service's": said(w, other), "no file": said(w, cpu), "one process": said(alone, finding)} {
		if got != "" {
			t.Errorf("%s: %q", name, got)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "window-01", "8", "block.pb.gz"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := said(w, finding); !strings.Contains(got, "the median of 2 on 3 machines: each has 1 s to 2 s, the median 1.5 s") || strings.Contains(got, "has most") {
		t.Errorf("without the one that cannot be read: %q", got)
	}
	told = unpark.Run{Windows: []unpark.Window{w}, Findings: []unpark.Finding{known}}
	if spread(&told, 0, dir); len(told.Findings[0].Facts) != 2 || told.Findings[0].Facts[1].Text == known.Facts[0].Text {
		t.Errorf("none stands apart: %+v", told.Findings[0].Facts)
	}
}
