//go:build linux && (amd64 || arm64)

package image

import (
	"errors"
	"fmt"
	"slices"
)

// Variables are addresses of what the runtime keeps about itself, in the process.
type Variables struct {
	MemBuckets, BlockBuckets, MutexBuckets uint64 // heads of the lists of buckets
	BlockRate, MutexRate                   uint64 // runtime.blockprofilerate, mutexprofilerate: int64
	AllG, AllGLen                          uint64 // runtime.allgptr, allglen
	// What can be done without is 0 where it was not found.
	Semaphores uint64 // runtime.semtable: which goroutine waits for which
	MemRate    uint64 // runtime.MemProfileRate: int
	MaxProcs   uint64 // runtime.gomaxprocs: int32
}

// ErrVariables says that code was not as expected, wrapped.
var ErrVariables = errors.New("the runtime's variables were not found")

// Variables finds the addresses: by the table of symbols, or, where the binary was stripped, from the
// code of functions of the runtime that reach them, whose names it keeps.
func (i *Image) Variables() (Variables, error) {
	var v Variables
	missing := ""
	for name, to := range map[string]*uint64{
		"runtime.mbuckets": &v.MemBuckets, "runtime.bbuckets": &v.BlockBuckets, "runtime.xbuckets": &v.MutexBuckets,
		"runtime.blockprofilerate": &v.BlockRate, "runtime.mutexprofilerate": &v.MutexRate,
		"runtime.allgptr": &v.AllG, "runtime.allglen": &v.AllGLen,
	} {
		at, ok := i.Variable(name)
		if !ok {
			missing = name
		}
		*to = at
	}
	for name, to := range map[string]*uint64{
		"runtime.semtable": &v.Semaphores, "runtime.MemProfileRate": &v.MemRate, "runtime.gomaxprocs": &v.MaxProcs,
	} {
		if at, ok := i.Variable(name); ok {
			*to = at
		}
	}
	if missing == "" {
		return v, nil
	}
	if !i.Stripped {
		return v, fmt.Errorf("%w: no %s among its symbols", ErrVariables, missing)
	}
	return i.byCode()
}

// uses returns how a function of the runtime reaches variables; nothing where it was inlined
// everywhere, or left out.
func (i *Image) uses(function string, of func(reference) bool) []uint64 {
	code, at, ok := i.Code(function)
	if !ok {
		return nil
	}
	var out []uint64
	for _, r := range references(i.Arch, code, at) {
		if of(r) {
			out = append(out, r.at)
		}
	}
	return out
}

func loaded(r reference) bool { return r.how == loads && r.bytes == 8 }
func stored(r reference) bool { return r.how == stores && r.bytes == 8 }
func halved(r reference) bool { return r.how == loads && r.bytes == 4 }
func taken(r reference) bool  { return r.how == takes }

// swapped also takes the address of what is stored atomically by a function, or by an instruction that has it in a register.
func swapped(r reference) bool { return r.how == exchanges || r.how == takes }

// byCode finds the variables from the functions that reach them.
func (i *Image) byCode() (Variables, error) {
	var v Variables
	lists := once(i.uses("runtime.stkbucket", i.variable(taken)))
	if len(lists) < 3 {
		return v, fmt.Errorf("%w: runtime.stkbucket takes %d addresses once, not those of three lists", ErrVariables, len(lists))
	}
	// The last it takes are the heads: mbuckets, xbuckets, bbuckets, as its source has them.
	heads := lists[len(lists)-3:]
	v.MemBuckets, v.MutexBuckets, v.BlockBuckets = heads[0], heads[1], heads[2]

	blocked := i.uses("runtime.blockevent", i.variable(loaded))
	if len(blocked) == 0 {
		return v, fmt.Errorf("%w: runtime.blockevent reads none", ErrVariables)
	}
	v.BlockRate = blocked[0]
	// A semaphore asks for both rates, one after the other (runtime/sema.go, semacquire1).
	rates := i.uses("runtime.semacquire1", i.variable(loaded))
	at := slices.Index(rates, v.BlockRate)
	if at < 0 || at+1 >= len(rates) || rates[at+1] == v.BlockRate {
		return v, fmt.Errorf("%w: runtime.semacquire1 does not read two rates", ErrVariables)
	}
	v.MutexRate = rates[at+1]

	// It takes the list's lock, stores the array and then its length, both atomically, and takes
	// the lock again.
	added := distinct(i.uses("runtime.allgadd", i.variable(swapped)))
	if len(added) != 3 {
		return v, fmt.Errorf("%w: runtime.allgadd locks and stores %d", ErrVariables, len(added))
	}
	v.AllG, v.AllGLen = added[1], added[2]
	v.Semaphores = i.semaphores()
	v.MemRate, v.MaxProcs = i.memRate(), i.maxProcs()
	return v, nil
}

// semaphores is the address of the table that both ends of a semaphore look into; 0 where the code
// does not tell: then locks have no address, and all else is as it was.
func (i *Image) semaphores() uint64 {
	released := i.uses("runtime.semrelease1", i.variable(taken))
	for _, at := range i.uses("runtime.semacquire1", i.variable(taken)) {
		if slices.Contains(released, at) {
			return at
		}
	}
	return 0
}

// memRate is what the draw of the next allocation to record reads (runtime/malloc.go, nextSample, which may be inlined into
// profilealloc), and what the start of a program sets to 0 where the linker says that it cannot ask (runtime/proc.go, schedinit).
func (i *Image) memRate() uint64 {
	read := append(i.uses("runtime.profilealloc", i.variable(loaded)), i.uses("runtime.nextSample", i.variable(loaded))...)
	return only(read, i.uses("runtime.schedinit", i.variable(stored)))
}

// maxProcs is what a change of the number of processors reads first and stores last, atomically (runtime/proc.go, procresize).
func (i *Image) maxProcs() uint64 {
	return only(i.uses("runtime.procresize", i.variable(halved)), i.uses("runtime.procresize", i.variable(swapped)))
}

// only is what is in both; 0 where that is not one.
func only(a, b []uint64) uint64 {
	both := distinct(slices.DeleteFunc(a, func(at uint64) bool { return !slices.Contains(b, at) }))
	if len(both) != 1 {
		return 0
	}
	return both[0]
}

// variable narrows uses to what lies in memory that may be written.
func (i *Image) variable(of func(reference) bool) func(reference) bool {
	return func(r reference) bool {
		in := func(s span) bool { return r.at >= s.from && r.at < s.to }
		return of(r) && slices.ContainsFunc(i.written, in) && !slices.ContainsFunc(i.fixed, in)
	}
}

// once is what occurs one time only, in its order.
func once(all []uint64) []uint64 {
	count := map[uint64]int{}
	for _, v := range all {
		count[v]++
	}
	return slices.DeleteFunc(slices.Clone(all), func(v uint64) bool { return count[v] > 1 })
}

// distinct is what there is, each once, in the order in which it first occurs.
func distinct(all []uint64) []uint64 {
	var out []uint64
	for _, v := range all {
		if !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}
