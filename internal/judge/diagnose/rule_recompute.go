package diagnose

import (
	"fmt"
	"math"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/units"
)

func recomputeRule() Rule {
	return Rule{
		ID: "recompute", Title: "the same output computed again", Class: unpark.ClassRecompute,
		Doc: "Reads the share of answers that equal an earlier answer to the same request, and what computing them costs. " +
			"Fires when 95 % repeat and a quarter of the CPU goes into encoding, or 40 % into computing. Silent when answers differ, when the load asks for one thing alone, or goes through a list that has each thing once, which any deterministic service answers alike each time, when repeated bytes are ready and only sent, where most of it is room for bytes that are copied, for tiny answers, which repeat by chance, " +
			"where a module computes most of it and the load is a few requests that were written down, which is then told of that module, and where, by a trace, most requests find theirs ready and hardly more are made than have to be, once for each change.",
		Needs: []unpark.Kind{unpark.KindCPU},
		Run:   runRecompute,
		// A function whose output is made again and again is one cause, and its cure is the
		// cache.
		Supersedes: []Supersession{{Rule: "cpu", Same: makesAnswers}, {Rule: "setup", Same: sameFunction}},
	}
}

func runRecompute(m *model.Model) []unpark.Finding {
	if m.Load == nil || !m.Ev.Varies() || m.Load.Repeated.Or(0) < repeats || m.Load.BytesPerResponse.Or(leastBody) < leastBody {
		return nil
	}
	site, stack, seconds, how, ok := maker(m)
	if !ok {
		return nil
	}
	whole := max(seconds, computing(m, site.Function))
	kept, each := recomputed(m, whole)
	if kept && each < tooMany {
		return nil
	}
	if moved := m.Ev.CPU.Tree.Room(site.Function); moved >= foreignWork*whole {
		return nil // it moves bytes that are there already
	}
	share := min(1, m.CPUShare(whole)+m.CollectorShare(bytesThrough(m, site.Function)))
	cost := m.CPUCost(share)
	if !m.CPUMatters() && cost.CPUPerRequest.Value.Or(0) < recomputeTime {
		return nil
	}
	if b, ok := m.PerRequest(bytesThrough(m, site.Function)).Get(); ok && b > 0 {
		cost.BytesPerRequest = unpark.Measured(b, "B/req", int64(m.Requests))
	}
	confidence := unpark.High // the answers and the CPU profile are two kinds that agree
	facts := []unpark.Fact{
		fact("share of sampled answers that equal an earlier one to the same request", m.Load.Repeated.Or(0), "ratio", "load"),
		fact("CPU for "+how+" them", seconds, "s", "cpu.pb.gz"),
	}
	if whole > seconds {
		facts = append(facts, fact("CPU for all of "+short(site.Function)+" but system calls on sockets and files", whole, "s", "cpu.pb.gz"))
	}
	if kept && !math.IsInf(each, 1) {
		facts = append(facts, fact("answers made for each that had to be, where most requests find theirs ready", each, "count", "trace.out, cpu.pb.gz"))
	}
	return []unpark.Finding{{
		Rule: "recompute", Class: unpark.ClassRecompute, Site: site, Path: path(stack), Cost: cost,
		Title: fmt.Sprintf("%s makes the same answers again: %s of them repeat", short(site.Function), units.Say(m.Load.Repeated.Or(0), "ratio")),
		Share: unpark.Num(share), ShareOf: "the target's CPU",
		Confidence: confidence,
		Facts:      facts, Remedies: recomputeRemedies(),
	}}
}

// computing is the CPU, in seconds, of a function and all that it calls, but for reading
// and writing: a kept answer is still sent.
func computing(m *model.Model, function string) float64 {
	var whole, calls float64
	for _, s := range m.Ev.CPU.Sites {
		if s.Side == unpark.RequestPath && s.Site.Function == function {
			whole = max(whole, s.Cum)
		}
	}
	for _, s := range m.Ev.Signals {
		if (s.ID == facts.SignalWrite || s.ID == facts.SignalRead) && facts.Through(s.Stack, function) {
			calls += s.CPU
		}
	}
	return whole - calls
}

// bytesThrough sums what is allocated on stacks that run through a function.
func bytesThrough(m *model.Model, function string) float64 {
	var sum float64
	for _, a := range m.Ev.Allocs {
		if a.Site.Function == function || facts.Through(a.Stack, function) {
			sum += a.Bytes
		}
	}
	return sum
}

// recomputed says, where something keeps answers and most requests find theirs ready,
// how many are computed for each that has to be. That answers repeat is then not a sign
// that they are computed again: each has to be once. One has to be for each request that
// may change it, where there are such requests, and else for each that never came before;
// where changes meet requests of no end of kinds, as many as are. How many are computed
// follows from how long one that a moment falls into runs: where they differ it is too
// few.
//
// That most find theirs ready is known from a trace: few requests run for much longer
// than the others, and what they run is about what computing one takes.
func recomputed(m *model.Model, seconds float64) (kept bool, each float64) {
	t := m.Ev.Tracing
	cost, measured := m.CPUPerRequest().Get()
	typical, known := m.Ev.Typical().Get()
	share := m.CPUShare(seconds)
	if t == nil || !known || !measured || typical >= cost*(1-readyPart*share) {
		return false, 0
	}
	few := t.Heavy.N > 0 && float64(t.Heavy.N) <= heavyRequests*float64(t.Requests) && t.Heavy.Share.Or(0) >= readyPart*share
	if !few || t.Heavy.Running <= 0 {
		return false, 0
	}
	made := share * cost * m.RPS / t.Heavy.Running
	var all, changing, answers float64
	for _, q := range m.Ev.Plan.Requests {
		all += q.EffectiveWeight()
		switch q.Method {
		case "", "GET", "HEAD", "OPTIONS":
			if answers++; q.Target != nil {
				answers = math.Inf(1)
			}
		default:
			changing += q.EffectiveWeight()
		}
	}
	needed := (1 - m.Load.Repeated.Or(0)) * m.RPS
	if changing > 0 {
		needed = max(1, answers) * changing / all * m.RPS
	}
	return true, made / needed
}

// maker returns the function that makes the answers and its CPU seconds.
func maker(m *model.Model) (site unpark.Site, stack []unpark.Site, seconds float64, how string, ok bool) {
	encoders := m.Hotspots(ofSorts(facts.SignalEncode, facts.SignalReflect, facts.SignalRegexp))
	if len(encoders) > 0 && m.CPUShare(encoders[0].All) >= encodeShare {
		h := encoders[0]
		return h.Site, h.Stack, h.All, "encoding", true
	}
	hots := m.Functions
	if len(hots) > 0 && m.CPUShare(hots[0].Self) >= computeShare && kernelWork(m, hots[0]) < sendingPart {
		return hots[0].Site.Site, hots[0].Site.Stack, hots[0].Self, "computing", true
	}
	return unpark.Site{}, nil, 0, "", false
}

func recomputeRemedies() []unpark.Remedy {
	return []unpark.Remedy{{
		Title: "Cache the final bytes by request, with single-flight, and drop them when the data changes",
		Why:   "nearly every answer was made before; the encoded bytes can be sent as they are",
		Risk:  "stale answers where nothing tells of a change; never hold the cache's lock across the write to a client",
	}, {
		Title: "Make the answer when the data changes, not when it is asked for",
		Why:   "changes are rarer than requests here",
		Risk:  "work for answers that are never asked for",
	}, {
		Title: "Let clients and proxies keep it: ETag or Cache-Control",
		Why:   "the cheapest request is the one that does not come",
		Risk:  "no effect on callers that ignore it",
	}}
}
