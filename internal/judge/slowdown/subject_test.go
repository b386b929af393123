package slowdown

import (
	"math"
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
)

func TestSubjects(t *testing.T) {
	site := unpark.Site{Function: "p.f", File: "/p.go", Line: 3}
	wide, narrow := unpark.Between(2, 1.2, 3, "ratio", 1), unpark.Between(2, 1.9, 2.2, "ratio", 1)
	cost := unpark.Cost{CPUPerRequest: unpark.Measured(1e-4, "s/req", 1), HoldPerRequest: unpark.Measured(1e-4, "s/req", 1)}
	for name, c := range map[string]struct {
		finding unpark.Finding
		want    string
	}{
		"certain":      {unpark.Finding{Class: unpark.ClassCPU, Site: site, Cost: cost, Prediction: unpark.Prediction{Throughput: narrow}}, "certain enough: its interval is ×1.16 wide"},
		"wide":         {unpark.Finding{Class: unpark.ClassCPU, Site: site, Cost: cost, Prediction: unpark.Prediction{Throughput: wide}}, ""},
		"abstained":    {unpark.Finding{Class: unpark.ClassAlloc, Site: site, Cost: cost}, ""},
		"lock":         {unpark.Finding{Class: unpark.ClassLock, Waiter: &site, Cost: cost}, ""},
		"hold unknown": {unpark.Finding{Class: unpark.ClassLock, Waiter: &site}, "how long the lock is held"},
		"CPU unknown":  {unpark.Finding{Class: unpark.ClassCPU, Site: site}, "of the CPU per request is not known"},
		"I/O":          {unpark.Finding{Class: unpark.ClassIO, Site: site, Cost: cost}, "waits without a processor"},
		"channel":      {unpark.Finding{Class: unpark.ClassChannel, Site: site, Cost: cost}, "waits without a processor"},
		"no file":      {unpark.Finding{Class: unpark.ClassCPU, Site: unpark.Site{Function: "p.f"}, Cost: cost}, "its place in the source is not known"},
		"nothing":      {unpark.Finding{Class: unpark.ClassCPU, Site: site, Cost: unpark.Cost{CPUPerRequest: unpark.Measured(0, "s/req", 1)}}, "no measurable time"},
	} {
		if _, why := SubjectOf(unpark.Run{}, unpark.Window{}, c.finding, DefaultWidth); (c.want == "") != (why == "") || !strings.Contains(why, c.want) {
			t.Errorf("%s: %q", name, why)
		}
	}
}

// TestSubjectIsTheSite: a delay at one of two places that call the culprit stands for what
// goes through that place.
func TestSubjectIsTheSite(t *testing.T) {
	f := unpark.Finding{
		Class: unpark.ClassCPU, Site: unpark.Site{Function: "p.f", File: "/p.go", Line: 3},
		Cost: unpark.Cost{CPUPerRequest: unpark.Between(1e-3, 0.9e-3, 1.1e-3, "s/req", 100)},
		From: []unpark.Part{{Share: 0.7}, {Share: 0.3}},
	}
	s, why := SubjectOf(unpark.Run{}, unpark.Window{}, f, DefaultWidth)
	if v := s.Removed; why != "" || math.Abs(v.Value.Or(0)-0.7e-3) > 1e-9 || math.Abs(v.High.Or(0)-0.77e-3) > 1e-9 {
		t.Errorf("%s %+v", why, v)
	}
}
