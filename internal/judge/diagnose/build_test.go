package diagnose_test

import (
	"strings"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
)

// calm is a service that answers 1000 requests a second in 10 ms each over ten
// connections, with half of one core of four, everything measured.
func calm() facts.Evidence {
	latency := unpark.Latency{P50: 0.010, P90: 0.012, P95: 0.013, P99: 0.020, P999: 0.03, Max: 0.05, Mean: 0.010, Min: 0.0095, N: 10000}
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	ev := facts.Evidence{
		Host: unpark.Host{CPUs: 4}, Seconds: 10, Requests: unpark.Num(10000),
		Target: unpark.Target{CPUs: []int{1, 2, 3}},
		Plan:   unpark.Plan{Mode: unpark.Constant, RateRPS: 1000, Requests: []unpark.Request{{URL: "/a", Weight: 10}, {URL: "/b", Weight: 10}}},
		Window: unpark.Window{
			Start: start, End: start.Add(10 * time.Second),
			Machine: unpark.Machine{CPUs: 4, Busy: unpark.Num(0.8)},
			Load: &unpark.Load{
				Mode: unpark.Constant, Seconds: 10, OfferedRPS: 1000, AchievedRPS: 1000, Requests: 10000,
				Response: latency, Service: latency, GeneratorCPU: unpark.Num(0.2), BytesPerResponse: unpark.Num(2000), Repeated: unpark.Num(0.1),
			},
			Processes: []unpark.Process{{PID: 1, State: "whole"}},
		},
		Coverage: map[unpark.Kind]facts.KindCoverage{},
		CPU: facts.CPU{
			Cores: unpark.Num(0.5), Allowed: unpark.Num(3), Parallel: unpark.Num(3), Sampled: unpark.Num(5),
			RequestPath: unpark.Num(4), Shares: facts.CPUShares{GC: unpark.Num(0.05), Malloc: unpark.Num(0.05)},
		},
	}
	for _, k := range unpark.Kinds() {
		ev.Coverage[k] = facts.KindCoverage{State: unpark.Present, Files: 1}
	}
	// What a request takes besides CPU has a name, so that the verdict adds up.
	ev.Waits = []facts.Wait{{
		Class: unpark.WaitNetwork, Side: unpark.RequestPath, Waiter: fn("app.send"), Delay: 45, Count: 10000,
		Source: "goroutine", Samples: 16, Stack: stack("internal/poll.(*FD).Write", "app.send", "net/http.(*conn).serve"),
	}}
	return ev
}

func fn(name string) unpark.Site {
	return unpark.Site{Function: name, File: "/src/app/app.go", Line: 10}
}

func stack(names ...string) []unpark.Site {
	var out []unpark.Site
	for _, n := range names {
		out = append(out, fn(n))
	}
	return out
}

// contended is a lock of the application with a delay of d seconds in all.
func contended(d, utilization float64) facts.Lock {
	return facts.Lock{
		Side: unpark.RequestPath, Type: "sync.Mutex", Waiter: fn("app.(*Cache).Get"), Holder: fn("app.(*Cache).Get"),
		Delay: d, Released: d, Count: 5000, Agreement: unpark.Num(1), Utilization: unpark.Num(utilization),
		WaiterAll: stack("sync.(*Mutex).Lock", "app.(*Cache).Get", "net/http.(*conn).serve"),
		HolderAll: stack("sync.(*Mutex).Unlock", "app.(*Cache).Get", "net/http.(*conn).serve"),
	}
}

func waits(class unpark.WaitClass, delay, count float64, source string, names ...string) facts.Wait {
	w := facts.Wait{
		Class: class, Side: unpark.RequestPath, Delay: delay, Count: count, Source: source,
		Stack: stack(names...), Samples: 16,
	}
	for _, s := range w.Stack {
		if s.Function[:4] == "app." {
			w.Waiter = s
			break
		}
	}
	return w
}

func of(class unpark.Class, fs []unpark.Finding) []unpark.Finding {
	var out []unpark.Finding
	for _, f := range fs {
		if f.Class == class {
			out = append(out, f)
		}
	}
	return out
}

// texts is what the facts of a finding say, one a line.
func texts(f unpark.Finding) string {
	var out strings.Builder
	for _, fact := range f.Facts {
		out.WriteString(fact.Text + "\n")
	}
	return out.String()
}
