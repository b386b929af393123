package window

import (
	"context"
	"math"
	"sync"
	"time"

	"github.com/unpark-go/unpark"
)

// beforehand is how long a CPU profile is given to begin before the trace does: nothing is answered until it ends. One
// that begins later than that is no harm, the trace has samples from then on.
const beforehand = 50 * time.Millisecond

// profiled has a CPU profile recorded in each of the processes, at the runtime's usual rate, until the function that it returns
// is called, for a stretch of a length. While there is one the samples also stand in the execution trace
// (runtime/trace, golang/go#16895), which alone says when each was taken. What the profiles hold by themselves is dropped.
//
// A process whose profiler somebody else uses, or whose endpoint serves none, is traced as it is: its trace has the other's
// samples, or none.
func profiled(ctx context.Context, members []*member, length time.Duration) (end func()) {
	ctx, cancel := context.WithCancel(ctx)
	// Whole seconds, or net/http/pprof takes 30. Closing the connection ends it before that.
	most := math.Ceil((length + beforehand).Seconds())
	var wg sync.WaitGroup
	for _, m := range members {
		wg.Go(func() { _, _ = m.endpoint.Read(ctx, unpark.KindCPU, most) })
	}
	_ = sleep(ctx, beforehand) // what comes next sees that ctx has ended
	return func() {
		cancel()
		wg.Wait()
	}
}
