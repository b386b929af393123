package diagnose_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/diagnose"
)

// TestStalls: system calls that the slowest requests alone make are a finding where a trace
// has them as most of what makes those slow, and not where it is less, or surely only a part.
func TestStalls(t *testing.T) {
	file := []unpark.Site{fn("syscall.Fsync"), fn("os.(*File).Sync"), fn("store.(*Log).checkpoint")}
	for _, c := range []struct {
		name      string
		class     unpark.WaitClass
		tail, low float64 // s, of 12 ms that the slowest take and 1 ms in the middle
		n         int64
		call      []unpark.Site
		want      bool
	}{
		{"most of it", unpark.WaitSyscall, 9e-3, 7e-3, 20, file, true},
		{"a third of it", unpark.WaitSyscall, 4e-3, 3.5e-3, 20, file, false},
		{"of one request", unpark.WaitSyscall, 9e-3, 1e-3, 20, file, false},
		{"too few are slow", unpark.WaitSyscall, 9e-3, 7e-3, 5, file, false},
		{"ready to run", unpark.WaitScheduler, 9e-3, 7e-3, 20, file, false},
		{"a socket, which does not wait in the kernel", unpark.WaitSyscall, 9e-3, 7e-3, 20, []unpark.Site{fn("syscall.Write"), fn("net.(*conn).Write")}, false},
	} {
		ev := calm()
		row := unpark.Excess{
			Class: c.class, Site: fn("app.(*diary).write"), Tail: c.tail, Middle: 1e-5, Share: unpark.Num(c.tail / 11e-3),
			Stack: append(slices.Clone(c.call), fn("app.(*diary).write"), fn("net/http.(*conn).serve")),
			More:  unpark.Between(c.tail, c.low, 11e-3, "s/req", c.n),
		}
		ev.Tracing = &unpark.Tracing{
			Seconds: 8, Requests: 2000, Wall: unpark.Latency{N: 2000, Mean: 0.010}, Excess: []unpark.Excess{row},
			Tail: unpark.Cohort{From: 0.99, To: 1, N: c.n, Mean: 12e-3}, Middle: unpark.Cohort{From: 0.4, To: 0.6, N: 200, Mean: 1e-3},
		}
		_, findings, _ := diagnose.Verdict(ev, nil)
		found := of(unpark.ClassIO, findings)
		if (len(found) == 1) != c.want {
			t.Errorf("%s: %d findings, want one: %v", c.name, len(found), c.want)
		}
		if !c.want || len(found) != 1 {
			continue
		}
		f := found[0]
		if f.Culprit == nil || f.Culprit.Function != "store.(*Log).checkpoint" || !strings.Contains(f.Title, "in the slowest 1 % alone") {
			t.Errorf("%s: %q, culprit %v", c.name, f.Title, f.Culprit)
		}
		if w := f.Cost.WaitPerRequest.Value.Or(0); w < 80e-6 || w > 120e-6 { // 9 ms in one of a hundred
			t.Errorf("%s: %v s a request", c.name, w)
		}
	}
}
