package window

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/target"
)

// Strain is how busy one process was during a look that changed nothing in it.
type Strain struct {
	PID        int
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
		out[i] = Strain{PID: e.PID, GOMAXPROCS: b.metrics.at("/sched/gomaxprocs:threads")}
		if e.Info != nil {
			out[i].NumCPU = unpark.Num(float64(e.Info.NumCPU))
		}
		if used, ok := growth([2]unpark.Number{a.cpu, b.cpu}).Get(); ok && used >= 0 {
			out[i].Cores = unpark.Ratio(used, b.at.Sub(a.at).Seconds())
		}
		const name = "/sched/latencies:seconds"
		out[i].SchedP99, _ = latencies(a.metrics[name], b.metrics[name])
	}
	return out, nil
}

// glance is what one process had used at an instant.
type glance struct {
	at      time.Time
	cpu     unpark.Number // seconds
	metrics reading
}

func glances(ctx context.Context, endpoints []*Endpoint) []glance {
	out := make([]glance, len(endpoints))
	var wg sync.WaitGroup
	for i, e := range endpoints {
		wg.Go(func() { out[i] = e.glance(ctx) })
	}
	wg.Wait()
	return out
}

// glance asks the probe for its process's processor time. Without one, the process
// is on this machine if it is known at all; with one, it may be anywhere, and its
// number another's here.
func (e *Endpoint) glance(ctx context.Context) glance {
	g := glance{at: time.Now()}
	if e.Info == nil {
		if e.PID > 0 {
			if u, err := target.ReadUsage(e.PID); err == nil {
				g.cpu = unpark.Num(u.CPU)
			}
		}
		return g
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	body, err := e.get(ctx, e.root+"/debug/unpark/metrics", 8<<20)
	if err != nil {
		return g
	}
	var page struct {
		At      time.Time     `json:"at"`
		CPU     unpark.Number `json:"cpu_s"`
		Metrics reading       `json:"metrics"`
	}
	if json.Unmarshal(body, &page) == nil {
		g.at, g.cpu, g.metrics = page.At, page.CPU, page.Metrics
	}
	return g
}
