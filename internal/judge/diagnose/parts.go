package diagnose

import (
	"slices"

	"github.com/unpark-go/unpark"
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
