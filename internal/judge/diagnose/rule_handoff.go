package diagnose

import (
	"fmt"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/roles"
	"github.com/unpark-go/unpark/internal/units"
)

func handoffRule() Rule {
	return Rule{
		ID: "handoff", Title: "items that are handed over one by one", Class: unpark.ClassCPU,
		Doc: "Reads the CPU of sending to channels, receiving and selecting, of any goroutine, without the block profile's own clock. " +
			"Fires when CPU is scarce and that takes 30 % of it, at the line that does most: such a service hands over single items. " +
			"Silent for channels that only end a wait: they cost next to nothing.",
		Needs: []unpark.Kind{unpark.KindCPU},
		Run:   runHandoff,
	}
}

func runHandoff(m *model.Model) []unpark.Finding {
	if !m.CPUMatters() {
		return nil
	}
	var total float64
	var most facts.Signal
	for _, s := range m.Ev.Signals {
		if s.ID != facts.SignalHandoff {
			continue
		}
		total += s.CPU
		if s.CPU > most.CPU && !s.Site.IsZero() && !roles.Is(s.Site.Function, roles.Standard) {
			most = s
		}
	}
	share := m.CPUShare(total)
	if share < handoffShare || most.CPU == 0 {
		return nil
	}
	f := unpark.Finding{
		Rule: "handoff", Class: unpark.ClassCPU, Site: most.Site, Culprit: pointer(most.Site), Path: path(most.Stack),
		Title: fmt.Sprintf("Channels hand over single items, most of them in %s: that takes %s of the CPU", short(most.Site.Function), units.Say(share, "ratio")),
		Share: unpark.Num(share), ShareOf: "the target's CPU", Confidence: unpark.Medium, Cost: m.CPUCost(share),
		Facts: []unpark.Fact{
			fact("CPU of sending, receiving and selecting", total, "s", "cpu.pb.gz"),
			fact("part of it in "+short(most.Site.Function), most.CPU, "s", "cpu.pb.gz"),
		},
	}
	f.Remedies = handoffRemedies(most.Site)
	return []unpark.Finding{f}
}

func handoffRemedies(at unpark.Site) []unpark.Remedy {
	if module, _ := moduleOf(at); module != "" {
		return []unpark.Remedy{{
			Title: "Ask less often: fewer and larger reads, writes and messages, with a buffer before " + short(at.Function),
			Why:   "its channels are its own; what goes through them one by one is what it is asked for",
			Risk:  "what is in a buffer is sent later, and lost where it is not flushed",
		}}
	}
	return []unpark.Remedy{{
		Title: "Call a function for each item, or hand over slices of 64–128 items",
		Why:   "each item takes a channel's lock twice and often wakes a goroutine: some hundred nanoseconds, where a call takes one or two",
		Risk:  "a callback runs on the caller's goroutine, and must not wait for what the iteration holds",
	}, {
		Title: "Give the channel a buffer",
		Why:   "with room in it a goroutine is woken for many items at once",
		Risk:  "what is in the buffer is held in memory, and lost when the reader ends",
	}}
}
