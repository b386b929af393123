package model

import (
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
}

// setups returns them, those with most CPU first.
func setups(sites []facts.CPUSite, allocs []facts.AllocSite) []Setup {
	type key struct{ function, call string }
	by := map[key]*Setup{}
	for _, s := range sites {
		if s.Side != unpark.RequestPath {
			continue
		}
		for _, c := range s.Callees {
			of, ok := roles.SetupOf(c.Site.Function)
			if !ok {
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

// SetupCPU is the CPU of such calls that a function makes, in seconds.
func (m *Model) SetupCPU(function string) float64 {
	var sum float64
	for _, s := range m.Setups {
		if s.Site.Site.Function == function {
			sum += s.CPU
		}
	}
	return sum
}
