package report

import "github.com/unpark-go/unpark"

// scalingParts says what a sweep shows: the knee, and the law where it fits.
func scalingParts(s *unpark.Scaling) []string {
	if s == nil {
		return nil
	}
	out := []string{"no knee within the sweep"}
	if s.Knee != nil {
		out = []string{prose(s.Knee.Text)}
	}
	u := s.USL
	if u == nil {
		return out
	}
	out = append(out, "USL: contention σ "+quantity(u.Sigma), "coherency κ "+quantity(u.Kappa))
	if !u.Extrapolates {
		return append(out, "it is not extrapolated: "+prose(u.Reason))
	}
	return append(out, "peak "+quantity(u.PeakRPS)+" at "+quantity(u.Peak)+" connections")
}
