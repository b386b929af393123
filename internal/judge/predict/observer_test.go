package predict_test

import (
	"math"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/model"
	"github.com/unpark-go/unpark/internal/judge/predict"
)

// TestForecastLeavesTheObserverOut: a function that is half of a service's CPU is half of
// it also while a capture takes a fifth of the cores.
func TestForecastLeavesTheObserverOut(t *testing.T) {
	forecast := func(service, rate float64) unpark.Quantity {
		const clients, cores = 16, 2
		mean := clients / rate
		latency := unpark.Latency{P50: mean, P90: 1.3 * mean, P99: 2 * mean, Mean: mean, Max: 3 * mean, N: 10000}
		site := unpark.Site{Function: "app.sum", File: "/src/app.go", Line: 10}
		ev := facts.Evidence{
			Host: unpark.Host{CPUs: 4}, Seconds: 10, Requests: unpark.Num(10 * rate),
			Target: unpark.Target{CPUs: []int{2, 3}}, Plan: unpark.Plan{Mode: unpark.Closed, Connections: clients},
			Window: unpark.Window{Machine: unpark.Machine{CPUs: 4}, Load: &unpark.Load{
				Mode: unpark.Closed, AchievedRPS: rate, OfferedRPS: rate, Requests: int64(10 * rate), Response: latency, Service: latency, GeneratorCPU: unpark.Num(0.2),
			}},
			CPU: facts.CPU{
				Cores: unpark.Num(cores), Service: unpark.Num(service), Allowed: unpark.Num(cores), Parallel: unpark.Num(cores),
				Sampled: unpark.Num(10 * service), Observer: unpark.Num(10 * (cores - service)),
			},
		}
		f := unpark.Finding{Rule: "cpu", Class: unpark.ClassCPU, Site: site, Cost: unpark.Cost{
			Cores: unpark.Measured(service/2, "cores", 1000), CPUPerRequest: unpark.Measured(service/2/rate, "s/req", 1000),
		}}
		return predict.Predict(model.New(ev), unpark.Limit{Kind: unpark.LimitCPU}, f).Throughput
	}
	alone, observed := forecast(2, 1000), forecast(1.6, 800)
	a, ok := alone.Value.Get()
	b, also := observed.Value.Get()
	if !ok || !also || math.Abs(a/b-1) > 0.02 || a < 1.7 {
		t.Errorf("×%v, and ×%v while observed", alone.Value, observed.Value)
	}
}
