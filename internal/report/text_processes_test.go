package report

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
)

// TestWorkers: a process is counted that has one P and a parent that answers nothing.
func TestWorkers(t *testing.T) {
	process := func(pid, parent int, procs, cores float64) unpark.Process {
		return unpark.Process{PID: pid, Parent: parent, State: "whole", GOMAXPROCS: unpark.Num(procs), Cores: unpark.Num(cores)}
	}
	master := unpark.Process{PID: 10, Parent: 1, State: "whole"} // without metrics
	dead := process(14, 10, 1, 0.1)
	dead.State = "died"
	for name, tt := range map[string]struct {
		all  []unpark.Process
		want string
	}{
		"prefork":               {[]unpark.Process{master, process(11, 10, 1, 0.4), process(12, 10, 1, 0.5)}, "2 workers of process 10"},
		"one worker":            {[]unpark.Process{master, process(11, 10, 1, 0.9)}, "1 worker of process 10"},
		"one of them died":      {[]unpark.Process{master, process(11, 10, 1, 0.9), dead}, "1 worker of process 10"},
		"two P each":            {[]unpark.Process{master, process(11, 10, 2, 0.4), process(12, 10, 2, 0.5)}, ""},
		"the parent works":      {[]unpark.Process{process(10, 1, 2, 0.5), process(11, 10, 1, 0.5)}, ""},
		"one process":           {[]unpark.Process{process(10, 1, 1, 0.5)}, ""},
		"no parent among them":  {[]unpark.Process{process(11, 10, 1, 0.5), process(12, 10, 1, 0.5)}, ""},
		"GOMAXPROCS is unknown": {[]unpark.Process{master, {PID: 11, Parent: 10, State: "whole", Cores: unpark.Num(1)}}, ""},
	} {
		if got := workers(tt.all); (got == "") != (tt.want == "") || !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}
