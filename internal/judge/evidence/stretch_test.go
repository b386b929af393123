package evidence

import (
	"testing"
	"time"

	"github.com/unpark-go/unpark"
)

// TestStretched: a CPU profile of the window's second half stands for all of it; one that began a
// moment late is what it is.
func TestStretched(t *testing.T) {
	for _, tt := range []struct {
		late time.Duration
		want float64
	}{{0, 3}, {900 * time.Millisecond, 3}, {5 * time.Second, 6}, {11 * time.Second, 3}} {
		w := window(10)
		w.Start = time.Unix(100, 0)
		w.End = w.Start.Add(10 * time.Second)
		w.Processes = []unpark.Process{{PID: 1, Cores: unpark.Num(0.6)}}
		w.Profiles = []unpark.ProfileFile{{Kind: unpark.KindCPU, State: unpark.Present, Start: w.Start.Add(tt.late), End: w.End}}
		in := Input{Host: unpark.Host{CPUs: 4}, Window: w, Profiles: single(profileOf(t, unpark.KindCPU, made{"main.encode@51 main.handle@20" + serve, 3, 300}))}
		ev, _, notes := Reduce(in)
		if !near(ev.CPU.Sampled.Or(0), tt.want, 1e-6) {
			t.Errorf("%v late: %v s, want %v", tt.late, ev.CPU.Sampled, tt.want)
		}
		told := false
		for _, n := range notes {
			told = told || n.Code == "cpu-profile-after"
		}
		if told != (tt.want != 3) {
			t.Errorf("%v late: told %v", tt.late, told)
		}
	}
}
