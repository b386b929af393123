package diagnose

import (
	"fmt"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/units"
)

func servingRule() Rule {
	return Rule{
		ID: "serving", Title: "what the server takes around its handlers", Class: unpark.ClassCPU,
		Doc: "Reads the CPU of net/http on connections of clients, outside of handlers or below what they write. " +
			"Fires when CPU is full, three tenths of it go there, and no other rule has found anything: the service is healthy, and this is its price. " +
			"Silent beside any other finding.",
		Needs: []unpark.Kind{unpark.KindCPU},
		Run:   runServing, Last: true,
	}
}

func runServing(m *model.Model) []unpark.Finding {
	h, ok := heaviest(m, facts.SignalServing)
	share := m.CPUShare(h.CPU)
	if !ok || !m.CPUBound() && !m.Crowded() || share < servingShare {
		return nil
	}
	f := unpark.Finding{
		Rule: "serving", Class: unpark.ClassCPU, Site: h.Site, Culprit: pointer(h.Site), Path: path([]unpark.Site{h.Site}), // what it calls is buffered already
		Title: fmt.Sprintf("No function stands out: %s of the CPU is the HTTP server's own, to read requests and write answers", units.Say(share, "ratio")),
		Share: unpark.Num(share), ShareOf: "the target's CPU", Confidence: unpark.Medium, Cost: m.CPUCost(share),
		Facts: []unpark.Fact{fact("CPU of the server around its handlers", h.CPU, "s", "cpu.pb.gz")},
	}
	if m.Ev.CPU.Short() {
		f.Confidence = unpark.Low
	}
	if calls := m.Wire.Clients.CPU; calls > 0 {
		f.Facts = append(f.Facts, fact("CPU of read and write calls on connections of clients", calls, "s", "cpu.pb.gz"))
	}
	f.Facts = append(f.Facts, kernelFacts(m)...)
	if writes := m.Wire.Writes; writes >= manyWrites && len(m.Ev.Window.Peers) == 0 {
		f.Remedies = append(f.Remedies, unpark.Remedy{
			Title: fmt.Sprintf("Write each answer once: there are %s write calls for each request", units.Say(writes, "")),
			Why:   "each call costs some microseconds whatever it carries; a flush, or a header that goes before its body, is a call more",
			Risk:  "what is meant to arrive in pieces, such as events, must be flushed",
		})
	}
	f.Remedies = append(f.Remedies, unpark.Remedy{
		Title: "More processors, or fewer requests: several questions in one, and answers that clients and proxies keep (Cache-Control, ETag)",
		Why:   "each request over HTTP/1.1 is read, parsed and answered with system calls of its own, whatever it asks; there is nothing of the service to mend",
		Risk:  "none of it makes a request cheaper",
	}, unpark.Remedy{
		Title: "HTTP/2 between services that are yours: the requests of many callers share a connection, and its reads and writes",
		Why:   "frames that are ready together go out in one call",
		Risk:  "calls that come one at a time cost more with it: measure",
	})
	return []unpark.Finding{f}
}
