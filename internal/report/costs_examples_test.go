package report

import (
	"math"

	"github.com/unpark-go/unpark"
)

// cost is a function as the diagnosis makes it, with share of the CPU, of which part
// is in callee.
func cost(rank int, at unpark.Site, share, part float64, callee string) unpark.Finding {
	f := unpark.Finding{
		Rank: rank, Rule: "cpu", Class: unpark.ClassCPU, Site: at, Title: at.Function + " uses some of the CPU", Confidence: unpark.Medium,
		Share: num(share), ShareOf: "the target's CPU", Remedies: []unpark.Remedy{},
		Cost: unpark.Cost{Cores: unpark.Between(2*share, 1.9*share, 2.1*share, "cores", 1900)},
		Facts: []unpark.Fact{
			{Text: "CPU of this function with the library code that it calls", Value: num(19 * share), Unit: "s", Source: "cpu.pb.gz"},
			{Text: "CPU of every stack that runs through it", Value: num(19 * 1.2 * share), Unit: "s", Source: "cpu.pb.gz"},
		},
		Prediction: unpark.Prediction{
			Throughput: unpark.Between(1/(1-share), 1/(1-0.93*share), 1/(1-1.08*share), "ratio", 90000),
			P50:        unpark.Between(1-share, 1-1.08*share, 1-0.93*share, "ratio", 90000),
			P99:        unpark.Between(1-share, 1-1.3*share, 1-0.5*share, "ratio", 90000),
			NextLimit:  unpark.LimitCPU, Assumptions: []string{"the same number of connections"},
		},
	}
	if callee != "" {
		f.Facts = append(f.Facts, unpark.Fact{Text: "of it in " + callee, Value: num(19 * share * part), Unit: "s", Source: "cpu.pb.gz"})
		f.Into = []unpark.Part{{Site: unpark.Site{Function: callee}, Share: part}}
	}
	return f
}

func fullCPU() unpark.Run {
	r := base()
	r.Plan.Mode, r.Plan.RateRPS, r.Plan.Connections = unpark.Closed, 0, 32
	r.Limit = unpark.Limit{Kind: unpark.LimitCPU, Why: "both cores are full: 1.96 of 2", Utilization: unpark.Measured(0.98, "ratio", 100)}
	r.Windows = []unpark.Window{window(loadExample(unpark.Closed, 9120, 0.0031, 0.0094, 10), process(4242, 1.96))}
	return r
}

// costsOnly is a full CPU of which no function has most.
func costsOnly() unpark.Run {
	r := fullCPU()
	r.Costs = []unpark.Finding{
		cost(1, unpark.Site{Function: "example.com/shop/lookup/internal/web.(*Server).render", File: "/src/lookup/internal/web/render.go", Line: 23},
			0.213, 0.874, "json.Marshal"),
		cost(2, unpark.Site{Function: "example.com/shop/lookup/internal/price.sum", File: "/src/lookup/internal/price/sum.go", Line: 7}, 0.064, 0, ""),
	}
	return r
}

// costBeside is a full CPU with one finding, and with costs of which one has no
// prediction.
func costBeside() unpark.Run {
	r := fullCPU()
	top := cost(1, unpark.Site{Function: "example.com/shop/lookup/internal/order.(*Book).match", File: "/src/lookup/internal/order/book.go", Line: 141}, 0.41, 0.6, "slices.SortFunc[...]")
	top.Title, top.Confidence = "order.(*Book).match uses 41 % of the CPU", unpark.High
	top.Remedies = []unpark.Remedy{{Title: "Call slices.SortFunc less from order.(*Book).match, or replace it", Why: "the leaves below it are only how it is done"}}
	r.Findings = []unpark.Finding{top}
	r.Costs = append(costsOnly().Costs,
		cost(3, unpark.Site{Function: "example.com/shop/lookup/internal/authentication.(*SessionVerifier).verifySignature.func1", File: "/src/lookup/internal/authentication/verifier.go", Line: 1088},
			0.0571, 0.08, "rsa.VerifyPKCS1v15WithPrecomputedValues"))
	r.Costs[1].Prediction = unpark.Prediction{NextLimit: unpark.LimitCPU, Assumptions: []string{"what the finding costs per request is not known"}}
	for i := range r.Costs {
		r.Costs[i].Confidence = unpark.Low
	}
	return r
}

func hostileCosts(evil, far unpark.Site, text string) []unpark.Finding {
	odd := cost(2, far, 0.2, 0.5, far.Function)
	odd.Share = num(1e9)
	odd.Prediction.Throughput = unpark.Between(math.MaxFloat64, -1e-300, 1, text, 1)
	odd.Confidence = unpark.Confidence(text)
	return []unpark.Finding{cost(1, evil, 0.3, 0.5, text), odd, cost(3, unpark.Site{}, 0.1, 7, "  "), {}}
}
