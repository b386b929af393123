package predict

import (
	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/model"
)

// full2 is a service of two cores that are busy all the time with requests of 1 ms, but
// for some changes.
func full2(changes ...func(*facts.Evidence)) *service {
	site := unpark.Site{Function: "app.render"}
	l := unpark.Latency{P50: 20e-3, P99: 60e-3, Mean: 25e-3, Min: 1e-3, N: 30_000}
	ev := facts.Evidence{
		Host: unpark.Host{CPUs: 2}, Target: unpark.Target{CPUs: []int{0, 1}}, Seconds: 15, Requests: unpark.Num(30_000),
		Window: unpark.Window{Level: unpark.Level{Connections: 50}, Load: &unpark.Load{
			Mode: unpark.Closed, AchievedRPS: 2000, OfferedRPS: 2000, Requests: 30_000, Response: l, Service: l, BytesPerResponse: unpark.Num(3000),
		}},
		CPU:     facts.CPU{Cores: unpark.Num(2), Allowed: unpark.Num(2), Sampled: unpark.Num(30), RequestPath: unpark.Num(29)},
		Signals: []facts.Signal{{ID: facts.SignalWrite, Site: site, CPU: 0.9}, {ID: facts.SignalRead, Site: site, CPU: 0.3}},
	}
	for _, change := range changes {
		change(&ev)
	}
	s, err := observe(model.New(ev), unpark.LimitCPU)
	if err != nil {
		panic(err)
	}
	return s
}

func ofCPU(f float64) cut { return cut{cpu: span{f, f, f}, under: -1, binds: true} }
