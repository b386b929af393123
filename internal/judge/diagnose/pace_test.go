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
