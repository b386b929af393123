package evidence

import (
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
)

const (
	// dominantShare is the cumulative share at which one frame is the cause
	// (DESIGN §5: at least 70 % at the first diverging application frame).
	dominantShare = 0.70
	// dominantSamples is how many samples a share of 70 % needs for its standard
	// error to stay below 0.1: sqrt(0.7 × 0.3 ÷ 25) = 0.09.
	dominantSamples = 25
)

// cpu returns how the target used processors.
func (r *reducer) cpu() facts.CPU {
	out := facts.CPU{Machine: r.in.Window.Machine.Busy, Allowed: r.in.Target.Cores(r.in.Host, r.in.Window), Throttled: r.throttled()}
	out.Cores = r.in.Window.Total(func(p unpark.Process) unpark.Number { return p.Cores })
	out.Parallel = r.in.Window.Total(func(p unpark.Process) unpark.Number { return p.GOMAXPROCS })
	out.Service = out.Cores
	if !r.has(unpark.KindCPU) {
		return out
	}
	sides := map[unpark.Side]float64{}
	for _, s := range r.stacks[unpark.KindCPU] {
		sides[s.label.Side] += s.value
	}
	observer := r.look.seconds()
	sampled := sides[unpark.RequestPath] + sides[unpark.Background] + sides[unpark.RuntimeSide] - r.look.collected
	out.Sampled, out.Observer = unpark.Num(sampled), unpark.Num(observer)
	out.RequestPath = unpark.Num(sides[unpark.RequestPath])
	if !out.Cores.Known() && r.allSampled() {
		out.Cores = unpark.Ratio(sampled+observer, r.spans(unpark.KindCPU).Or(r.seconds))
	}
	out.Service = r.service(out.Cores, sampled)
	out.Shares = r.shares(sampled)
	out.Sites, out.Functions = r.cpuSites(), r.functions()
	if site, v, ok := r.dominant(); ok {
		out.Dominant, out.DominantCPU = site, unpark.Num(v)
	}
	return out
}

// allSampled reports whether there is a CPU profile of every process.
func (r *reducer) allSampled() bool {
	return r.in.Lost[unpark.KindCPU] == 0 && !slices.ContainsFunc(r.in.Window.Processes, func(p unpark.Process) bool { return p.Endpoint == "" && p.Cores.Known() })
}

// fewPeriods is how many periods of a CPU limit must have had something to run in, for a
// share of them to be no single burst.
const fewPeriods = 5

// throttled returns the share of the periods of the CPU limit in which it stopped the
// cgroup. The processes of a target share one cgroup, and one of them tells of it.
//
// The seconds that the kernel counts are no such share: they are summed over processors
// (kernel/sched/fair.c, cfs_bandwidth.throttled_time). Where an older document has
// nothing else, that sum over all processors that can have stood still is a lower bound.
func (r *reducer) throttled() unpark.Number {
	var out unpark.Number
	for _, p := range r.in.Window.Processes {
		if periods, ok := p.Periods.Get(); ok {
			if stopped, ok := p.StoppedPeriods.Get(); ok && periods >= fewPeriods {
				out = unpark.Num(min(1, max(out.Or(0), stopped/periods)))
			}
			continue
		}
		n := r.in.Target.MachineCores(r.in.Host, r.in.Window)
		if v, ok := p.Throttled.Get(); ok && r.seconds > 0 && n > 0 {
			out = unpark.Num(min(1, max(out.Or(0), v/r.seconds/float64(n))))
		}
	}
	return out
}

// lines remembers which line of a function most of an amount belongs to.
type lines struct {
	self, cum map[unpark.Site]float64
	flat, own float64
}

// cpuSites sums CPU by application function. The line of a site is the one that
// most of its own time belongs to, or, without any, most of its cumulative time.
func (r *reducer) cpuSites() []facts.CPUSite {
	cum := tally[string]{}
	own := map[string]*lines{}
	for _, s := range r.stacks[unpark.KindCPU] {
		if s.label.Side == unpark.ObserverSide {
			continue
		}
		seen := map[string]bool{}
		for n, i := range r.catalogue.AppFrames(s.sites) {
			site := s.sites[i]
			l := own[site.Function]
			if l == nil {
				l = &lines{self: map[unpark.Site]float64{}, cum: map[unpark.Site]float64{}}
				own[site.Function] = l
			}
			if !seen[site.Function] {
				seen[site.Function] = true
				cum.add(site.Function, s, s.value, s.count)
				l.cum[site] += s.value
			}
			if n > 0 {
				continue
			}
			l.own += s.value
			l.self[site] += s.value
			if i == 0 {
				l.flat += s.value
			} else {
				cum[site.Function].part(s.sites[i-1], s.value)
			}
		}
	}
	rows := make([]facts.CPUSite, 0, len(cum))
	for f, v := range cum.all() {
		l := own[f]
		at := l.self
		if len(at) == 0 {
			at = l.cum
		}
		rows = append(rows, facts.CPUSite{
			Site: heaviestSite(at), Self: l.own, Flat: l.flat, Cum: v.value, Side: v.side(),
			Callees: v.callees(maxCallees), Stack: clip(v.stack),
		})
	}
	return largest(rows, func(s facts.CPUSite) float64 { return s.Cum }, func(s facts.CPUSite) unpark.Site { return s.Site })
}

func heaviestSite(m map[unpark.Site]float64) unpark.Site {
	var best unpark.Site
	for s, v := range m {
		if best.IsZero() || v > m[best] || v == m[best] && compareSites(s, best) < 0 {
			best = s
		}
	}
	return best
}

// path is the application frames of a stack, outermost first, with its CPU.
type path struct {
	sites []unpark.Site
	value float64
}

// requestPaths returns the paths of the request path, their CPU and how many
// samples they are.
func (r *reducer) requestPaths() (paths []path, total, samples float64) {
	for _, s := range r.stacks[unpark.KindCPU] {
		if s.label.Side != unpark.RequestPath {
			continue
		}
		p := path{value: s.value}
		frames := r.catalogue.AppFrames(s.sites)
		for i := len(frames) - 1; i >= 0; i-- {
			p.sites = append(p.sites, s.sites[frames[i]])
		}
		paths = append(paths, p)
		total += s.value
		samples += s.count
	}
	return paths, total, samples
}

// dominant descends from the root through application functions while one of them
// holds the dominant share of the request path, and returns the last.
func (r *reducer) dominant() (site unpark.Site, value float64, ok bool) {
	paths, total, samples := r.requestPaths()
	if samples < dominantSamples {
		return unpark.Site{}, 0, false
	}
	for depth := 0; ; depth++ {
		byFunction := map[string]float64{}
		for _, p := range paths {
			if depth < len(p.sites) {
				byFunction[p.sites[depth].Function] += p.value
			}
		}
		best := heaviest(byFunction)
		if len(byFunction) == 0 || byFunction[best] < dominantShare*total {
			return site, value, !site.IsZero()
		}
		at := map[unpark.Site]float64{}
		kept := paths[:0]
		for _, p := range paths {
			if depth < len(p.sites) && p.sites[depth].Function == best {
				kept = append(kept, p)
				at[p.sites[depth]] += p.value
			}
		}
		paths, site, value = kept, heaviestSite(at), byFunction[best]
	}
}

// counter sums a counter of the runtime over the processes.
func (r *reducer) counter(get func(unpark.Metrics) unpark.Number) unpark.Number {
	return r.in.Window.Total(func(p unpark.Process) unpark.Number { return get(p.Metrics) })
}
