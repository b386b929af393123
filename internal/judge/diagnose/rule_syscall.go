package diagnose

import (
	"fmt"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/units"
)

func syscallRule() Rule {
	return Rule{
		ID: "syscall", Title: "cost of read and write calls", Class: unpark.ClassSyscall,
		Doc: "Reads the CPU of read and of write system calls on the request path, and bytes × rate of the answers. Fires when " +
			"CPU is scarce and the calls of one sort take 30 % of it for answers of a kilobyte or more, or half of it for small ones. " +
			"Silent in an idle process: every server's profile is mostly system calls there.",
		Needs: []unpark.Kind{unpark.KindCPU},
		Run:   runSyscall,
	}
}

func runSyscall(m *model.Model) []unpark.Finding {
	// A server writes from more than one function: what a buffer cannot hold is
	// written on the way, the rest at the end. It is one cost.
	h, sort, ok := calls(m)
	if !ok || !m.Scarce() {
		return nil
	}
	share := m.CPUShare(h.CPU)
	body, sized := unpark.Number{}, false
	if m.Load != nil {
		body = m.Load.BytesPerResponse
		_, sized = body.Get()
	}
	large := body.Or(0) >= smallBody
	if share < syscallShare || (!large && share < syscallSmallShare) {
		return nil
	}
	f := unpark.Finding{
		Rule: "syscall", Class: unpark.ClassSyscall, Site: h.Site, Path: path(h.Stack),
		Title: fmt.Sprintf("%s calls take %s of the CPU", sort, units.Say(share, "ratio")),
		Share: unpark.Num(share), ShareOf: "the target's CPU", Confidence: unpark.Low, Cost: m.CPUCost(share),
		Facts: []unpark.Fact{fact("CPU inside these calls", h.CPU, "s", "cpu.pb.gz")},
	}
	if large {
		f.Confidence = unpark.Medium
	}
	if sized {
		f.Facts = append(f.Facts, fact("body of an answer, mean", body.Or(0), "B", "load"))
		if m.RPS > 0 {
			f.Facts = append(f.Facts, fact("bodies sent per second", body.Or(0)*m.RPS, "B", "load"))
		}
	}
	f.Remedies = syscallRemedies(large)
	return []unpark.Finding{f}
}

// calls returns the sort of call that costs more, and the function that makes most
// of them, with the CPU of all.
func calls(m *model.Model) (h model.Hotspot, sort string, ok bool) {
	h, ok = heaviest(m, facts.SignalWrite)
	sort = "Write"
	if reads, any := heaviest(m, facts.SignalRead); any && reads.CPU > h.CPU {
		return reads, "Read", true
	}
	return h, sort, ok
}

func syscallRemedies(large bool) []unpark.Remedy {
	fewer := unpark.Remedy{
		Title: "Fewer, larger calls: one buffered write per answer, no flush in between",
		Why:   "each call costs some microseconds whatever it carries",
		Risk:  "none when the answer is written once already: then this is the price of answering",
	}
	smaller := unpark.Remedy{
		Title: "Send fewer bytes: only the fields that are used, pages instead of lists",
		Why:   "the kernel copies and checksums every byte",
		Risk:  "compression trades these bytes for CPU; it pays for a slow network, seldom for a full processor",
	}
	if large {
		return []unpark.Remedy{smaller, fewer}
	}
	return []unpark.Remedy{fewer, smaller}
}
