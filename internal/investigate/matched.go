package investigate

import (
	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/across"
	"github.com/unpark-go/unpark/internal/judge/evidence"
	"github.com/unpark-go/unpark/internal/measure/exectrace"
	"github.com/unpark-go/unpark/internal/measure/profile"
)

// mostMatched bounds the requests of a trace that are kept to be joined: a trace has at most 64 MB,
// of at least some hundred bytes a request.
const mostMatched = 1 << 16

// matched joins the requests of the target to those of a service one by one, where both carry the
// identity that the load gave them.
func matched(run *unpark.Run, own evidence.Input, s side, j unpark.Join) unpark.Join {
	if !run.Plan.Traceparent {
		return j
	}
	caller := marked(own)
	if len(caller) == 0 {
		return j
	}
	return across.Match(caller, marked(s.in), s.name, j)
}

// marked are the requests that the middleware marked in the traces of a service.
func marked(in evidence.Input) []across.Request {
	c := profile.NewCatalogue(in.Target.Module, in.Target.Own...)
	var out []across.Request
	for _, t := range in.Traces {
		if t.Snapshot {
			continue
		}
		f, err := t.Open()
		if err != nil {
			continue // told of where the evidence is made
		}
		read, err := exectrace.Read(f, exectrace.Options{Meaning: evidence.Meaning(c), Keep: mostMatched})
		_ = f.Close()
		if err != nil {
			continue
		}
		for _, r := range read.Exact.Slowest {
			out = append(out, identified(c, read, r))
		}
	}
	return out
}

func identified(c *profile.Catalogue, t *exectrace.Trace, r exectrace.Request) across.Request {
	out := across.Request{Trace: r.Trace, Wall: float64(r.Wall) / 1e9}
	for _, s := range r.Spent {
		at := across.State{Class: s.State.Class(), Time: float64(s.Time) / 1e9}
		if sites := t.Stacks[s.Stack]; s.State.HasPlace() && len(sites) > 0 {
			at.Site = sites[0]
			if l := c.Label(unpark.KindGoroutine, sites); l.App >= 0 {
				at.Site = sites[l.App]
			}
		}
		out.States = append(out.States, at)
	}
	return out
}
