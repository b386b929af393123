package diagnose

import (
	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/model"
)

// allocRemedies are the ways out of garbage that one function makes.
func allocRemedies(m *model.Model) []unpark.Remedy {
	pool := unpark.Remedy{
		Title: "Take the buffer or object from a sync.Pool, and reset it before it goes back",
		Why:   "the same memory serves the next request; the collector runs less often",
		Risk:  "something kept after Put is a data race; one huge buffer stays in the pool",
	}
	final := unpark.Remedy{
		Title: "Cache the final bytes that are sent, not the value they are made from",
		Why:   "then neither the value nor its encoding is allocated again",
		Risk:  "the cache needs a bound and must be dropped when the data changes",
	}
	size := unpark.Remedy{
		Title: "Give slices, maps and buffers their size when they are made",
		Why:   "growing copies and leaves each smaller one to the collector",
	}
	if m.Load != nil && m.Load.Repeated.Or(0) >= repeats && m.Ev.Varies() && !m.Ev.Sketched() {
		return []unpark.Remedy{final, pool, size}
	}
	return []unpark.Remedy{pool, size, final}
}
