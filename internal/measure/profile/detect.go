package profile

import (
	"fmt"
	"strings"

	pprof "github.com/google/pprof/profile"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/roles"
)

// The sample types that runtime/pprof writes: proto.go (cpu), protomem.go (heap,
// allocs), pprof.go (the others).
const (
	typeCPU        = "cpu"
	typeDelay      = "delay"
	typeAllocSpace = "alloc_space"
	typeInuseSpace = "inuse_space"
)

// detect returns the kind of a profile, or "" and why it is not known.
func detect(p *pprof.Profile) (kind unpark.Kind, why string) {
	switch {
	case has(p, typeCPU):
		return unpark.KindCPU, ""
	case has(p, typeAllocSpace), has(p, typeInuseSpace):
		if p.DefaultSampleType == typeAllocSpace {
			return unpark.KindAllocs, ""
		}
		return unpark.KindHeap, ""
	case has(p, typeDelay):
		if kind := contention(p); kind != "" {
			return kind, ""
		}
		return "", "is a block or a mutex profile without a stack that tells which: the two have the same sample types"
	}
	for _, k := range []unpark.Kind{unpark.KindGoroutine, unpark.KindThreadCreate, unpark.KindGoroutineLeak} {
		if has(p, string(k)) {
			return k, ""
		}
	}
	return "", "is of no kind that unpark knows: its sample types are " + typeNames(p)
}

// fits returns nil when p can be read as kind, and else an error that says what
// it is.
func fits(p *pprof.Profile, kind unpark.Kind) error {
	got, why := detect(p)
	switch {
	case got == kind:
		return nil
	case got == "" && has(p, typeDelay) && (kind == unpark.KindBlock || kind == unpark.KindMutex):
		return nil
	case got == "":
		return fmt.Errorf("%s, not a %s profile", why, kind)
	// The two endpoints write the same samples (runtime/pprof.writeHeapInternal);
	// only the type that a viewer shows first differs.
	case got == unpark.KindHeap && kind == unpark.KindAllocs, got == unpark.KindAllocs && kind == unpark.KindHeap:
		return nil
	}
	return fmt.Errorf("is a %s profile, not a %s profile", got, kind)
}

func has(p *pprof.Profile, name string) bool {
	for _, t := range p.SampleType {
		if t.Type == name {
			return true
		}
	}
	return false
}

func typeNames(p *pprof.Profile) string {
	var out []string
	for _, t := range p.SampleType {
		out = append(out, t.Type+"/"+t.Unit)
	}
	return strings.Join(out, ", ")
}

// contention distinguishes a block from a mutex profile by what its stacks begin with: a
// mutex profile records the goroutine that unlocks, a block profile the one that
// waited. "" when no stack shows it, or when stacks contradict each other.
func contention(p *pprof.Profile) unpark.Kind {
	ends := make(map[*pprof.Function]end)
	var seen [2]bool
	for _, s := range p.Sample {
		if e := contentionEnd(s, ends); e != unclear {
			seen[e-1] = true
		}
	}
	switch seen {
	case [2]bool{true, false}:
		return unpark.KindBlock
	case [2]bool{false, true}:
		return unpark.KindMutex
	}
	return ""
}

// end is which end of contention a stack is of.
type end int

const (
	unclear end = iota
	waiter
	unlocker
)

// contentionEnd looks at the five innermost frames of a stack. Ends holds what is known
// of functions.
func contentionEnd(s *pprof.Sample, ends map[*pprof.Function]end) end {
	seen := 0
	for _, loc := range s.Location {
		for _, line := range loc.Line {
			if seen++; seen > 5 {
				return unclear
			}
			if line.Function == nil {
				continue
			}
			e, ok := ends[line.Function]
			if !ok {
				e = endOf(line.Function.Name)
				ends[line.Function] = e
			}
			if e != unclear {
				return e
			}
		}
	}
	return unclear
}

func endOf(function string) end {
	f := roles.Of(function)
	switch {
	case f.Is(roles.Unlock):
		return unlocker
	case (wait{base: f.Wait}).recorded():
		return waiter
	}
	return unclear
}
