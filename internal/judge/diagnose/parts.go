package diagnose

import (
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/advice"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/roles"
)

// Parts gives each finding of answers that are made again what modules offer for the largest part of making them that is a finding of
// its own: where answers repeat, what a library makes ready for each of them does as well, and that is kept more easily than answers are.
func Parts(findings, costs []unpark.Finding, offers []unpark.Offer) {
	for i := range findings {
		f := &findings[i]
		if f.Class != unpark.ClassRecompute {
			continue
		}
		for _, part := range slices.Concat(findings, costs) { // the largest first
			if part.Class == unpark.ClassRecompute || !computes(part.Class) || !on(part, unpark.WithoutTypeArguments(f.Site.Function)) {
				continue
			}
			part.Remedies = nil // they say it of the part already
			_, own, _ := sorted(part, slices.DeleteFunc(slices.Clone(offers), func(o unpark.Offer) bool { return !once(o.Kind) }))
			if len(own) > 0 {
				f.Remedies = slices.Insert(slices.Clone(f.Remedies), min(1, len(f.Remedies)), own[0])
				break
			}
		}
	}
}

// once reports whether what is offered is to do once what is done for each request.
func once(k unpark.OfferKind) bool { return k == unpark.OfferReady || k == unpark.OfferKeep }

func backward(parts []unpark.Part) []unpark.Site {
	var out []unpark.Site
	for _, p := range slices.Backward(parts) {
		out = append(out, p.Site)
	}
	return out
}

// boxedFor is what the catalogue knows of a call of Go's own that is most of a finding's garbage together with what the
// culprit allocates itself: what is boxed for an interface's argument, as fmt's are, is the caller's (runtime.convT).
func boxedFor(m *model.Model, f unpark.Finding, c advice.Case) []advice.Advice {
	if f.Class != unpark.ClassAlloc || f.Culprit == nil {
		return nil
	}
	tree := m.Ev.AllocTree
	self := unpark.Ratio(tree.Self(f.Culprit.Function), tree.Through(f.Culprit.Function)).Or(0)
	var out []advice.Advice
	for _, part := range f.Into {
		if roles.Is(part.Site.Function, roles.Standard) && part.Share >= leastBelow && part.Share+self >= mostInto {
			c.Stack, c.Culprit, c.Site = []string{part.Site.Function}, 0, 0
			out = withNew(out, advice.For(c))
		}
	}
	return out
}

// grownFor is what the catalogue knows of buffers that grow while they are written to, and of strings that are put together, where that
// is a good part of what a function computes or allocates: they are part of the function that does it, and no callee of it.
func grownFor(m *model.Model, f unpark.Finding, c advice.Case) []advice.Advice {
	tree := m.Ev.CPU.Tree
	switch {
	case f.Culprit == nil || !computes(f.Class):
		return nil
	case f.Class == unpark.ClassAlloc:
		tree = m.Ev.AllocTree
	}
	var out []advice.Advice
	grown, grows := tree.Grown(f.Culprit.Function)
	// The runtime leaves its own functions out of the stacks of what is allocated (runtime/pprof/protomem.go).
	joined, joins := m.Ev.CPU.Tree.Joined(f.Culprit.Function)
	for _, part := range []struct {
		by         string
		value, all float64
	}{{grows, grown, tree.Through(f.Culprit.Function)}, {joins, joined, m.Ev.CPU.Tree.Through(f.Culprit.Function)}} {
		if part.by == "" || part.value < leastBelow*part.all {
			continue
		}
		c.Stack, c.Culprit, c.Site = []string{part.by}, 0, 0
		out = withNew(out, advice.For(c))
	}
	return out
}
