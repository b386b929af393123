package diagnose

import (
	"fmt"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/units"
)

func wireRule() Rule {
	return Rule{
		ID: "wire", Title: "connections of the service to itself", Class: unpark.ClassSyscall,
		Doc: "Reads the CPU of read and write calls, of any goroutine, on connections other than those by which requests come in, and of requests inside of clients. " +
			"Fires when CPU is full, or scarce and no wait is the limit, all connections that the service opened lead to itself, and a tenth of its CPU is that. " +
			"Silent where a connection leads elsewhere: which of them a call is on, no profile says.",
		Needs: []unpark.Kind{unpark.KindCPU},
		Run:   runWire,
	}
}

func runWire(m *model.Model) []unpark.Finding {
	at := m.Wire.Others.Most
	share := m.CPUShare(m.Wire.Others.CPU + m.Wire.Asking)
	if !m.CPUBound() && (!m.CPUMatters() || waitsMost(m)) || !m.Wire.Itself || share < wireShare {
		return nil
	}
	f := unpark.Finding{
		Rule: "wire", Class: unpark.ClassSyscall, Site: at.Site, Path: path(at.Stack),
		Title: fmt.Sprintf("The service talks to itself over connections: read and write calls on them take %s of the CPU, most of it in %s", units.Say(share, "ratio"), short(at.Site.Function)),
		Share: unpark.Num(share), ShareOf: "the target's CPU", Confidence: unpark.Medium, Cost: m.CPUCost(share),
		Facts: []unpark.Fact{
			fact("CPU inside these calls", m.Wire.Others.CPU, "s", "cpu.pb.gz"),
			fact("of it in "+short(at.Site.Function), at.CPU, "s", "cpu.pb.gz"),
		},
	}
	if m.Wire.Asking > m.Wire.Others.CPU {
		f.Title = fmt.Sprintf("The service asks itself over connections: what its clients do, and the calls on them, take %s of the CPU", units.Say(share, "ratio"))
	}
	if m.Wire.Asking > 0 {
		f.Facts = append(f.Facts, fact("CPU of requests inside of clients of the service itself, without calls", m.Wire.Asking, "s", "cpu.pb.gz"))
	}
	reach(&f, at.Stack)
	if f.Culprit == nil {
		f.Culprit = pointer(at.Site)
	}
	if m.Ev.CPU.Short() {
		f.Confidence = unpark.Low
	}
	f.Facts = append(f.Facts, kernelFacts(m)...)
	f.Remedies = []unpark.Remedy{{
		Title: "Ask inside of the process in place of over a connection: call the server's function, or give client and server two ends in memory (net.Pipe, an in-process option of the library)",
		Why:   "both ends are this process: each message costs it a write, a read and twice the scheduler, beside being encoded and decoded",
		Risk:  "what the server checks of a caller (credentials, limits) must be checked on that way as well",
	}, {
		Title: "Send more in one call: collect what goes to one connection, and flush when nothing more is ready",
		Why:   "a call costs some microseconds whatever it carries",
		Risk:  "the first of a batch waits for the others",
	}}
	return []unpark.Finding{f}
}

// waitsMost reports whether a lock or another wait is the limit.
func waitsMost(m *model.Model) bool {
	_, locked := lockBound(m, nil)
	_, waits := waitBound(m, nil)
	return locked || waits
}
