package diagnose

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/model"
)

// TestTightPace: where the heap may hardly grow, letting it grow is the first thing to do about
// garbage; not where it may, where the collector costs little, or for what is no garbage.
func TestTightPace(t *testing.T) {
	for _, c := range []struct {
		name       string
		class      unpark.Class
		live, goal unpark.Number
		share      float64
		want       bool
	}{
		{"GOGC is 10", unpark.ClassAlloc, unpark.Num(100e6), unpark.Num(111e6), 0.4, true},
		{"of the collector itself", unpark.ClassGC, unpark.Num(100e6), unpark.Num(111e6), 0.4, true},
		{"a limit that has been passed", unpark.ClassGC, unpark.Num(100e6), unpark.Num(90e6), 0.4, true},
		{"as it is by default", unpark.ClassAlloc, unpark.Num(100e6), unpark.Num(204e6), 0.4, false},
		{"collecting costs little", unpark.ClassAlloc, unpark.Num(100e6), unpark.Num(111e6), 0.05, false},
		{"no garbage", unpark.ClassCPU, unpark.Num(100e6), unpark.Num(111e6), 0.4, false},
		{"no trace", unpark.ClassAlloc, unpark.Num(100e6), unpark.Number{}, 0.4, false},
	} {
		m := &model.Model{Ev: facts.Evidence{GC: facts.GC{HeapLive: c.live, HeapGoal: c.goal}}}
		m.GCShare = c.share
		f := unpark.Finding{Class: c.class, Remedies: []unpark.Remedy{{Title: "Allocate less"}}}
		paced(m, &f)
		if got := strings.HasPrefix(f.Remedies[0].Title, "Let the heap grow"); got != c.want || len(f.Facts) > 1 {
			t.Errorf("%s: %+v", c.name, f)
		}
		if c.want && f.Facts[0].Source != "trace.out" {
			t.Errorf("%s: from %s", c.name, f.Facts[0].Source)
		}
	}
}

// TestPaceIsSet: where the runtime says what it is set to, the setting that makes collections come often is the one to raise; GOGC as it
// is by default is not, nor is a limit that is far.
func TestPaceIsSet(t *testing.T) {
	for name, c := range map[string]struct {
		gogc, limit, goal unpark.Number
		want              string
	}{
		"GOGC is 10":                    {unpark.Num(10), unpark.Number{}, unpark.Num(111e6), "Raise GOGC, which is 10"},
		"GOGC is 10, the limit is far":  {unpark.Num(10), unpark.Num(4e9), unpark.Num(111e6), "Raise GOGC, which is 10"},
		"off, and the limit is reached": {unpark.Num(-1), unpark.Num(128e6), unpark.Num(104e6), "Raise GOMEMLIMIT, which is 128 MB"},
		"100, and the limit is near":    {unpark.Num(100), unpark.Num(128e6), unpark.Num(111e6), "Raise GOMEMLIMIT"},
		"100, without a limit":          {unpark.Num(100), unpark.Number{}, unpark.Num(111e6), "Allocate less"},
		"100, read between two cycles":  {unpark.Num(100), unpark.Number{}, unpark.Num(98e6), "Allocate less"},
		"not known":                     {unpark.Number{}, unpark.Number{}, unpark.Num(111e6), "Let the heap grow"},
	} {
		m := &model.Model{Ev: facts.Evidence{GC: facts.GC{HeapLive: unpark.Num(100e6), HeapGoal: c.goal, GOGC: c.gogc, MemoryLimit: c.limit}}}
		m.GCShare = 0.4
		f := unpark.Finding{Title: "Garbage", Class: unpark.ClassGC, Remedies: []unpark.Remedy{{Title: "Allocate less"}}}
		paced(m, &f)
		if !strings.HasPrefix(f.Remedies[0].Title, c.want) || (f.Title == "Garbage") != !strings.HasPrefix(c.want, "Raise") {
			t.Errorf("%s: %q, %q", name, f.Title, f.Remedies[0].Title)
		}
	}
}
