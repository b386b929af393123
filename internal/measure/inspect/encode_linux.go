//go:build linux && (amd64 || arm64)

package inspect

import (
	"math"
	"slices"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/profile"
	"github.com/unpark-go/unpark/internal/roles"
)

// encode writes buckets as runtime/pprof writes the kind: the same types, units and names.
func (p *Process) encode(kind unpark.Kind, r reading) ([]byte, error) {
	if kind == unpark.KindAllocs || kind == unpark.KindHeap {
		rate := p.memoryRate()
		m := profile.Make("space", "bytes", rate, "alloc_objects", "count", "alloc_space", "bytes", "inuse_objects", "count", "inuse_space", "bytes")
		if kind == unpark.KindAllocs {
			m.Shows("alloc_space")
		}
		for _, k := range r.all {
			objects, bytes := scaleHeap(k.allocs, k.size, float64(rate))
			inUse, inUseBytes := scaleHeap(k.allocs-min(k.frees, k.allocs), k.size, float64(rate))
			m.Add(outside(p.sites(k.stack)), objects, bytes, inUse, inUseBytes)
		}
		return m.Bytes()
	}
	m := profile.Make("contentions", "count", 1, "contentions", "count", "delay", "nanoseconds")
	m.Lasted(r.at, 0)
	perNano := p.clock.perSecond() / 1e9
	for _, k := range r.all {
		m.Add(p.sites(k.stack), int64(math.Round(k.count)), int64(float64(k.cycles)/perNano))
	}
	return m.Bytes()
}

// memRate is runtime.MemProfileRate as it is unless a program sets it.
const memRate = 512 << 10

// scaleHeap turns sampled objects of one size into all of them (runtime/pprof/protomem.go, scaleHeapSample).
func scaleHeap(count, size uint64, rate float64) (objects, bytes int64) {
	if count == 0 || size == 0 {
		return 0, 0
	}
	scale := 1.0
	if rate > 1 {
		scale = 1 / (1 - math.Exp(-float64(size)/rate))
	}
	return int64(float64(count) * scale), int64(float64(count*size) * scale)
}

// sites are the calls of a stack of return addresses, leaf first.
func (p *Process) sites(stack []uint64) []unpark.Site {
	var out []unpark.Site
	for _, f := range p.Image.Functions.Expand(stack) {
		out = append(out, unpark.Site{Function: f.Function, File: f.File, Line: f.Line})
	}
	// runtime/pprof leaves it out (proto.go, emitLocation): a goroutine begins with the function of its go statement.
	if n := len(out) - 1; n > 0 && out[n].Function == roles.Exit {
		out = out[:n]
	}
	return out
}

// ofRuntime is how names of the runtime's functions begin.
const ofRuntime = "runtime."

// outside leaves out the runtime's calls at the leaf, unless there are no others
// (runtime/pprof/protomem.go, writeHeapProto).
func outside(all []unpark.Site) []unpark.Site {
	if i := slices.IndexFunc(all, func(s unpark.Site) bool { return !strings.HasPrefix(s.Function, ofRuntime) }); i > 0 {
		return all[i:]
	}
	return all
}
