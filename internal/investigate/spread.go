package investigate

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/stats"
	"github.com/unpark-go/unpark/internal/units"
)

const (
	// spreadOf is how many findings are told how they are spread: for each kind of profile that they are from, those are read once more.
	spreadOf = 3
	// spreadLeast is the part of the median from which the process with most is named.
	spreadLeast = 1.5
)

// sourceOf is the kind of profile that has the cost of a class of findings by its function; empty where none has.
func sourceOf(c unpark.Class) unpark.Kind {
	switch c {
	case unpark.ClassLock, unpark.ClassChannel, unpark.ClassPool, unpark.ClassDownstream, unpark.ClassRateLimit:
		return unpark.KindBlock
	case unpark.ClassCPU, unpark.ClassSyscall, unpark.ClassRecompute:
		return unpark.KindCPU
	case unpark.ClassAlloc:
		return unpark.KindAllocs
	}
	return ""
}

// spread adds to the first findings of window i how their cost is spread over its processes and machines: the verdict is
// of all together, and a cause that one of them has is another than one that all have.
func spread(run *unpark.Run, i int, folder string) {
	w := run.Windows[i]
	if len(w.Processes) < 2 {
		return
	}
	first := run.Findings[:min(spreadOf, len(run.Findings))]
	functions := map[unpark.Kind][]string{}
	for _, f := range first {
		if kind := spreadKind(f); kind != "" && !slices.Contains(functions[kind], f.Site.Function) {
			functions[kind] = append(functions[kind], f.Site.Function)
		}
	}
	all := map[unpark.Kind]map[string][]amount{}
	for kind, names := range functions {
		all[kind] = amounts(w, folder, kind, names)
	}
	for n := range first {
		f := &first[n]
		kind := spreadKind(*f)
		fact, apart, ok := spreadFact(w, all[kind][f.Site.Function], kind)
		switch {
		case apart: // first, where a short report has room: which process it is decides what to do
			f.Facts = slices.Insert(f.Facts, 0, fact)
		case ok:
			f.Facts = append(f.Facts, fact)
		}
	}
}

// spreadKind is the kind of profile that tells how a finding is spread; empty where none does.
func spreadKind(f unpark.Finding) unpark.Kind {
	if f.Service != "" || f.Site.IsZero() {
		return ""
	}
	return sourceOf(f.Class)
}

// amount is what one process has of a cost.
type amount struct {
	pid   int
	value float64
}

// amounts reads what each process spends in each of some functions by the profiles of a kind, the least first. Processes
// without such a profile are left out.
func amounts(w unpark.Window, folder string, kind unpark.Kind, functions []string) map[string][]amount {
	files := slices.DeleteFunc(slices.Clone(w.Profiles), func(f unpark.ProfileFile) bool { return f.Kind != kind || f.State != unpark.Present })
	through := make([][]float64, len(files)) // of each file, by function; nil: it cannot be read
	var group errgroup.Group
	group.SetLimit(min(decoders, runtime.GOMAXPROCS(0)))
	for i, f := range files {
		group.Go(func() error {
			p, err := decodeFile(folder, f.File, kind)
			if err != nil {
				return nil //nolint:nilerr // it was told of where all were read
			}
			for _, name := range functions {
				through[i] = append(through[i], p.Through(name))
			}
			return nil
		})
	}
	_ = group.Wait() // which has no error
	out := map[string][]amount{}
	for k, name := range functions {
		var of []amount
		for i, values := range through {
			if values != nil {
				of = append(of, amount{files[i].PID, values[k]})
			}
		}
		slices.SortFunc(of, func(a, b amount) int { return cmp.Or(cmp.Compare(a.value, b.value), cmp.Compare(a.pid, b.pid)) })
		out[name] = of
	}
	return out
}

// spreadFact says it, and whether one process stands apart; not ok where there are not two processes, or nothing in any.
func spreadFact(w unpark.Window, of []amount, kind unpark.Kind) (fact unpark.Fact, apart, ok bool) {
	if len(of) < 2 || of[len(of)-1].value <= 0 {
		return unpark.Fact{}, false, false
	}
	machines := map[int]bool{}
	machine := map[int]int{}
	for _, p := range w.Processes {
		machines[p.Machine], machine[p.PID] = true, p.Machine
	}
	values := make([]float64, len(of))
	for i, a := range of {
		values[i] = a.value
	}
	least, most, median := of[0], of[len(of)-1], stats.Quantile(values, 0.5)
	where := ""
	if len(machines) > 1 {
		where = fmt.Sprintf(" on %d machines", len(machines))
	}
	text := fmt.Sprintf("most of one process ÷ the median of %d%s: each has %s to %s, the median %s",
		len(of), where, units.Say(least.value, kind.Unit()), units.Say(most.value, kind.Unit()), units.Say(median, kind.Unit()))
	if apart = most.value >= spreadLeast*median; apart {
		text += fmt.Sprintf("; process %d has most", most.pid)
		if m := machine[most.pid]; len(machines) > 1 {
			text += fmt.Sprintf(", on machine %d", m)
		}
	}
	return unpark.Fact{Text: text, Value: unpark.Ratio(most.value, median), Unit: "ratio", Source: kind.File()}, apart, true
}
