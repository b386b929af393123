package report

import (
	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/escape"
	"github.com/unpark-go/unpark/internal/units"
)

// scalingParts says what a sweep shows: the knee, and the law where it fits.
func scalingParts(s *unpark.Scaling) []string {
	if s == nil {
		return nil
	}
	out := []string{"no knee within the sweep"}
	if s.Knee != nil {
		out = []string{escape.Prose(s.Knee.Text)}
	}
	u := s.USL
	if u == nil {
		return out
	}
	out = append(out, "USL: contention σ "+units.Quantity(u.Sigma), "coherency κ "+units.Quantity(u.Kappa))
	if !u.Extrapolates {
		return append(out, "it is not extrapolated: "+escape.Prose(u.Reason))
	}
	return append(out, "peak "+units.Quantity(u.PeakRPS)+" at "+units.Quantity(u.Peak)+" connections")
}
