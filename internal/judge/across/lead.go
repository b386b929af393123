package across

import (
	"fmt"
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/units"
)

// Verdict is what was said of one callee, as the caller's requests feel it.
type Verdict struct {
	Service  unpark.Service
	Findings []unpark.Finding // with their forecasts
	Cores    float64          // that it used
}

// Lead puts the verdict of a caller and those of the services that it asks into one: the limit,
// and all findings, not yet ranked. A limit of the caller's own stays, unless it is only that it
// waits, or that the processors are full and another service has more of them. A wait for an
// answer gives way to its cause in the service that is asked. Cores is what the caller used.
func Lead(name string, limit unpark.Limit, findings []unpark.Finding, cores float64, all ...Verdict) (unpark.Limit, []unpark.Finding) {
	explained := false
	out := slices.Clone(findings)
	for _, v := range all {
		if v.Service.Join.Unsure == "" && overrules(v, limit, cores) {
			limit = v.Service.Limit
			limit.Service = v.Service.Name
			cores = v.Cores
		}
		for _, f := range v.Findings {
			f.Service = v.Service.Name
			f.Title = v.Service.Name + ": " + f.Title
			f.Facts = append(seen(name, v.Service), f.Facts...)
			out = append(out, f)
			explained = explained || v.Service.Join.Unsure == "" && worth(f)
		}
	}
	if explained {
		out = slices.DeleteFunc(out, func(f unpark.Finding) bool { return f.Service == "" && f.Class == unpark.ClassDownstream })
	}
	return limit, out
}

// overrules reports whether what binds in a callee is what binds the run.
func overrules(v Verdict, own unpark.Limit, cores float64) bool {
	switch v.Service.Limit.Kind {
	case unpark.LimitNone, unpark.LimitUnknown, unpark.LimitConnections, unpark.LimitGenerator, unpark.LimitNetwork, "":
		return false
	}
	switch own.Kind {
	case unpark.LimitDownstream, unpark.LimitConnections, unpark.LimitNone, unpark.LimitUnknown, unpark.LimitNetwork:
		return true
	case unpark.LimitCPU, unpark.LimitGC:
		return v.Service.Limit.Kind != unpark.LimitDownstream && v.Cores > cores
	}
	return false
}

// worth reports whether a finding buys something end to end, or may: where the p99 is not said it may.
func worth(f unpark.Finding) bool {
	p := f.Prediction
	return p.Throughput.Value.Or(1) >= 1+unpark.LeastGain || p.P99.Value.Or(1) <= 1-unpark.LeastGain || !p.P99.Known()
}

// seen says how a finding of a callee was joined to the caller's requests.
func seen(name string, s unpark.Service) []unpark.Fact {
	j := s.Join
	source := "connections and traces (inferred)"
	if j.How == unpark.ByTraceparent {
		source = "traceparent"
	}
	var out []unpark.Fact
	if v, ok := j.Share.Get(); ok {
		out = append(out, unpark.Fact{
			Text:  fmt.Sprintf("share of the time of %s's requests that they wait for %s", name, s.Name),
			Value: unpark.Num(v), Unit: "ratio", Source: source,
		})
	}
	if v, ok := j.Tail.Get(); ok {
		out = append(out, unpark.Fact{Text: "share of the time of its slowest requests", Value: unpark.Num(v), Unit: "ratio", Source: source})
	}
	if calls, ok := j.Calls.Value.Get(); ok {
		out = append(out, unpark.Fact{
			Text:  fmt.Sprintf("requests of %s by each, of %s", s.Name, units.Say(j.Wall.Value.Or(0), "s")),
			Value: unpark.Num(calls), Unit: "requests/req", Source: source,
		})
	}
	return out
}
