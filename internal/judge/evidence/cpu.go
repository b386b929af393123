package evidence

import (
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
)

// cpu sums how the target used processors.
type cpu struct {
	*profiles
	look overhead
}

func (c cpu) reduce() facts.CPU {
	out := facts.CPU{Machine: c.in.Window.Machine.Busy, Allowed: c.in.Target.Cores(c.in.Host, c.in.Window), Throttled: c.throttled()}
	out.Cores = c.in.Window.Total(func(p unpark.Process) unpark.Number { return p.Cores })
	out.Parallel = c.in.Window.Total(func(p unpark.Process) unpark.Number { return p.GOMAXPROCS })
	out.Service = out.Cores
	if !c.has(unpark.KindCPU) {
		return out
	}
	sides := map[unpark.Side]float64{}
	for _, s := range c.stacks[unpark.KindCPU] {
		sides[s.label.Side] += s.value
	}
	observer := c.look.seconds()
	sampled := sides[unpark.RequestPath] + sides[unpark.Background] + sides[unpark.RuntimeSide] - c.look.collected
	out.Sampled, out.Observer = unpark.Num(sampled), unpark.Num(observer)
	out.RequestPath = unpark.Num(sides[unpark.RequestPath])
	if !out.Cores.Known() && c.allSampled() {
		out.Cores = unpark.Ratio(sampled+observer, c.spans(unpark.KindCPU).Or(c.seconds))
	}
	out.Service = c.service(out.Cores, sampled)
	out.Shares = c.shares(sampled)
	out.Sites, out.Functions = c.sites(), c.functions()
	if site, v, ok := c.dominant(); ok {
		out.Dominant, out.DominantCPU = site, unpark.Num(v)
	}
	return out
}

// service returns the cores that are left for the service of those that the operating
// system counted for the target. Profile and system rarely count the same; where the
// profile lacks CPU, because processes have none, what it has of the observer is all
// that there is.
func (c cpu) service(cores unpark.Number, sampled float64) unpark.Number {
	all, ok := cores.Get()
	observer := c.look.seconds()
	if !ok || sampled+observer <= 0 {
		return cores
	}
	if c.seconds > 0 && all*c.seconds > agreeHigh*(sampled+observer) {
		return unpark.Num(max(0, all-observer/c.seconds))
	}
	return unpark.Num(all * sampled / (sampled + observer))
}

// allSampled reports whether there is a CPU profile of every process.
func (c cpu) allSampled() bool {
	return c.in.Lost[unpark.KindCPU] == 0 && !slices.ContainsFunc(c.in.Window.Processes, func(p unpark.Process) bool { return p.Endpoint == "" && p.Cores.Known() })
}

// throttled returns the share of the periods of the CPU limit in which it stopped the
// cgroup. The processes of a target share one cgroup, and one of them reports it.
//
// The seconds that the kernel counts are not such a share: they are summed over processors
// (kernel/sched/fair.c, cfs_bandwidth.throttled_time). Where an older document has
// nothing else, that sum over all processors that can have stood still is a lower bound.
func (c cpu) throttled() unpark.Number {
	var out unpark.Number
	for _, p := range c.in.Window.Processes {
		if periods, ok := p.Periods.Get(); ok {
			if stopped, ok := p.StoppedPeriods.Get(); ok && periods >= fewPeriods {
				out = unpark.Num(min(1, max(out.Or(0), stopped/periods)))
			}
			continue
		}
		n := c.in.Target.MachineCores(c.in.Host, c.in.Window)
		if v, ok := p.Throttled.Get(); ok && c.seconds > 0 && n > 0 {
			out = unpark.Num(min(1, max(out.Or(0), v/c.seconds/float64(n))))
		}
	}
	return out
}

// lines is the time of a function by its lines: in self where it is the innermost of
// the frames that are looked at.
type lines struct {
	self, cum map[unpark.Site]float64
	flat, own float64
}

// byFunction sums CPU by function, of the frames of a stack that the caller picks (as
// indexes, leaf first). The line of a site is the one that most of its own time belongs
// to, or, without any, most of its cumulative time.
func (c cpu) byFunction(pick func([]unpark.Site) []int) []facts.CPUSite {
	sums, of := tally[string]{}, map[string]*lines{}
	for s := range c.of(unpark.KindCPU) {
		seen := map[string]bool{}
		for n, i := range pick(s.sites) {
			site := s.sites[i]
			l := of[site.Function]
			if l == nil {
				l = &lines{self: map[unpark.Site]float64{}, cum: map[unpark.Site]float64{}}
				of[site.Function] = l
			}
			if !seen[site.Function] {
				seen[site.Function] = true
				sums.add(site.Function, s, s.value, s.count)
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
				sums[site.Function].part(s.sites[i-1], s.value)
			}
		}
	}
	rows := make([]facts.CPUSite, 0, len(sums))
	for f, v := range sums.all() {
		l := of[f]
		at := l.self
		if len(at) == 0 {
			at = l.cum
		}
		rows = append(rows, facts.CPUSite{
			Site: heaviestSite(at), Self: l.own, Flat: l.flat, Cum: v.value, Side: v.side(),
			Callees: v.callees(maxCallees), Stack: clip(v.stack),
		})
	}
	return rows
}

// sites sums CPU by function of the application.
func (c cpu) sites() []facts.CPUSite {
	rows := c.byFunction(c.catalogue.AppFrames)
	return largest(rows, func(s facts.CPUSite) float64 { return s.Cum }, func(s facts.CPUSite) unpark.Site { return s.Site })
}

// functions sums CPU by function, whatever module it is of.
func (c cpu) functions() []facts.CPUSite {
	var indexes []int // 0, 1, 2, … for the longest stack
	rows := c.byFunction(func(sites []unpark.Site) []int {
		for len(indexes) < len(sites) {
			indexes = append(indexes, len(indexes))
		}
		return indexes[:len(sites)]
	})
	rows = largest(rows, func(s facts.CPUSite) float64 { return s.Flat }, func(s facts.CPUSite) unpark.Site { return s.Site })
	rows = rows[:min(len(rows), maxFunctions)]
	for i := range rows {
		rows[i].Callees, rows[i].Stack = nil, nil
	}
	return rows
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
func (c cpu) requestPaths() (paths []path, total, samples float64) {
	for _, s := range c.stacks[unpark.KindCPU] {
		if s.label.Side != unpark.RequestPath {
			continue
		}
		p := path{value: s.value}
		frames := c.catalogue.AppFrames(s.sites)
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
func (c cpu) dominant() (site unpark.Site, value float64, ok bool) {
	paths, total, samples := c.requestPaths()
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
