package search_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/load/search"
)

// service is a simulated one: what a probe at a rate measures.
type service func(r *rand.Rand, rate float64) (unpark.Load, error)

// load is an answer with a p99 in seconds.
func loadOf(rate, capacity, p99 float64) unpark.Load {
	n := int64(max(1, rate*10))
	return unpark.Load{
		Mode: unpark.Constant, Seconds: 10, OfferedRPS: rate, AchievedRPS: min(rate, capacity), Requests: n,
		Response: unpark.Latency{P50: p99 / 6, P99: p99, Mean: p99 / 4.6, Max: 2 * p99, N: n},
	}
}

// mm1 is a queue with exponential service times: its response has the p99
// ln 100/(µ−λ) (Harchol-Balter, "Performance Modeling and Design of Computer
// Systems", 2013, ch. 13), measured with an error of the stated relative size.
// Near and above saturation the queue of ten seconds decides.
func mm1(capacity, noise float64) service {
	return func(r *rand.Rand, rate float64) (unpark.Load, error) {
		p99 := 1 + 10*max(0, rate/capacity-1)
		if rate < capacity {
			p99 = min(p99, math.Log(100)/(capacity-rate))
		}
		return loadOf(rate, capacity, p99*math.Exp(noise*r.NormFloat64())), nil
	}
}

// mm1Truth is where the p99 is the bound.
func mm1Truth(capacity, bound float64) float64 { return capacity - math.Log(100)/bound }

// cliff is fast up to its capacity and falls over beyond it.
func cliff(capacity float64) service {
	return func(_ *rand.Rand, rate float64) (unpark.Load, error) {
		if rate > capacity {
			return loadOf(rate, 0.3*capacity, 5), nil
		}
		return loadOf(rate, capacity, 0.002), nil
	}
}

// flaky adds hiccups that break a probe at any rate.
func flaky(s service, chance float64) service {
	return func(r *rand.Rand, rate float64) (unpark.Load, error) {
		l, err := s(r, rate)
		if r.Float64() < chance {
			l.Response.P99 = 1
		}
		return l, err
	}
}

// limited is driven by a generator that reaches a rate and no more.
func limited(s service, most float64) service {
	return func(r *rand.Rand, rate float64) (unpark.Load, error) {
		if rate > most {
			return unpark.Load{}, fmt.Errorf("load: at %g: %w", rate, search.ErrVoid)
		}
		return s(r, rate)
	}
}

func slo(t testing.TB, text string) search.SLO {
	t.Helper()
	s, err := search.ParseSLO(text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// find searches a simulated service.
func find(t testing.TB, o search.Options, s service) search.Result {
	t.Helper()
	random := rand.New(rand.NewPCG(o.Seed, 99))
	if len(o.SLO.Terms) == 0 {
		o.SLO = slo(t, "p99<50ms,errors<0.1%")
	}
	r, err := search.Highest(context.Background(), o, func(_ context.Context, rate float64) (unpark.Load, error) { return s(random, rate) })
	if err != nil {
		t.Fatal(err)
	}
	return r
}
