package check_test

import (
	"math"
	"time"

	"github.com/unpark-go/unpark"
)

// figures are what a made-up run measured.
type figures struct {
	rps, p50, p99, cpu, bytes, waiters float64
	errors                             int64
	answered                           int64 // of the errors: unexpected statuses
	requests                           int64 // 0: rps × 10
}

func usual() figures {
	return figures{rps: 480, p50: 0.010, p99: 0.0921, cpu: 0.0021, bytes: 2000, waiters: 3}
}

// run makes a run of ten seconds with one process.
func run(f figures) unpark.Run {
	start := time.Date(2026, 1, 2, 15, 4, 5, 0, time.UTC)
	if f.requests == 0 {
		f.requests = int64(math.Round(10 * f.rps))
	}
	n := f.requests
	return unpark.Run{
		Schema: unpark.SchemaRun, ID: "r", Started: start,
		Unpark: unpark.Version{Version: "v1.2.3"},
		Host:   unpark.Host{CPUs: 2, Model: "m", Arch: "amd64"},
		Target: unpark.Target{Module: "github.com/acme/shop"},
		Plan:   unpark.Plan{Mode: unpark.Closed, Connections: 32, Duration: 10},
		Windows: []unpark.Window{{
			Start: start, End: start.Add(10 * time.Second),
			Load: &unpark.Load{
				Mode: unpark.Closed, Seconds: 10, AchievedRPS: f.rps, OfferedRPS: f.rps, Requests: n, Errors: f.errors,
				ErrorKinds: map[string]int64{"status": f.answered, "refused": f.errors - f.answered},
				Response:   unpark.Latency{P50: f.p50, P90: f.p50 * 2, P95: f.p50 * 3, P99: f.p99, P999: f.p99 * 2, N: n},
			},
			Processes: []unpark.Process{{
				PID: 1, Cores: unpark.Num(f.cpu * f.rps), GOMAXPROCS: unpark.Num(2),
				Metrics: unpark.Metrics{AllocBytes: unpark.Num(f.bytes * float64(n)), MutexWait: unpark.Num(10 * f.waiters)},
			}},
			Profiles: []unpark.ProfileFile{{Kind: unpark.KindBlock, State: unpark.Present}, {Kind: unpark.KindCPU, State: unpark.Present}},
		}},
	}
}

func site(function, file string, line int) unpark.Site {
	return unpark.Site{Function: function, File: file, Line: line}
}

// lock is a finding of 31 waiters.
func lock() unpark.Finding {
	waiter := site("github.com/acme/shop/store.(*DB).Get", "/src/shop/store/db.go", 41)
	holder := site("github.com/acme/shop/store.(*DB).Put", "/src/shop/store/db.go", 77)
	return unpark.Finding{
		Rank: 1, Rule: "lock-held", Class: unpark.ClassLock, Title: "Requests queue for a lock",
		Site: holder, Waiter: &waiter, Holder: &holder, Confidence: unpark.High,
		Cost:       unpark.Cost{MeanWaiters: unpark.Measured(31, "waiters", 900)},
		Prediction: unpark.Prediction{Summary: "Removing it would raise throughput by 52 %."},
	}
}

// alloc is a finding of low confidence.
func alloc() unpark.Finding {
	return unpark.Finding{
		Rank: 2, Rule: "alloc-site", Class: unpark.ClassAlloc, Title: "Requests allocate in one place",
		Site: site("main.render", "/src/shop/cmd/server/main.go", 12), Confidence: unpark.Low,
		Cost: unpark.Cost{BytesPerRequest: unpark.Measured(900, "B/req", 10)},
	}
}

// hostile has what a name in a profile must not be able to do.
func hostile() unpark.Finding {
	f := lock()
	f.Rule = "lock\x1b[31m"
	f.Title = "a|b <script>alert(1)</script> `x` ]]> \u202e & % :: , \"q\"\n::error::pwned"
	f.Site = site("evil/pkg.\x1b[2J(*T[\"a/b\"]).F|<b>\r\n::stop-commands::x", "/src/shop/we ird,a:b%\n#?.go", 3)
	f.Waiter, f.Holder = &f.Site, nil
	return f
}

// flame has 40 s of waiting below store.(*DB).Get, of requests, and 100 s in the
// background.
func flame() unpark.Flame {
	return unpark.Flame{
		Kind: unpark.KindBlock, Unit: "s",
		Names: []string{"net/http.(*conn).serve\x00server.go:1", "github.com/acme/shop/store.(*DB).Get\x00db.go:41", "sync.(*Mutex).Lock\x00mutex.go:1", "github.com/acme/shop/jobs.loop\x00jobs.go:9", "github.com/acme/shop/store.(*DB).Has\x00db.go:60"},
		Name:  []int{0, 1, 1, 2, 4, 2, 3},
		Depth: []int{0, 1, 2, 3, 1, 2, 0},
		Value: []float64{45, 40, 40, 40, 5, 5, 100},
		Self:  []float64{0, 0, 0, 40, 0, 5, 100},
		Side:  []byte("qqqqqqb"),
	}
}
