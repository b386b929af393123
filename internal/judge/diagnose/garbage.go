package diagnose

import (
	"cmp"
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
)

// litter is what one application function allocates in the window, joined over
// lines and sides but for the background.
type litter struct {
	site    facts.AllocSite // the heaviest line
	bytes   float64
	objects float64
}

// litters returns the allocating functions of the request path, largest first.
func (r reading) litters() []litter {
	by := map[string]*litter{}
	for _, a := range r.ev.Allocs {
		if a.Side != unpark.RequestPath || a.Bytes <= 0 {
			continue
		}
		l := by[a.Site.Function]
		if l == nil {
			l = &litter{}
			by[a.Site.Function] = l
		}
		if a.Bytes > l.site.Bytes {
			l.site = a
		}
		l.bytes += a.Bytes
		l.objects += a.Objects
	}
	out := make([]litter, 0, len(by))
	for _, l := range by {
		out = append(out, *l)
	}
	slices.SortFunc(out, func(a, b litter) int {
		return cmp.Or(cmp.Compare(b.bytes, a.bytes), cmp.Compare(a.site.Site.Function, b.site.Site.Function))
	})
	return out
}

// allocated is the number of bytes allocated in the window, by every side.
func (r reading) allocated() float64 {
	var sites float64
	for _, a := range r.ev.Allocs {
		sites += a.Bytes
	}
	return max(sites, r.ev.GC.AllocBytes.Or(0))
}

// gcShare is the collector's part of the target's CPU: by the profile's samples,
// else by the runtime's own account.
func (r reading) gcShare() float64 {
	if v, ok := r.ev.CPU.Shares.GC.Get(); ok {
		return v
	}
	return r.ev.GC.CPUShare.Or(0)
}

// garbageShare is the CPU that goes into allocating and collecting.
func (r reading) garbageShare() float64 { return r.gcShare() + r.ev.CPU.Shares.Malloc.Or(0) }

// drag is the part of the collector's CPU that some bytes cause. The collector
// works in proportion to the bytes allocated: a cycle starts when the heap has
// grown by GOGC percent (runtime/mgcpacer.go).
func (r reading) drag(bytes float64) float64 {
	total := r.allocated()
	if total <= 0 {
		return 0
	}
	return r.gcShare() * min(1, bytes/total)
}

// bytesThrough sums what is allocated on stacks that run through a function.
func (r reading) bytesThrough(function string) float64 {
	var sum float64
	for _, a := range r.ev.Allocs {
		if a.Site.Function == function || on(a.Stack, function) {
			sum += a.Bytes
		}
	}
	return sum
}
