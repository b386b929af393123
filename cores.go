package unpark

import (
	"maps"
	"slices"
)

// Shares reports whether the load generator may take processors from the target.
func (t Target) Shares() bool { return !t.Elsewhere && (len(t.CPUs) == 0 || t.Overlaps) }

// MachineCores is the number of processors of the machine that the target runs on and
// of which the window tells; 0 where that is another machine, or not known.
func (t Target) MachineCores(h Host, w Window) int {
	switch {
	case t.Elsewhere:
		return 0
	case w.Machine.CPUs > 0:
		return w.Machine.CPUs
	}
	return h.CPUs
}

// Cores is the number of cores that the target may use: the least of its quota, its
// affinity and its machine. Of a machine that is not this one the processes themselves
// say how many processors there are; unknown where they do not.
func (t Target) Cores(h Host, w Window) Number {
	n := float64(t.MachineCores(h, w))
	if t.Elsewhere {
		n = w.elsewhere().Or(0)
	}
	if k := float64(len(t.CPUs)); k > 0 && (n == 0 || k < n) {
		n = k
	}
	if quota, ok := t.Quota.Get(); ok && (n == 0 || quota < n) {
		n = quota
	}
	if n == 0 {
		return Number{}
	}
	return Num(n)
}

// sameProcessors is how much more than their processors processes of one machine may
// seem to use, by clocks that differ a little, before they have others each.
const sameProcessors = 1.05

// elsewhere sums the processors of the machines that the processes run on, by what each
// process says it may use (runtime.NumCPU: its affinity). Processes of one machine have
// the same ones; unknown where one does not say, or where they use more than that.
func (w Window) elsewhere() Number {
	most, used := map[int]float64{}, map[int]float64{}
	for _, p := range w.Processes {
		n, ok := p.NumCPU.Get()
		if !ok {
			return Number{}
		}
		most[p.Machine] = max(most[p.Machine], n)
		used[p.Machine] += p.Cores.Or(0)
	}
	sum := 0.0
	for _, machine := range slices.Sorted(maps.Keys(most)) {
		n := most[machine]
		if used[machine] > sameProcessors*n {
			return Number{}
		}
		sum += n
	}
	if sum == 0 {
		return Number{}
	}
	return Num(sum)
}
