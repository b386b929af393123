package diagnose

import (
	"slices"

	"github.com/unpark-go/unpark"
)

// sparedTogether makes one finding of what is computed, and of what is allocated, in calls that the same remedy does without: one change
// takes both away. The one that costs more of the processors stands for it.
func sparedTogether(findings []unpark.Finding) []unpark.Finding {
	cores := func(f unpark.Finding) float64 { return f.Cost.Cores.Value.Or(0) }
	var out []unpark.Finding
	for _, f := range findings {
		at := slices.IndexFunc(out, func(mine unpark.Finding) bool { return sparesAlike(mine, f) })
		switch {
		case at < 0:
			out = append(out, f)
		case cores(f) > cores(out[at]):
			out[at] = withBytes(f, out[at])
		default:
			out[at] = withBytes(out[at], f)
		}
	}
	return out
}

// sparesAlike reports whether the first remedy of two findings of computing is to make the same calls no more, in the same function.
func sparesAlike(mine, other unpark.Finding) bool {
	if !computes(mine.Class) || !computes(other.Class) || mine.Site.Function != other.Site.Function || len(mine.Remedies) == 0 || len(other.Remedies) == 0 {
		return false
	}
	a, b := mine.Remedies[0], other.Remedies[0]
	return len(a.Spares) > 0 && a.Title == b.Title
}

// withBytes adds what another finding of the same calls allocates, where the finding itself has none of that.
func withBytes(mine, other unpark.Finding) unpark.Finding {
	bytes, ok := other.Cost.BytesPerRequest.Value.Get()
	if !ok || mine.Cost.BytesPerRequest.Known() {
		return mine
	}
	mine.Cost.BytesPerRequest = other.Cost.BytesPerRequest
	mine.Facts = append(slices.Clip(mine.Facts), fact(short(ownerOf(other))+" allocates for each request", bytes, "B/req", "allocs.pb.gz"))
	return mine
}
