package doctor

import (
	"fmt"
	"math"

	"github.com/unpark-go/unpark"
)

// Conclusions says what works on this machine, from what was read of it: one reading
// for each use that something stands in the way of, or bounds.
func (r *Report) Conclusions() []Reading {
	all := []Reading{
		r.building(), r.limiting(), r.separating(), r.connecting(),
	}
	return group(Works, all...)
}

// leans makes a conclusion of another reading: it works where that is ok.
func (r *Report) leans(name, works string, on *Reading) Reading {
	c := Reading{Name: name, State: OK, Text: works}
	switch {
	case on == nil || on.State == Unknown:
		c.State, c.Text = Unknown, "unknown"
	case on.State != OK:
		c.State, c.Text, c.Cure = Warn, "no: see "+on.Name, on.Cure
	}
	return c
}

func (r *Report) building() Reading {
	return r.leans("run --pkg", "yes: builds with the probe added", r.Find(Machine, "toolchain"))
}

func (r *Report) limiting() Reading {
	return r.leans("run --cpus", "yes: a quota for the service", r.Find(Machine, "cgroup"))
}

func (r *Report) separating() Reading {
	c := r.leans("own cores", "yes: generator and target get disjoint ones", r.Find(Machine, "cores"))
	if a := r.Find(Machine, "affinity"); c.State == OK && a != nil {
		if n, ok := a.Value.Get(); ok && n < ownCores {
			c.State, c.Text, c.Cure = Warn, "no: see "+a.Name, a.Cure
		}
	}
	return c
}

// connecting says how many connections to one address a load can have.
func (r *Report) connecting() Reading {
	const spare = 32 // what the generator has open beside them
	most := math.Inf(1)
	if f := r.Find(Machine, "descriptors"); f != nil && f.Value.Known() {
		most = min(most, f.Value.Or(0)-spare)
	}
	if p := r.Find(Machine, "ports"); p != nil && p.Value.Known() {
		most = min(most, p.Value.Or(0))
	}
	if math.IsInf(most, 1) {
		return unknown("connections", "neither descriptors nor ports are told")
	}
	return Reading{Name: "connections", State: OK, Text: fmt.Sprintf("up to %.0f to one address", most), Value: unpark.Num(most), Unit: "connections"}
}
