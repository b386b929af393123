package model

import (
	"math"
	"slices"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/roles"
)

// untraced is what Origin says where no trace does, by two things that hold of Go programs. A wait inside of a library's own code is
// for a goroutine of that library, since nothing else has what is waited for; and fields that are channels are hardly ever
// exported, so that both ends of one are in the same package. So requests that wait in a library for its goroutine wait for what
// dumps find it in; and those that wait for the one goroutine of its kind in their package wait for what it waits for most
// of the time. Only a disk that is synced is found so: it is the one thing that a goroutine of a library does for others in
// a system call.
func untraced(m *Model, p Wait) (Origin, bool) {
	if m.Ev.Tracing != nil || m.Seconds <= 0 {
		return Origin{}, false
	}
	if o, ok := inLibrary(m, p.Heaviest, p.Delay); ok {
		return o, true
	}
	for _, w := range m.Ev.Waits {
		if !serves(m, w, p) {
			continue
		}
		// The goroutine between is busy all the time: what part of it waits so is the part of the requests' wait.
		if o, ok := inLibrary(m, w, m.Seconds*float64(m.Processes)); ok {
			o.Links, o.Via = 2, []string{w.Waiter.Function}
			return o, true
		}
	}
	return Origin{}, false
}

// serves reports whether a wait is that of the one goroutine of its kind, most of the time, which serves requests that wait in its package.
func serves(m *Model, w facts.Wait, p Wait) bool {
	of := begin(w.Stack).Function
	if !w.Class.Joins() || w.Idle || of == "" || of == begin(p.Heaviest.Stack).Function || unpark.PackageOf(of) != unpark.PackageOf(p.Function()) {
		return false
	}
	n := float64(m.Processes)
	if w.Delay < BindingShare*m.Seconds*n {
		return false
	}
	// The mean of the dumps: what is drawn by chance stands for one more now and then.
	var met float64
	for _, g := range m.Ev.Goroutines {
		if begin(g.Stack).Function == of {
			for _, v := range g.Series {
				met += v / float64(len(g.Series))
			}
		}
	}
	return met > 0 && math.Round(met) <= n
}

// dumps is how many there are.
func dumps(m *Model) int {
	n := 0
	for _, g := range m.Ev.Goroutines {
		n = max(n, len(g.Series))
	}
	return n
}

// inLibrary is the sync that a library's goroutine makes while others wait inside of the library, as a part of some seconds in
// which one of them waits at least: false where it is too small a part, or where those in between compute instead.
func inLibrary(m *Model, w facts.Wait, all float64) (Origin, bool) {
	of, ok := libraryAround(w)
	if !ok || dumps(m) < leastDumps {
		return Origin{}, false
	}
	var met float64 // goroutines that sync, mean
	var heaviest facts.GoroutineGroup
	between := map[string]bool{}
	for _, g := range m.Ev.Goroutines {
		if g.Class != unpark.WaitSyscall || !roles.On(g.Stack, roles.Sync) || library(begin(g.Stack)) != of {
			continue
		}
		between[begin(g.Stack).Function] = true
		if met += g.Mean; g.Mean > heaviest.Mean {
			heaviest = g
		}
	}
	// Those who wait for one sync wait at the same time: no second is more than one of each process.
	seconds := min(all, m.Seconds*float64(m.Processes))
	if met <= 0 || seconds <= 0 {
		return Origin{}, false
	}
	between[begin(w.Stack).Function] = true
	away := min(1, met*m.Seconds/seconds)
	o := Origin{
		Held:  unpark.Held{Class: unpark.WaitSyscall, Site: heaviest.Site, Call: callOf(heaviest), Share: away},
		Share: away, Away: away, Known: min(1, away+computedBy(m, between)/seconds), Links: 1,
	}
	return o, true
}

// libraryAround is the library inside of which a wait is, in code of its own: none where the application's code waits.
func libraryAround(w facts.Wait) (string, bool) {
	for _, s := range w.Stack {
		if s == w.Waiter {
			return "", false
		}
		if module, _, _, ok := s.Module(); ok {
			return module, true
		}
	}
	return "", false
}

// callOf is what the function calls there in which goroutines are met.
func callOf(g facts.GoroutineGroup) unpark.Site {
	if i := slices.Index(g.Stack, g.Site); i > 0 {
		return g.Stack[i-1]
	}
	return g.Stack[0]
}

// computedBy is the seconds of CPU of goroutines with some entries, but for their system calls.
func computedBy(m *Model, entries map[string]bool) float64 {
	var sum float64
	var visit func([]*facts.Node)
	visit = func(nodes []*facts.Node) {
		for _, n := range nodes {
			if entries[n.Site.Function] {
				sum += n.Value - n.Kernel
			} else if wrapped(n.Site.Function) {
				visit(n.Calls)
			}
		}
	}
	visit(m.Ev.CPU.Tree.Roots)
	return sum
}

// begin is the function of a goroutine's go statement, without what the compiler makes of one with arguments: dumps have that
// function itself, profiles of blocking the wrapper around it as well.
func begin(stack []unpark.Site) unpark.Site {
	for _, s := range slices.Backward(stack) {
		if !wrapped(s.Function) && !roles.Is(s.Function, roles.Starter) && !roles.Is(s.Function, roles.Machinery) {
			return s
		}
	}
	return unpark.Site{}
}

// wrapped reports whether a function is such a wrapper (cmd/compile/internal/typecheck, closureName).
func wrapped(function string) bool { return strings.Contains(function, ".gowrap") }
