package check

import (
	_ "embed"
	"encoding/json"
	"math/rand/v2"
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/compare"
)

// identicalRuns are runs of three services, twenty rounds of twice the same binary
// each, as unpark ab measured them: windows of three seconds, fresh processes, two
// cores shared with the generator and with other programs. Two that follow each other
// are one round.
//
//go:embed identical.json
var identicalRuns []byte

// service is the identical runs of one service.
type service struct {
	Name string           `json:"service"`
	Runs []compare.Sample `json:"runs"`
}

// recorded decodes identicalRuns, which a test reads.
func recorded() []service {
	var out []service
	if json.Unmarshal(identicalRuns, &out) != nil {
		return nil
	}
	return out
}

// FalseRate is how often identical runs are called broken.
type FalseRate struct {
	Baselines int             // per draw
	All       unpark.Quantity // over all services; Low and High are the best and the worst service
	Services  []ServiceRate
}

// ServiceRate is how often identical runs of one service are called broken.
type ServiceRate struct {
	Service string
	Share   float64
	Runs    int // that were drawn from
}

// FalsePositives plays a budget's bounds against a baseline against identical runs:
// of each recorded service it draws a run and so many others as its baselines, in a
// random order with a fixed seed, and counts the draws in which a bound is broken.
// All is unknown when no bound can be played: absolute ones, errors, waiters at a
// site and findings were not recorded.
func FalsePositives(b unpark.Budget, baselines int) FalseRate {
	out := FalseRate{Baselines: baselines}
	bounds := strictest(b)
	if len(bounds) == 0 {
		return out
	}
	random := rand.New(rand.NewPCG(1, uint64(baselines)))
	low, high, sum := 1.0, 0.0, 0.0
	for _, s := range recorded() {
		if len(s.Runs) <= baselines {
			continue
		}
		broken := 0
		for range drawn {
			order := random.Perm(len(s.Runs))
			if breaks(bounds, s.Runs, order[:baselines+1], parts(b)) {
				broken++
			}
		}
		share := float64(broken) / drawn
		low, high, sum = min(low, share), max(high, share), sum+share
		out.Services = append(out.Services, ServiceRate{s.Name, share, len(s.Runs)})
	}
	if n := len(out.Services); n > 0 {
		out.All = unpark.Between(sum/float64(n), low, high, "ratio", int64(n*drawn))
	}
	return out
}

// played is a bound with its metric.
type played struct {
	unpark.Bound
	of metric
}

// strictest returns, of each metric that was recorded, the bound against a baseline
// that breaks first.
func strictest(b unpark.Budget) []played {
	var out []played
	for _, x := range b.Bounds {
		m, ok := find(x.Metric)
		if !ok || !x.Baseline || m.band == 0 || x.Metric == keyWaiters {
			continue
		}
		i := slices.IndexFunc(out, func(p played) bool { return p.of.key == m.key })
		switch {
		case i < 0:
			out = append(out, played{x, m})
		case m.more == (x.Value > out[i].Value):
			out[i].Bound = x
		}
	}
	return out
}

// breaks reports whether the first of the picked runs breaks a bound against the
// others.
func breaks(bounds []played, runs []compare.Sample, pick []int, parts int) bool {
	base := make([]float64, 0, len(pick))
	for _, b := range bounds {
		v, ok := runs[pick[0]][b.of.key]
		base = base[:0]
		for _, i := range pick[1:] {
			if x, has := runs[i][b.of.key]; has {
				base = append(base, x)
			}
		}
		if !ok || len(base) == 0 {
			continue
		}
		if state, _, _ := b.of.verdict(b.Bound, v, base, parts); state == unpark.BoundBroken {
			return true
		}
	}
	return false
}
