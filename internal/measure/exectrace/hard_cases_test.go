package exectrace_test

import "github.com/unpark-go/unpark/internal/measure/exectrace"

// hard is one case of testdata/cases.
type hard struct {
	name       string
	env        []string
	busy       bool // it needs the processors for itself
	cgo        bool // it is built with cgo
	unfinished int64
	// merged says that several marked requests may be one inferred one, which has
	// their states: requests that were read together.
	merged bool
	routes []expected
	// harmless is a function whose waits delay no request.
	harmless string
}

type shares = map[exectrace.State]between

// sleeper says that the holder slept, in a function.
func sleeper(at string) []held { return []held{{exectrace.Sleep, at, atLeast(0.75)}} }

func lockCases() []hard {
	const locked = "main.waitForLock"
	return []hard{
		{name: "pending-writer", routes: []expected{
			{route: "GET /slow", count: 1, vector: shares{exectrace.Sleep: atLeast(0.8), exectrace.Lock: atMost(0.05)}},
			{
				route: "GET /write", count: 1, vector: shares{exectrace.Lock: atLeast(0.4), exectrace.Sleep: between{0.1, 0.6}},
				waits: []wait{{exectrace.Lock, "main.writeRow", "main.readSlowly", atLeast(0.8), sleeper("main.readSlowly")}},
			},
			{
				route: "GET /read", count: 3, vector: shares{exectrace.Lock: atLeast(0.8)},
				waits: []wait{{exectrace.Lock, "main.readRow", "main.writeRow", atLeast(0.9), []held{
					{exectrace.Lock, "main.writeRow", atLeast(0.4)}, {exectrace.Sleep, "main.writeRow", atLeast(0.15)},
				}}},
				chains: []chain{{exectrace.Lock, "main.writeRow", "main.readSlowly", atLeast(0.4), exectrace.Lock, sleeper("main.readSlowly")}},
			},
		}},
		{name: "starvation", routes: []expected{{
			route: "GET /row", count: 6, vector: shares{exectrace.Lock: atLeast(0.5), exectrace.Sleep: atLeast(0.1)}, blamed: atLeast(0.5),
			waits: []wait{
				{exectrace.Lock, "main.holdRow", "main.holdRow", atLeast(0.4), sleeper("main.holdRow")},
				{exectrace.Lock, "main.holdRow", "main.barge", between{0.005, 0.6}, []held{
					{exectrace.Sleep, "main.barge", atLeast(0.3)}, {exectrace.Unknown, "", atMost(0.05)}, {exectrace.Running, "", atMost(0.1)},
				}},
			},
		}}},
		{name: "lock-send", routes: []expected{
			{
				route: "GET /send", count: 1, vector: shares{exectrace.Channel: atLeast(0.8)},
				waits: []wait{{exectrace.Channel, "main.sendLocked", "main.receiveLate", atLeast(0.95), sleeper("main.receiveLate")}},
			},
			{
				route: "GET /wait", count: 2, vector: shares{exectrace.Lock: atLeast(0.8)},
				waits:  []wait{{exectrace.Lock, locked, "main.sendLocked", atLeast(0.9), []held{{exectrace.Channel, "main.sendLocked", atLeast(0.8)}}}},
				chains: []chain{{exectrace.Channel, "main.sendLocked", "main.receiveLate", atLeast(0.8), exectrace.Lock, sleeper("main.receiveLate")}},
			},
		}},
		{name: "nested-locks", routes: []expected{
			{
				route: "GET /both", count: 1, vector: shares{exectrace.Lock: atLeast(0.8)},
				waits: []wait{{exectrace.Lock, "main.takeBoth", "main.holdInner", atLeast(0.95), sleeper("main.holdInner")}},
			},
			{
				route: "GET /wait", count: 2, vector: shares{exectrace.Lock: atLeast(0.8)},
				waits:  []wait{{exectrace.Lock, locked, "main.takeBoth", atLeast(0.9), []held{{exectrace.Lock, "main.takeBoth", atLeast(0.8)}}}},
				chains: []chain{{exectrace.Lock, "main.takeBoth", "main.holdInner", atLeast(0.8), exectrace.Lock, sleeper("main.holdInner")}},
			},
		}},
		{name: "flusher", routes: []expected{{
			route: "GET /wait", count: 6, vector: shares{exectrace.Lock: atLeast(0.8)}, blamed: atLeast(0.8),
			waits: []wait{{exectrace.Lock, locked, "main.flush", atLeast(0.9), sleeper("main.flush")}},
		}}},
		{name: "preempted", busy: true, routes: []expected{{
			route: "GET /wait", count: 2, vector: shares{exectrace.Lock: atLeast(0.6)},
			waits: []wait{{exectrace.Lock, locked, "main.workLocked", atLeast(0.6), []held{
				{exectrace.Runnable, "", atLeast(0.4)}, {exectrace.Running, "", between{0.05, 0.6}}, {exectrace.Sleep, "", atMost(0.2)},
			}}},
		}, {route: "GET /work", count: 1, vector: shares{exectrace.Runnable: atLeast(0.4), exectrace.Running: atLeast(0.05)}}}},
		{name: "elsewhere", harmless: "main.contend", routes: []expected{{
			route: "GET /sleep", count: 3, vector: shares{exectrace.Sleep: atLeast(0.8), exectrace.Lock: atMost(0.05)}, blamed: atMost(0.05),
		}}},
	}
}

func groupCases() []hard {
	return []hard{
		{name: "broadcast", routes: []expected{{
			route: "GET /ready", count: 4, vector: shares{exectrace.Cond: atLeast(0.8)},
			waits: []wait{{exectrace.Cond, "main.awaitReady", "main.tellLate", atLeast(0.95), sleeper("main.tellLate")}},
		}}},
		{name: "fan-out", routes: []expected{{
			route: "GET /all", count: 2, served: atLeast(0.9), vector: shares{exectrace.WaitGroup: atLeast(0.8)},
			waits: []wait{{exectrace.WaitGroup, "main.askAll", "main.askAll.func1", atLeast(0.95), sleeper("main.slowChild")}},
		}}},
		{name: "helpers", routes: []expected{{
			route: "GET /helped", count: 2, served: atLeast(0.9), vector: shares{exectrace.Channel: atLeast(0.8)},
			waits: []wait{{exectrace.Channel, "main.askHelper", "main.askHelper.func1", atLeast(0.95), []held{{exectrace.Channel, "main.help", atLeast(0.9)}}}},
		}}},
		{name: "once", routes: []expected{{
			route: "GET /once", count: 3, vector: shares{exectrace.Lock: between{0.4, 0.75}, exectrace.Sleep: between{0.2, 0.6}},
			waits: []wait{{exectrace.Lock, "main.fillOnce", "main.fillOnce", atLeast(0.95), sleeper("main.fillSlowly")}},
		}}},
		{name: "semaphore", routes: []expected{{
			route: "GET /limited", count: 6, served: atMost(0.01), vector: shares{exectrace.Channel: between{0.3, 0.7}, exectrace.Sleep: between{0.25, 0.7}},
			waits: []wait{{exectrace.Channel, "main.limited", "main.limited", atLeast(0.9), sleeper("main.limited")}},
		}}},
		{name: "workers", routes: []expected{{
			route: "GET /job", count: 4, vector: shares{exectrace.Channel: atLeast(0.8)}, served: atMost(0.4), // the first finds it idle
			waits: []wait{{exectrace.Channel, "main.submit", "main.work", atLeast(0.9), sleeper("main.work")}},
		}}},
		{name: "stages", routes: []expected{{
			route: "GET /staged", count: 2, vector: shares{exectrace.Channel: atLeast(0.8)}, served: atMost(0.01),
			waits:  []wait{{exectrace.Channel, "main.await", "main.answer", atLeast(0.9), []held{{exectrace.Channel, "main.answer", atLeast(0.75)}}}},
			chains: []chain{{exectrace.Channel, "main.answer", "main.prepare", atLeast(0.75), exectrace.Channel, sleeper("main.prepare")}},
		}}},
		{name: "idle-workers", routes: []expected{{
			route: "GET /job", count: 4, vector: shares{exectrace.Channel: atLeast(0.8)}, served: atLeast(0.9),
			waits: []wait{{exectrace.Channel, "main.submit", "main.work", atLeast(0.9), sleeper("main.work")}},
		}}},
	}
}

func timerCases() []hard {
	alone := func(name, route string, s exectrace.State, count int) hard {
		return hard{name: name, routes: []expected{{route: route, count: count, vector: shares{s: atLeast(0.8)}, blamed: atMost(0.05)}}}
	}
	after := hard{name: "after-func", routes: []expected{{
		route: "GET /after", count: 2, vector: shares{exectrace.Channel: atLeast(0.8)},
		// The one who ends the wait began when it was over.
		waits: []wait{{exectrace.Channel, "main.awaitFunc", "main.tellDone", atMost(1), []held{{exectrace.Sleep, "", atMost(0.05)}}}},
	}}}
	old := alone("timer", "GET /timer", exectrace.Channel, 2)
	old.env = []string{"GODEBUG=asynctimerchan=1"}
	return []hard{
		alone("select-timeout", "GET /select", exectrace.Select, 2),
		alone("timer", "GET /timer", exectrace.Channel, 2),
		old,
		after,
		{name: "rate-limit", routes: []expected{{
			route: "GET /limit", count: 3, vector: shares{exectrace.RateLimit: atLeast(0.8), exectrace.Lock: atMost(0.05)}, blamed: atMost(0.05),
		}}},
		alone("back-off", "GET /retry", exectrace.Sleep, 2),
	}
}

func machineCases() []hard {
	return []hard{
		{name: "pool-gc", busy: true, routes: []expected{{
			route: "GET /garbage", count: 4,
			vector: shares{exectrace.Assist: atLeast(0.05), exectrace.Lock: atMost(0.1), exectrace.Internal: atMost(0.05), exectrace.Channel: atMost(0.02), exectrace.Unknown: atMost(0.02)},
			mostly: []exectrace.State{exectrace.Assist, exectrace.GC, exectrace.STW}, together: atLeast(0.2), blamed: atMost(0.1),
		}}},
		{name: "compute", busy: true, routes: []expected{{
			route: "GET /compute", count: 2, vector: shares{exectrace.Running: atLeast(0.7), exectrace.Lock: atMost(0.05)}, blamed: atMost(0.05),
		}}},
		{name: "syscall", routes: []expected{{
			route: "GET /read", count: 2, vector: shares{exectrace.Syscall: atLeast(0.8)}, blamed: atMost(0.05),
		}}},
		{name: "fsync", busy: true, routes: []expected{{
			route: "GET /sync", count: 2,
			vector: shares{exectrace.Syscall: atLeast(0.3), exectrace.Network: atMost(0.05), exectrace.Lock: atMost(0.05)},
		}}},
		{name: "pipe", routes: []expected{{route: "GET /pipe", count: 1, vector: shares{exectrace.Syscall: atLeast(0.8)}}}},
		{name: "downstream", routes: []expected{{route: "GET /ask", count: 2, vector: shares{exectrace.Downstream: atLeast(0.8)}}}},
	}
}

func windowCases() []hard {
	return []hard{
		{name: "edges", unfinished: 2, routes: []expected{{route: "GET /whole", count: 3, vector: shares{exectrace.Sleep: atLeast(0.8)}}}},
		{name: "back-to-back", busy: true, env: []string{"GOGC=off"}, routes: []expected{{route: "GET /next", count: 400}}},
		{name: "posts", busy: true, routes: []expected{{route: "GET /post", count: 50}}},
		{name: "short-lived", routes: []expected{{route: "GET /only", count: 10, vector: shares{exectrace.Sleep: atLeast(0.6)}}}},
		{name: "between", routes: []expected{{route: "GET /only", count: 3, vector: shares{exectrace.Sleep: atLeast(0.8)}}}},
		{name: "unused", routes: []expected{{route: "GET /only", count: 2, vector: shares{exectrace.Sleep: atLeast(0.6)}}}},
		{name: "pipelined", merged: true, routes: []expected{{route: "GET /piped", count: 5, vector: shares{exectrace.Sleep: atLeast(0.6)}}}},
		{name: "tls", routes: []expected{{route: "GET /retry", count: 3, vector: shares{exectrace.Sleep: atLeast(0.8)}}}},
		{name: "http2", routes: []expected{{route: "GET /retry", count: 3, vector: shares{exectrace.Sleep: atLeast(0.8)}}}},
		{name: "flight-recorder", routes: []expected{{
			route: "GET /wait", count: 3, vector: shares{exectrace.Lock: atLeast(0.8)}, blamed: atLeast(0.8),
			waits: []wait{{exectrace.Lock, "main.waitForLock", "main.flush", atLeast(0.9), sleeper("main.flush")}},
		}}},
		{name: "two-generations", routes: []expected{{
			route: "GET /wait", count: 4, vector: shares{exectrace.Lock: atLeast(0.95)},
			waits: []wait{{exectrace.Lock, "main.waitForLock", "main.holdLong", atLeast(0.9), sleeper("main.holdLong")}},
		}}},
	}
}
