package report

import (
	"math"
	"strconv"
	"time"

	"github.com/unpark-go/unpark"
)

var started = time.Date(2026, 3, 14, 9, 26, 53, 0, time.UTC)

// examples are runs as the stages make them, one for each shape of a report.
func examples() map[string]unpark.Run {
	return map[string]unpark.Run{
		"lock":     lockAtTheKnee(),
		"healthy":  healthy(),
		"void":     void(),
		"quota":    quota(),
		"partial":  partial(),
		"prefork":  prefork(),
		"abstain":  abstaining(),
		"capture":  capture(),
		"sweep":    sweep(),
		"guard":    guarded(),
		"hostile":  hostile(),
		"nothing":  {},
		"findings": severalFindings(),
		"library":  inLibrary(),
		"slowed":   slowedDown(),
		"costs":    costsOnly(),
		"cost":     costBeside(),
		"tail":     traced(lockAtTheKnee(), tailChain()),
		"tail-gc":  traced(healthy(), tailGC()),
		"tail-few": traced(healthy(), tailFew()),
	}
}

func num(v float64) unpark.Number { return unpark.Num(v) }

func latency(p50, p99 float64, n int64) unpark.Latency {
	l := unpark.Latency{
		P50: p50, P90: p50 + 0.6*(p99-p50), P95: p50 + 0.75*(p99-p50), P99: p99, P999: p99 * 1.4, Max: p99 * 1.6,
		Mean: p50 * 1.2, Min: p50 / 8, N: n,
	}
	// A log-normal shape through p50 and p99, in buckets 8 % apart.
	sigma := math.Log(p99/p50) / 2.326
	left := n
	for le := p50 / 8; left > 0 && le < l.Max*1.08; le *= 1.08 {
		z := math.Log(le/p50) / sigma
		c := int64(math.Round(float64(n) * math.Log(1.08) / sigma * math.Exp(-z*z/2) / math.Sqrt(2*math.Pi)))
		c = min(c, left)
		left -= c
		if c > 0 {
			l.Buckets = append(l.Buckets, unpark.Bucket{Le: le, Count: c})
		}
	}
	return l
}

func loadExample(mode unpark.Mode, rps, p50, p99, seconds float64) *unpark.Load {
	n := int64(rps * seconds)
	service := latency(p50*0.97, p99*0.98, n)
	return &unpark.Load{
		Mode: mode, Seconds: seconds, OfferedRPS: rps, AchievedRPS: rps, Requests: n,
		Status: map[string]int64{"200": n}, Response: latency(p50, p99, n), Service: service,
		Lag: latency(30e-6, 180e-6, n), GeneratorCPU: num(0.113), BytesPerResponse: num(1840), Repeated: num(0.12),
	}
}

func timeline(rps, p99, cores float64) []unpark.Tick {
	var out []unpark.Tick
	for i := range 24 {
		phase := "window"
		f := 1 + 0.04*math.Sin(float64(i)*1.7)
		switch {
		case i < 3:
			phase = "warmup"
			f *= 0.4 + 0.2*float64(i)
		case i < 8:
			phase = "baseline"
		case i >= 22:
			phase = "trace"
		}
		out = append(out, unpark.Tick{
			At: float64(i), RPS: rps * f, P50: p99 / 4, P99: p99 * (1 + 0.3*math.Sin(float64(i))), Cores: num(cores * f),
			Generator: num(0.11 * f), Phase: phase,
		})
	}
	return out
}

func profilesOf(pids ...int) []unpark.ProfileFile {
	var out []unpark.ProfileFile
	for _, pid := range pids {
		for _, k := range []unpark.Kind{
			unpark.KindCPU, unpark.KindBlock, unpark.KindMutex, unpark.KindAllocs, unpark.KindHeap, unpark.KindGoroutine,
		} {
			out = append(out, unpark.ProfileFile{
				Kind: k, File: "window-01/" + itoa(pid) + "/" + k.File(), PID: pid, State: unpark.Present,
				Start: started.Add(8 * time.Second), End: started.Add(18 * time.Second), Rate: num(1),
			})
		}
	}
	return out
}

func itoa(n int) string { return strconv.Itoa(n) }

func process(pid int, cores float64) unpark.Process {
	return unpark.Process{
		PID: pid, Parent: 4200, State: "whole", GOMAXPROCS: num(2), NumCPU: num(2), Go: "go1.26.8", Cores: num(cores),
		CPUPerReq: num(cores / 428), Threads: num(14), RSS: num(31.4e6), GCShare: num(0.034), Throttled: num(0), Goroutines: num(81),
		Voluntary: num(10400), Involuntary: num(310), Endpoint: "unix:/tmp/p/4242.sock",
	}
}

func base() unpark.Run {
	return unpark.Run{
		Schema: unpark.SchemaRun, ID: "20260314-092653-lookup", Started: started,
		Unpark: unpark.Version{Version: "v0.1.0", Go: "go1.26.8"},
		Host:   unpark.Host{OS: "linux", Arch: "amd64", CPUs: 2, Model: "AMD EPYC 7B13", Kernel: "6.1.0", Memory: 8.2e9},
		Target: unpark.Target{
			Command: []string{"./lookup", "-addr", "127.0.0.1:8080"}, URL: "http://127.0.0.1:8080/item/7",
			Module: "example.com/shop/lookup", Go: "go1.26.8", Probe: true,
		},
		Plan: unpark.Plan{
			Mode: unpark.Constant, RateRPS: 428, Connections: 64, Warmup: 3, Duration: 10, Timeout: 5, Seed: 1,
			Requests: []unpark.Request{{Method: "GET", URL: "http://127.0.0.1:8080/item/7"}},
		},
	}
}

func window(l *unpark.Load, ps ...unpark.Process) unpark.Window {
	pids := make([]int, len(ps))
	for i, p := range ps {
		pids[i] = p.PID
	}
	w := unpark.Window{
		Start: started.Add(8 * time.Second), End: started.Add(18 * time.Second), Load: l, Processes: ps,
		Observer: unpark.Observer{Wait: 40.2, CPU: 0.051, Throughput: num(0.993)},
		Machine:  unpark.Machine{CPUs: 2, Busy: num(1.08), Steal: num(0.002)},
		Profiles: profilesOf(pids...),
	}
	if l != nil {
		w.Timeline = timeline(l.AchievedRPS, l.Response.P99, 0.9)
	}
	return w
}

func lockAtTheKnee() unpark.Run {
	r := base()
	get := unpark.Site{Function: "example.com/shop/lookup/internal/cache.(*Cache).Get", File: "/src/lookup/internal/cache/cache.go", Line: 41}
	put := unpark.Site{Function: "example.com/shop/lookup/internal/cache.(*Cache).Get", File: "/src/lookup/internal/cache/cache.go", Line: 58}
	r.Limit = unpark.Limit{
		Kind: unpark.LimitLock, Why: "p99 92 ms, of which 78 ms is waiting for one mutex that is held 2.1 ms per request and is busy 95 % of the time",
		Ceiling:     unpark.Between(452, 431, 470, "req/s", 4280),
		Utilization: unpark.Between(0.947, 0.93, 0.96, "ratio", 4280),
	}
	r.Windows = []unpark.Window{window(loadExample(unpark.Constant, 428, 0.021, 0.0921, 10), process(4242, 0.927))}
	r.Windows[0].Observer.TraceLatency = num(1.031)
	r.Findings = []unpark.Finding{lockFinding(get, put), allocFinding()}
	r.Blocking = &unpark.Blocking{
		Waiters: unpark.Between(7.9, 7.3, 8.5, "waiters", 4300), PerRequest: unpark.Between(18.5e-3, 17.2e-3, 19.8e-3, "s/req", 4300),
		Events: 4300, Share: unpark.Between(0.991, 0.988, 0.993, "ratio", 4300), CPUShare: num(0.012), First: &r.Findings[0],
	}
	r.Warnings = []unpark.Notice{{
		Code: "cores-shared", Message: "The generator and the target share 2 cores; the generator used 0.11 of them.",
		Cure: "Run on a machine with four cores or more, or give the target its own with --cpus.",
	}}
	r.Flames = flames(r)
	return r
}

func lockFinding(waiter, holder unpark.Site) unpark.Finding {
	return unpark.Finding{
		Rank: 1, Rule: "lock-contention", Class: unpark.ClassLock, Title: "One mutex is held across 2 ms of work",
		Site: holder, Waiter: &waiter, Holder: &holder, Share: num(0.991), ShareOf: "request-path waiting", Confidence: unpark.High,
		Cost: unpark.Cost{
			MeanWaiters:    unpark.Between(7.81, 7.2, 8.4, "waiters", 4280),
			WaitPerRequest: unpark.Between(18.3e-3, 17.1e-3, 19.6e-3, "s/req", 4280),
			HoldPerRequest: unpark.Measured(2.21e-3, "s/req", 4280),
		},
		Facts: []unpark.Fact{
			{Text: "goroutines waited at the lock", Value: num(78.1), Unit: "s", Source: "block.pb.gz"},
			{Text: "the same delay seen from the unlocker", Value: num(77.4), Unit: "s", Source: "mutex.pb.gz"},
			{Text: "main.decode ran under the lock in snapshots", Value: num(0.88), Unit: "ratio", Source: "goroutine"},
		},
		Remedies: []unpark.Remedy{
			{Title: "Hold it for less work", Why: "decode before taking the lock; only the map access needs it.", Risk: "Two requests may decode the same entry once each."},
			{Title: "Shard the cache by key", Why: "independent keys stop waiting for each other", Risk: "Eviction becomes per shard."},
		},
		Prediction: unpark.Prediction{
			Throughput: unpark.Between(1, 0.99, 1.01, "ratio", 4280), P50: unpark.Between(0.16, 0.11, 0.24, "ratio", 4280),
			P99: unpark.Between(0.15, 0.08, 0.35, "ratio", 4280), NextLimit: unpark.LimitCPU,
			Summary:     "At this rate the waiting goes away; throughput is what the load offers.",
			Assumptions: []string{"the hold does not change with load", "CPU per request stays as it is"},
			Alternatives: []unpark.Alternative{
				alternative(unpark.FixHalved, 0.41), alternative(unpark.FixSharded, 0.2), alternative(unpark.FixRWMutex, 0.27),
			},
		},
		Path: []unpark.Site{
			{Function: "sync.(*Mutex).Lock", File: "/go/src/sync/mutex.go", Line: 46},
			waiter,
			{Function: "example.com/shop/lookup/internal/web.(*Server).item", File: "/src/lookup/internal/web/server.go", Line: 88},
			{Function: "net/http.HandlerFunc.ServeHTTP", File: "/go/src/net/http/server.go", Line: 2322},
			{Function: "net/http.(*conn).serve", File: "/go/src/net/http/server.go", Line: 2120},
		},
	}
}

func alternative(fix unpark.Fix, p99 float64) unpark.Alternative {
	return unpark.Alternative{
		Fix: fix, Throughput: unpark.Between(1, 0.99, 1.01, "ratio", 4280),
		P50: unpark.Between(p99+0.05, p99, p99+0.2, "ratio", 4280), P99: unpark.Between(p99, p99-0.1, p99+0.2, "ratio", 4280),
	}
}

func allocFinding() unpark.Finding {
	return unpark.Finding{
		Rank: 2, Rule: "alloc-site", Class: unpark.ClassAlloc, Title: "Fresh garbage for every request: a 32 kB buffer",
		Site:  unpark.Site{Function: "example.com/shop/lookup/internal/web.(*Server).render", File: "/src/lookup/internal/web/render.go", Line: 23},
		Share: num(0.64), ShareOf: "allocated bytes", Confidence: unpark.Medium,
		Cost: unpark.Cost{
			BytesPerRequest: unpark.Measured(34816, "B/req", 4280), CPUPerRequest: unpark.Measured(41e-6, "s/req", 4280),
		},
		Facts:    []unpark.Fact{{Text: "bytes allocated in the window", Value: num(149e6), Unit: "B", Source: "allocs.pb.gz"}},
		Remedies: []unpark.Remedy{{Title: "Take the buffer from a sync.Pool and reset it", Why: "the same memory serves the next request", Risk: "A buffer kept after Put is a data race."}},
		Prediction: unpark.Prediction{
			Throughput: unpark.Between(1, 1, 1.005, "ratio", 4280), P50: unpark.Between(0.998, 0.98, 1, "ratio", 4280),
			P99: unpark.Between(0.99, 0.95, 1, "ratio", 4280), NextLimit: unpark.LimitLock, CPUSaved: unpark.Between(41e-6, 30e-6, 52e-6, "s/req", 4280),
			Summary: "Real, and worth at most +0.5 %: the ceiling is elsewhere.", Assumptions: []string{"GC cost is proportional to bytes"},
		},
	}
}

func healthy() unpark.Run {
	r := base()
	r.Limit = unpark.Limit{Kind: unpark.LimitNone, Why: "nothing is wrong: p99 2.3 ms at 428 req/s; the CPU would be full at about 1 900 req/s", Ceiling: unpark.Between(1910, 1700, 2100, "req/s", 4280)}
	r.Windows = []unpark.Window{window(loadExample(unpark.Constant, 428, 0.0011, 0.0023, 10), process(4242, 0.45))}
	return r
}

func void() unpark.Run {
	r := healthy()
	l := r.Windows[0].Load
	l.OfferedRPS, l.Late = 20000, 3117
	l.AchievedRPS, l.GeneratorCPU = 14211, num(0.97)
	r.Plan.RateRPS = 20000
	r.Limit = unpark.Limit{Kind: unpark.LimitGenerator, Why: "the generator reached 71 % of the offered rate with 0.97 of its 1 core busy"}
	r.Void = []unpark.Notice{{
		Code: "generator-behind", Message: "The generator sent 14,211 of 20,000 req/s: these figures say what the generator can do, not the service.",
		Cure: "Lower --rate, raise --connections, or run the generator on another machine.",
	}}
	return r
}

func quota() unpark.Run {
	r := base()
	r.Target.Quota, r.Target.Confinement = num(1.5), "cgroup v1"
	r.Target.CPUs = []int{2, 3, 4, 5, 8}
	r.Plan.Mode, r.Plan.RateRPS, r.Plan.Connections = unpark.Closed, 0, 32
	r.Limit = unpark.Limit{
		Kind: unpark.LimitQuota, Why: "the cgroup stopped the service in 61 % of its periods: 8 Ps share a quota of 1.5 cores",
		Utilization: unpark.Measured(0.998, "ratio", 100),
	}
	p := process(977, 1.497)
	p.GOMAXPROCS, p.Throttled = num(8), num(6.1)
	r.Windows = []unpark.Window{window(loadExample(unpark.Closed, 1203.7, 0.0192, 0.0894, 10), p)}
	r.Findings = []unpark.Finding{{
		Rank: 1, Rule: "cpu-quota", Class: unpark.ClassQuota, Title: "GOMAXPROCS is 8 under a quota of 1.5 cores", Confidence: unpark.High,
		Cost:     unpark.Cost{Throttled: unpark.Measured(0.61, "ratio", 100), Cores: unpark.Measured(1.497, "cores", 1)},
		Facts:    []unpark.Fact{{Text: "throttled in the window", Value: num(6.1), Unit: "s", Source: "cpu.stat"}},
		Remedies: []unpark.Remedy{{Title: "Build with go 1.25 or newer, or set GOMAXPROCS=2", Why: "runtime.GOMAXPROCS then follows the quota", Risk: ""}},
		Prediction: unpark.Prediction{
			P99: unpark.Between(0.4, 0.2, 0.7, "ratio", 100), NextLimit: unpark.LimitCPU, Assumptions: []string{"the quota stays"},
		},
	}}
	return r
}

func partial() unpark.Run {
	r := lockAtTheKnee()
	r.Partial = "interrupted 4 s into the window"
	r.Limit = unpark.Limit{Kind: unpark.LimitUnknown}
	r.Findings, r.Warnings, r.Flames = nil, nil, nil
	r.Windows[0].Profiles[2].State, r.Windows[0].Profiles[2].Note = unpark.Bad, "cut short"
	r.Windows[0].Load = nil
	r.Windows[0].Processes[0].State, r.Windows[0].Processes[0].Cores = "died", unpark.Number{}
	return r
}

func prefork() unpark.Run {
	r := base()
	r.Target.Command = []string{"./catalog", "-prefork", "4"}
	r.Target.Module = "example.com/shop/catalog"
	r.Plan = unpark.Plan{Mode: unpark.Closed, Connections: 100, Warmup: 3, Duration: 10, Timeout: 5, Requests: []unpark.Request{
		{Method: "GET", URL: "http://127.0.0.1:3000/read", Weight: 3}, {Method: "POST", URL: "http://127.0.0.1:3000/write", Weight: 1},
	}}
	r.Limit = unpark.Limit{Kind: unpark.LimitCPU, Why: "both cores are full, most of it writing 4.5 kB answers", Utilization: unpark.Measured(0.985, "ratio", 10)}
	var ps []unpark.Process
	for i, c := range []float64{0.51, 0.44, 0.31, 0.28} {
		p := process(5101+i, c)
		p.CPUPerReq, p.GOMAXPROCS, p.NumCPU = num(c/0.25/70300), num(1), num(2)
		ps = append(ps, p)
	}
	parent := process(5100, 0.001)
	parent.CPUPerReq, parent.GCShare = unpark.Number{}, unpark.Number{}
	l := loadExample(unpark.Closed, 70312, 0.00131, 0.00412, 10)
	l.GeneratorCPU = num(0.43)
	l.Errors, l.ErrorKinds, l.ErrorSample = 12, map[string]int64{"timeout": 9, "reset": 3}, "read tcp 127.0.0.1:3000: i/o timeout"
	r.Windows = []unpark.Window{window(l, append([]unpark.Process{parent}, ps...)...)}
	f := lockFinding(
		unpark.Site{Function: "github.com/brianvoe/gofakeit/v6.(*lockedSource).Int63", File: "/m/gofakeit/v6/source.go", Line: 19},
		unpark.Site{Function: "github.com/brianvoe/gofakeit/v6.(*lockedSource).Int63", File: "/m/gofakeit/v6/source.go", Line: 21})
	f.Title = "The global random source is locked for every pick"
	f.Prediction.Throughput = unpark.Between(1.004, 1, 1.0135, "ratio", 703120)
	f.Prediction.P50, f.Prediction.P99 = unpark.Between(0.99, 0.97, 1, "ratio", 703120), unpark.Quantity{}
	f.Prediction.Summary = "Real, and worth at most +1.4 %: the ceiling is the CPU."
	f.Cost = unpark.Cost{MeanWaiters: unpark.Measured(0.43, "waiters", 703120), WaitPerRequest: unpark.Measured(6.1e-6, "s/req", 703120)}
	f.Facts = f.Facts[:2]
	r.Findings = []unpark.Finding{f}
	return r
}

func abstaining() unpark.Run {
	r := lockAtTheKnee()
	for i := range r.Findings {
		r.Findings[i].Prediction = unpark.Prediction{Assumptions: []string{"the mutex profile was off, so how long the lock is held is not known"}}
		r.Findings[i].Holder = nil
		r.Findings[i].Confidence = unpark.Low
	}
	r.Windows[0].Profiles[2].State = unpark.Off
	r.Flames = nil
	return r
}

func capture() unpark.Run {
	r := lockAtTheKnee()
	r.Plan = unpark.Plan{Mode: unpark.NoLoad, Duration: 30}
	r.Target = unpark.Target{Pprof: []string{"http://10.0.0.7:6060/debug/pprof/", "http://10.0.0.8:6060/debug/pprof/"}, Elsewhere: true}
	r.Windows[0].Load, r.Windows[0].Timeline = nil, nil
	r.Windows[0].Observer = unpark.Observer{}
	r.Windows[0].Machine = unpark.Machine{}
	r.Windows[0].Processes = []unpark.Process{{PID: 4242, State: "whole", Cores: num(1.2)}}
	r.Limit.Why = "one lock keeps 7.8 goroutines waiting on average"
	r.Tables = tables()
	r.Unsaid = []unpark.Notice{{Code: "no-load", Message: "What a request costs: that takes the rate and the times of requests.", Cure: "unpark run --pprof http://HOST:PORT --url http://HOST:PORT/path"}}
	return r
}

func guarded() unpark.Run {
	r := capture()
	r.Trigger = &unpark.Trigger{
		Guard: "p99>200ms or log~panic", Condition: "p99>200ms", At: r.Windows[0].Start.Add(8 * time.Second),
		Value: unpark.Quantity{Value: num(0.312), Unit: "s", N: 431}, Before: num(8),
	}
	return r
}

func sweep() unpark.Run {
	r := healthy()
	r.Plan.Mode, r.Plan.Levels = unpark.Sweep, []float64{1, 8, 64}
	var all []unpark.Window
	for i, rps := range []float64{812, 4410, 9120} {
		w := window(loadExample(unpark.Closed, rps, 0.001*float64(i+1), 0.004*float64(i*i+1), 10), process(4242, 0.3+0.6*float64(i)))
		w.Level = unpark.Level{Connections: int(r.Plan.Levels[i])}
		all = append(all, w)
	}
	all[1].Load = nil
	r.Windows = all
	return r
}

// hostile is a run in which every name tries to get out of the report.
func hostile() unpark.Run {
	const (
		html     = `<script>document.title="owned"</script><img src=x onerror=document.title="owned">`
		terminal = "\x1b[31mred\x1b[0m\x1b]0;title\x07\x9b2J\r\n\u202egnp.exe\u2028\x00\x7f\xff"
		markdown = "a|b|`c`|[x](javascript:alert(1))|<details>|**bold**|@everyone #1\n| new | row |\n# heading"
		script   = `</script><script>document.title="owned"</script><!--`
	)
	long := "github.com/acme/" + repeat("very-long-path-element/", 40) + "pkg.(*Type[go.shape.struct { F *other/pkg.X }]).Method" + repeat("é漢字", 60)
	evil := unpark.Site{Function: html + terminal + markdown, File: "/x/" + script + "\x1b[2J|`.go", Line: 7}
	far := unpark.Site{Function: long, File: "/a/" + repeat("long", 60) + ".go", Line: 1234567}
	r := lockAtTheKnee()
	r.ID = html
	r.Limit.Why = html + terminal + long + " " + markdown
	r.Target = unpark.Target{
		Command: []string{html, terminal, markdown, "it's", ""}, Module: script, Go: html + terminal, Confinement: terminal,
		Pprof: []string{html}, URL: "javascript:alert(1)",
	}
	r.Host.Model, r.Host.OS = html+terminal, terminal
	r.Plan.Requests = []unpark.Request{{Method: terminal, URL: "javascript:alert(1)//" + html}}
	r.Plan.Protocol = html
	for i, f := range r.Findings {
		f.Title, f.Site, f.Waiter, f.Holder = markdown+html+terminal, evil, &far, &evil
		f.ShareOf, f.Path = html+terminal, []unpark.Site{evil, far}
		f.Facts = []unpark.Fact{{Text: html + markdown + terminal, Value: num(1e300), Unit: html, Source: script + terminal}}
		f.Remedies = []unpark.Remedy{{Title: html + markdown, Why: terminal + long, When: script + terminal, Risk: script}}
		f.Prediction.Summary, f.Prediction.Assumptions = html+terminal, []string{script}
		f.Cost.Cores = unpark.Between(math.MaxFloat64, -1e-300, 1, html, 1)
		f.Rule, f.Class, f.Confidence = html, unpark.Class(html+terminal), unpark.Confidence(html)
		r.Findings[i] = f
	}
	r.Findings[1].Site, r.Findings[1].Holder = far, nil
	r.Costs = hostileCosts(evil, far, html+terminal+markdown)
	r.Void = []unpark.Notice{{Code: html, Message: markdown + html + terminal, Cure: script + long}}
	r.Warnings = []unpark.Notice{{Code: html, Message: html + terminal, Cure: markdown}}
	w := &r.Windows[0]
	w.Tracing = tailHostile(evil, far, html+terminal)
	w.Processes[0].State, w.Processes[0].Endpoint = html+terminal, html
	w.Processes = append(w.Processes, process(4243, 1e12))
	w.Load.Errors, w.Load.ErrorSample = 3, html+terminal
	w.Load.ErrorKinds = map[string]int64{html: 2, terminal: 1}
	w.Profiles[0].File, w.Profiles[0].Note = html+terminal, html
	w.Timeline[4].Phase = html
	r.Findings[0].Prediction.Alternatives = []unpark.Alternative{{Fix: html + terminal, P99: unpark.Measured(0.5, html, 1)}}
	r.Partial = terminal + html
	for i := range r.Flames {
		f := &r.Flames[i]
		f.Names[len(f.Names)-1] = html + terminal + "\x00" + script
		f.Names[2] = long + "\x00" + script
	}
	return r
}

func repeat(s string, n int) string {
	out := ""
	for range n {
		out += s
	}
	return out
}
