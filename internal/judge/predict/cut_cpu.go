package predict

import (
	"math"
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/roles"
	"github.com/unpark-go/unpark/internal/stats"
)

// removable is the part of a finding's CPU that goes away when it is fixed: at
// least, as taken for the value, at most.
// Share is what it takes of all.
func removable(class unpark.Class, churn bool, share float64) span {
	switch {
	case class == unpark.ClassGC:
		return span{0.25, 0.5, 1} // doubling the heap goal halves the collections
	case class == unpark.ClassAlloc:
		return span{leastFixed, 1, 1} // a pooled buffer is still cleared and filled
	case churn:
		// What was seen is the opening. A connection is closed as well, and has buffers
		// and goroutines of its own at both ends; some must still be opened.
		return span{0.5, gone(share, 1.25), gone(share, 2.5)}
	default:
		return span{leastFixed, mostOf, gone(share, mostFixed)}
	}
}

// gone is the part of a share that goes when what stays of all is left to a power: what goes
// beside it is a part of the rest.
func gone(share, power float64) float64 {
	if share <= 0 {
		return power // of a small share
	}
	return (1 - math.Pow(1-min(share, 1), power)) / share
}

// takeCPU adds the share of the target's CPU that goes away, where the finding costs any;
// its interval joins the sampling error of the profile with what a fix can remove.
func (c *cut) takeCPU(s *service, f unpark.Finding) {
	total := s.m.Service.Or(0)
	cores, known := f.Cost.Cores.Value.Get()
	if !known || total <= 0 {
		return
	}
	share := min(cores/total, 1)
	low, high := s.sampledShare(share)
	part := removable(f.Class, c.churn, share)
	switch {
	case f.Rule == "handoff":
		part.low = leastHanded
	case f.Rule == "serving":
		part = span{0, fewCalls, smallerAnswer} // requests have to be answered after all
	case f.Class == unpark.ClassGC && f.Culprit != nil && roles.Is(f.Culprit.Function, roles.Collects):
		part = span{leastFixed, mostOf, 1} // collections that nothing but a call needs
	case foreign(f):
		part.low = min(part.low, leastForeign*arm(f))
	}
	switch f.Class {
	case unpark.ClassRecompute:
		part, c.cached = spared(s, f, share)
	case unpark.ClassSyscall, unpark.ClassIO:
		part = c.takeCalls(s, f, share)
	}
	part.low *= f.Reach() // a change at the site leaves what others ask of it
	// How often a sample met it and what a fix leaves of it have nothing to do with each
	// other.
	value := share * part.value
	c.cpu = span{
		max(0, value-math.Hypot((share-low)*part.value, share*(part.value-part.low))), value,
		value + math.Hypot((high-share)*part.value, share*(part.high-part.value)),
	}
	c.takeStarts(s, f)
	if c.takeSpared(s, f) {
		return
	}
	if f.Class == unpark.ClassCPU {
		c.cpu.high = max(c.cpu.high, share*library(f))
	}
	if f.Class == unpark.ClassAlloc {
		c.fresh = fresh(s, f)
		c.fresh.low *= f.Reach()
		c.cpu = c.cpu.plus(c.fresh)
	}
	c.cpu = c.cpu.atMost(1)
}

// arm is the largest part of what a library's culprit does, its own work or what it calls: where the result is
// needed a fix may take one of them alone. What is made, or set up, for each request need not be, with all that it takes.
func arm(f unpark.Finding) float64 {
	if _, once := roles.SetupOf(f.Culprit.Function); once || roles.Constructs(f.Culprit.Function) {
		return 1
	}
	own, most := 1.0, 0.0
	for _, part := range f.Into {
		own, most = own-part.Share, max(most, part.Share)
	}
	return max(own, most)
}

// takeStarts adds what the goroutines that a culprit starts cost the scheduler, which no profile
// charges to any of them: they go with it.
func (c *cut) takeStarts(s *service, f unpark.Finding) {
	if f.Culprit == nil || f.Class != unpark.ClassCPU && f.Class != unpark.ClassAlloc {
		return
	}
	each, part := s.m.Ev.Started(f.Culprit.Function)
	if each == 0 {
		return
	}
	shares := s.m.Ev.CPU.Shares
	hangs := part * (shares.Scheduler.Or(0) + shares.Lock.Or(0))
	c.sync = c.sync.plus(span{0, hangs / 2, hangs})
}

// library is what the package of a library's culprit takes on the way to it, as a part of the
// culprit's own: a later version of it, or another library, may do all of that in another way.
func library(f unpark.Finding) float64 {
	if f.Culprit == nil || roles.Is(f.Culprit.Function, roles.Standard) {
		return 0
	}
	most := 0.0
	for _, part := range f.Way {
		if unpark.PackageOf(part.Site.Function) == unpark.PackageOf(f.Culprit.Function) {
			most = max(most, part.Share)
		}
	}
	return most
}

// takeCalls returns the part of a finding's read or write calls that goes away, and adds what
// may go with them.
func (c *cut) takeCalls(s *service, f unpark.Finding, share float64) span {
	c.wire = true
	part := joined(share*s.cpu, s.BytesPerResponse.Or(0))
	file := roles.On(f.Path, roles.File)
	if file {
		part = span{0.5, mostOf, 1} // no answer needs a call of its own
	}
	if part.value <= fewCalls {
		return part
	}
	c.joined = part.value
	if !file {
		// What comes in many pieces finds its reader asleep as often, and is answered in as many;
		// and the process at the other end does the same.
		sockets := s.m.CPUShare(signalled(s.m, func(v facts.Signal) bool { return v.ID == facts.SignalRead || v.ID == facts.SignalWrite }))
		beside := s.m.Ev.CPU.Shares.Scheduler.Or(0) + max(0, sockets-share)
		c.sync = c.sync.plus(span{0, 0, part.value * beside})
		c.messages = max(c.messages, part.value)
	}
	return part
}

// joined is the part of a request's read or write calls that goes away when they are
// made one, given what they take now, in seconds, and how many bytes they carry. Answers
// have to be sent after all:
// one call takes 5 to 30 µs and the copying of what it carries. Where that is all, a
// tenth may go (a header, a second flush), and half if answers get smaller.
func joined(calls, bytes float64) span {
	left := func(one float64) float64 {
		return 1 - min(1, (one+bytes/copying)/max(calls, 1e-9))
	}
	return span{left(slowCall) / 2, max(fewCalls, left(call)), max(smallerAnswer, left(fastCall))}
}

// spared is the part of the CPU of computing answers that goes away when they are kept.
// What never came before is computed all the same. Where the requests in the middle
// take less than what a request costs on average without half of that, most
// of them compute nothing: something keeps answers already, and loses them together.
// Then of those that compute the same answer at the same time one stays.
func spared(s *service, f unpark.Finding, share float64) (part span, cached bool) {
	repeated := s.Repeated.Or(1)
	computing := share * s.cpu
	if computing <= 0 || s.m.Ev.Typical().Or(0) >= s.cpu-computing/2 {
		return span{repeated * max(mostOf, 1-lookup/max(computing, lookup)), repeated, 1}, false
	}
	part = herd(s.m.Ev, f.Site.Function, s.population)
	if varied(s.m.Ev.Plan.Requests) {
		part.high = repeated // or the ones in the middle are other requests
	}
	return part, true
}

// varied reports whether a median request may be of another kind than one that
// costs much: no kind has two thirds of them.
func varied(kinds []unpark.Request) bool {
	var most, all float64
	for _, r := range kinds {
		w := r.EffectiveWeight()
		most, all = max(most, w), all+w
	}
	return most < all*2/3
}

// herd is the share of computations that are too many when goroutines compute the same
// answer together (a thundering herd), by the dumps that met any: all but one of each
// herd. A herd of h that shares the processors takes h times as long as one, and is met
// as much more often, so the share of one is the mean of 1/h over the dumps. Those that
// begin together and share the processors end together, so h is their number; those that
// are served in turn leave one by one, and it is nearly twice that. Without such
// dumps a herd is between one and all requests under way.
func herd(ev facts.Evidence, function string, population float64) span {
	met := slices.DeleteFunc(ev.Met(function), func(n float64) bool { return n <= 0 })
	all := max(1, population)
	unseen := 1 - 1/math.Sqrt(all)
	if len(met) == 0 {
		return span{0, unseen, 1 - 1/all}
	}
	together, turns := make([]float64, len(met)), make([]float64, len(met))
	for i, n := range met {
		together[i], turns[i] = 1/max(1, n), 1/max(1, 2*n-1)
	}
	// What a share of one may be spreads from none to all: a quarter, before anything
	// was seen (the deviation of an even spread is 0.29).
	wide := stats.Z90 * 0.29 / math.Sqrt(float64(len(met)))
	less, more := 1-stats.Mean(together), 1-stats.Mean(turns)
	// A few dumps that each met one are no proof that there are no herds: what is
	// expected without any counts as one dump more (Laplace's rule).
	n := float64(len(met))
	value := (n*(less+more)/2 + unseen) / (n + 1)
	// A dump waits for a processor as all goroutines do, so herds that keep them busy are met
	// less often than they occur.
	high := max(unseen, min(1-1/max(all, slices.Max(met)), more+wide))
	return span{max(0, less-wide), min(value, high), high}
}
