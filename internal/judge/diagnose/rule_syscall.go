package diagnose

import (
	"fmt"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/roles"
	"github.com/unpark-go/unpark/internal/units"
)

func syscallRule() Rule {
	return Rule{
		ID: "syscall", Title: "cost of read and write calls", Class: unpark.ClassSyscall,
		Doc: "Reads the CPU of read and of write system calls on the request path, and bytes × rate of the answers. Fires when " +
			"CPU is scarce and the calls of one sort take 30 % of it for answers of a kilobyte or more, or half of it for small ones; " +
			"from 30 % if they go to files. " +
			"Silent in an idle process: every server's profile is mostly system calls there.",
		Needs: []unpark.Kind{unpark.KindCPU},
		Run:   runSyscall,
	}
}

func runSyscall(m *model.Model) []unpark.Finding {
	if !m.Scarce() {
		return nil
	}
	var out []unpark.Finding
	if f, ok := toFiles(m); ok {
		out = append(out, f)
	}
	return append(out, toConnections(m)...)
}

// toFiles reports the calls that read and write files: no answer needs one for itself.
func toFiles(m *model.Model) (unpark.Finding, bool) {
	h, sort, ok := calls(m, true)
	if share := m.CPUShare(h.CPU); !ok || share < syscallShare {
		return unpark.Finding{}, false
	}
	f := callsFinding(m, h, fmt.Sprintf("%s calls to files", sort))
	f.Confidence = unpark.Medium
	reach(&f, h.Stack)
	f.Remedies = []unpark.Remedy{{
		Title: "Put a buffer before the file: many records a call, emptied by size and by a timer",
		Why:   "each call costs some microseconds whatever it carries, and one at a time writes to a file",
		Risk:  "a crash loses what is in the buffer; flush it at exit",
	}, {
		Title: "Write or read less: the level of a log, samples of it, a cache of what is read again",
		Why:   "what is not written costs nothing",
	}}
	return f, true
}

// callsFinding is the finding about calls of one sort.
func callsFinding(m *model.Model, h model.Hotspot, what string) unpark.Finding {
	share := m.CPUShare(h.CPU)
	return unpark.Finding{
		Rule: "syscall", Class: unpark.ClassSyscall, Site: h.Site, Path: path(h.Stack),
		Title: fmt.Sprintf("%s take %s of the CPU", what, units.Say(share, "ratio")),
		Share: unpark.Num(share), ShareOf: "the target's CPU", Confidence: unpark.Low, Cost: m.CPUCost(share),
		Facts: []unpark.Fact{fact("CPU inside these calls", h.CPU, "s", "cpu.pb.gz")},
	}
}

// toConnections reports the calls that read and write connections.
func toConnections(m *model.Model) []unpark.Finding {
	// A server writes from more than one function: what a buffer cannot hold is
	// written on the way, the rest at the end. It is one cost.
	h, sort, ok := calls(m, false)
	if !ok {
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
	f := callsFinding(m, h, sort+" calls")
	if large {
		f.Confidence = unpark.Medium
	}
	if sized {
		f.Facts = append(f.Facts, fact("body of an answer, mean", body.Or(0), "B", "load"))
		if m.RPS > 0 {
			f.Facts = append(f.Facts, fact("bodies sent per second", body.Or(0)*m.RPS, "B", "load"))
		}
	}
	f.Remedies = syscallRemedies(sort, h.Stack, large)
	return []unpark.Finding{f}
}

// calls returns the sort of call that costs more, of those to files or of the others, and
// the function that makes most of them, with the CPU of all.
func calls(m *model.Model, files bool) (h model.Hotspot, sort string, ok bool) {
	of := func(id facts.SignalID) (model.Hotspot, bool) {
		return summed(m.Hotspots(func(s facts.Signal) bool { return s.ID == id && roles.On(s.Stack, roles.File) == files }))
	}
	h, ok = of(facts.SignalWrite)
	if reads, any := of(facts.SignalRead); any && reads.CPU > h.CPU {
		return reads, sortRead, true
	}
	return h, "Write", ok
}

// sortRead is the sort of call that reads.
const sortRead = "Read"

func syscallRemedies(sort string, stack []unpark.Site, large bool) []unpark.Remedy {
	less := unpark.Remedy{
		Title: "Ask for less: only the fields that are used, pages instead of lists, several questions at once",
		Why:   "the kernel copies every byte, and wakes the reader for what comes in pieces",
	}
	switch {
	case sort == sortRead && roles.On(stack, roles.Buffered):
		return []unpark.Remedy{less}
	case sort == sortRead:
		return []unpark.Remedy{{
			Title: "Read through a buffer: put a bufio.Reader before the connection, so that one call takes what has come",
			Why:   "each call costs some microseconds whatever it carries; what is read in small pieces, a length and then what it is of, takes several for each message",
			Risk:  "what is in the buffer is read from it alone, also by what takes the connection over",
		}, less}
	}
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
