package window

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/target/rusage"
)

// Strain is how busy one process was during a look that changed nothing in it.
type Strain struct {
	PID        int
	Machine    string        // as the endpoint's
	Cores      unpark.Number // used; unknown behind plain net/http/pprof elsewhere
	GOMAXPROCS unpark.Number // unknown without the probe
	NumCPU     unpark.Number // the same
	// SchedP99 is the 99th percentile of what goroutines that were ready waited for a
	// processor, in seconds; unknown without the probe.
	SchedP99 unpark.Number
}

// Look tells how busy the processes behind the endpoints are, over d, in the order of
// the endpoints. It reads what the probe says, and /proc for an endpoint without one
// whose process is known. What cannot be told is unknown.
func Look(ctx context.Context, endpoints []*Endpoint, d time.Duration) ([]Strain, error) {
	first := glances(ctx, endpoints)
	if err := sleep(ctx, d); err != nil {
		return nil, fmt.Errorf("look how busy the target is: %w", err)
	}
	last := glances(ctx, endpoints)
	out := make([]Strain, len(endpoints))
	for i, e := range endpoints {
		a, b := first[i], last[i]
		out[i] = Strain{PID: e.PID, Machine: e.Machine, GOMAXPROCS: b.metrics.at("/sched/gomaxprocs:threads")}
		if e.Info != nil {
			out[i].NumCPU = unpark.Num(float64(e.Info.NumCPU))
		}
		if used, ok := growth(a.CPU, b.CPU).Get(); ok {
			out[i].Cores = unpark.Ratio(used, b.At.Sub(a.At).Seconds())
		}
		const name = "/sched/latencies:seconds"
		out[i].SchedP99, _ = latencies(a.metrics[name], b.metrics[name])
	}
	return out, nil
}

func glances(ctx context.Context, endpoints []*Endpoint) []page {
	out := make([]page, len(endpoints))
	var wg sync.WaitGroup
	for i, e := range endpoints {
		wg.Go(func() { out[i] = glance(ctx, e) })
	}
	wg.Wait()
	return out
}

// glance asks the probe what its process has used so far. Without one /proc tells of a
// process of this machine.
func glance(ctx context.Context, e *Endpoint) page {
	if e.Info == nil {
		p := page{At: time.Now()}
		if e.Local > 0 {
			if u, err := rusage.ReadProcess(e.Local); err == nil {
				p.CPU = unpark.Num(u.CPU)
			}
		}
		return p
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	p, _ := e.metrics(ctx) // what cannot be told is unknown
	return p
}
