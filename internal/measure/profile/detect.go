package profile

import (
	"fmt"
	"strings"

	pprof "github.com/google/pprof/profile"

	"github.com/unpark-go/unpark"
)

// The sample types that runtime/pprof writes: proto.go (cpu), protomem.go (heap,
// allocs), pprof.go (the others).
const (
	typeCPU        = "cpu"
	typeDelay      = "delay"
	typeAllocSpace = "alloc_space"
	typeInuseSpace = "inuse_space"
)

// detect returns the kind of a profile, or "" and why it cannot be told.
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

// contention tells a block from a mutex profile by what its stacks begin with: a
// mutex profile records the goroutine that unlocks (runtime.semrelease1 →
// mutexevent, runtime.unlock2), a block profile the one that waited. "" when no
// stack tells, or when stacks contradict each other.
func contention(p *pprof.Profile) unpark.Kind {
	var unlocks, waits int
	for _, s := range p.Sample {
		switch end := contentionEnd(s); {
		case end > 0:
			waits++
		case end < 0:
			unlocks++
		}
	}
	switch {
	case unlocks > 0 && waits == 0:
		return unpark.KindMutex
	case waits > 0 && unlocks == 0:
		return unpark.KindBlock
	}
	return ""
}

// contentionEnd is 1 for a stack that waits, −1 for one that unlocks, 0 when the
// five innermost frames do not tell.
func contentionEnd(s *pprof.Sample) int {
	seen := 0
	for _, loc := range s.Location {
		for _, line := range loc.Line {
			if seen++; seen > 5 {
				return 0
			}
			if line.Function == nil {
				continue
			}
			switch end := unlockOrWait(line.Function.Name); end {
			case 0:
			default:
				return end
			}
		}
	}
	return 0
}

func unlockOrWait(function string) int {
	switch function {
	case "sync.(*Mutex).Unlock", "sync.(*RWMutex).Unlock", "sync.(*RWMutex).RUnlock",
		"internal/sync.(*Mutex).Unlock", "internal/sync.(*Mutex).unlockSlow", "sync.(*RWMutex).rUnlockSlow",
		"runtime._LostContendedRuntimeLock", "runtime.unlock", "runtime.unlock2", "runtime.unlockWithRank":
		return -1
	case "sync.(*Mutex).Lock", "sync.(*RWMutex).Lock", "sync.(*RWMutex).RLock",
		"internal/sync.(*Mutex).Lock", "internal/sync.(*Mutex).lockSlow",
		"sync.(*WaitGroup).Wait", "sync.(*Cond).Wait",
		"runtime.chanrecv1", "runtime.chanrecv2", "runtime.chansend1", "runtime.selectgo", "runtime.selectnbrecv":
		return 1
	}
	return 0
}
