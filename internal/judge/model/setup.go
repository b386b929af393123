package model

import (
	"cmp"
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/roles"
)

// Setup is a library call on the request path that turns something constant into
// something to be kept, in one function of the application.
type Setup struct {
	Site  facts.CPUSite // the heaviest line
	Call  unpark.Site
	Of    roles.Setup
	CPU   float64 // s
	Bytes float64
	// Beside is what the library does with the thing at its first use, wherever that is: it goes with what makes it.
	Beside []Setup
}

// Total is the CPU in seconds and the bytes of a set-up with what goes with it.
func (s Setup) Total() (cpu, bytes float64) {
	cpu, bytes = s.CPU, s.Bytes
	for _, b := range s.Beside {
		cpu, bytes = cpu+b.CPU, bytes+b.Bytes
	}
	return cpu, bytes
}

// setups returns them, those with most CPU first.
func setups(ev facts.Evidence) []Setup {
	return withFirstUse(append(direct(ev.CPU.Sites, ev.Allocs), atFirstUse(ev)...))
}

// direct are those that functions of the application call themselves.
func direct(sites []facts.CPUSite, allocs []facts.AllocSite) []Setup {
	type key struct{ function, call string }
	by := map[key]*Setup{}
	for _, s := range sites {
		if s.Side != unpark.RequestPath {
			continue
		}
		for _, c := range s.Callees {
			of, ok := roles.SetupOf(c.Site.Function)
			if !ok || of.After != "" {
				continue
			}
			k := key{s.Site.Function, c.Site.Function}
			if by[k] == nil {
				by[k] = &Setup{Site: s, Call: c.Site, Of: of}
			}
			by[k].CPU += c.Value
		}
	}
	for _, a := range allocs {
		for _, c := range a.Callees {
			if s := by[key{a.Site.Function, c.Site.Function}]; s != nil {
				s.Bytes += c.Value
			}
		}
	}
	return largest(by, func(s Setup) (float64, string) { return s.CPU, s.Site.Site.Function + " " + s.Call.Function })
}

// atFirstUse are those that a library makes when the application first uses what it was given, in functions that it calls itself:
// a template is escaped when it is first executed.
func atFirstUse(ev facts.Evidence) []Setup {
	by := map[string]*Setup{}
	for _, v := range ev.Signals {
		of, ok := roles.SetupOf(v.Leaf.Function)
		if v.ID != facts.SignalFirstUse || !ok || v.Site.IsZero() {
			continue
		}
		k := v.Site.Function + " " + v.Leaf.Function
		if by[k] == nil {
			by[k] = &Setup{Site: facts.CPUSite{Site: v.Site, Side: unpark.RequestPath, Stack: v.Stack}, Call: v.Leaf, Of: of}
		}
		by[k].CPU += v.CPU
	}
	return largest(by, func(s Setup) (float64, string) { return s.CPU, s.Site.Site.Function + " " + s.Call.Function })
}

// withFirstUse puts what goes with a set-up beside the one with most CPU that makes such a thing; what goes with none stands for itself,
// as where it is made by a call that costs little.
func withFirstUse(all []Setup) []Setup {
	var out, later []Setup
	for _, s := range all {
		if s.Of.After == "" {
			out = append(out, s)
		} else {
			later = append(later, s)
		}
	}
	made := out
	for _, s := range later {
		if i := slices.IndexFunc(made, func(m Setup) bool { return m.Of.Does == s.Of.After }); i >= 0 {
			made[i].Beside = append(made[i].Beside, s)
		} else {
			out = append(out, s)
		}
	}
	slices.SortStableFunc(out, func(a, b Setup) int {
		of, _ := a.Total()
		than, _ := b.Total()
		return cmp.Compare(than, of)
	})
	return out
}

// SetupCPU is the CPU of such calls that a function makes, in seconds.
func (m *Model) SetupCPU(function string) float64 {
	var sum float64
	for _, s := range m.Setups {
		for _, one := range append([]Setup{s}, s.Beside...) {
			if one.Site.Site.Function == function {
				sum += one.CPU
			}
		}
	}
	return sum
}
