package report

import "github.com/unpark-go/unpark"

// The places of a price lookup: a lock held while a journal is appended to, which
// hands its entries to a goroutine that syncs them.
var (
	storeWait   = unpark.Site{Function: "example.com/shop/lookup/internal/store.(*Store).Get", File: "/src/lookup/internal/store/store.go", Line: 41}
	storeUnlock = unpark.Site{Function: "example.com/shop/lookup/internal/store.(*Store).Get", File: "/src/lookup/internal/store/store.go", Line: 58}
	backingRead = unpark.Site{Function: "example.com/shop/lookup/internal/store.(*backing).read", File: "/src/lookup/internal/store/backing.go", Line: 33}
	journalSend = unpark.Site{Function: "example.com/shop/lookup/internal/journal.(*Log).Append", File: "/src/lookup/internal/journal/log.go", Line: 77}
	journalLock = unpark.Site{Function: "example.com/shop/lookup/internal/journal.(*Log).flush", File: "/src/lookup/internal/journal/log.go", Line: 104}
	journalSync = unpark.Site{Function: "example.com/shop/lookup/internal/journal.(*Log).flush", File: "/src/lookup/internal/journal/log.go", Line: 108}
	journalTake = unpark.Site{Function: "example.com/shop/lookup/internal/journal.(*Log).flush", File: "/src/lookup/internal/journal/log.go", Line: 112}
	journalRoll = unpark.Site{Function: "example.com/shop/lookup/internal/journal.(*Log).rotate", File: "/src/lookup/internal/journal/log.go", Line: 151}
	serveItem   = unpark.Site{Function: "example.com/shop/lookup/internal/web.(*Server).item", File: "/src/lookup/internal/web/server.go", Line: 88}
	poolPut     = unpark.Site{Function: "example.com/shop/lookup/internal/web.(*Server).render", File: "/src/lookup/internal/web/render.go", Line: 64}
	serveConn   = unpark.Site{Function: "net/http.(*conn).serve", File: "/go/src/net/http/server.go", Line: 2120}
)

func called(name string) unpark.Site {
	return unpark.Site{Function: name, File: "/go/src/x.go", Line: 10}
}

func requestStack(leaf ...unpark.Site) []unpark.Site { return append(leaf, serveItem, serveConn) }

// tailChain is a lock behind which a channel is waited for, behind which a lock.
func tailChain() *unpark.Tracing {
	const n = 4012
	t := &unpark.Tracing{
		Seconds: 5.02, Processes: 1, Events: 241_318, Lost: num(0), Requests: n, Unfinished: 7, Inferred: true, Wall: latency(0.0239, 0.0921, n),
		Tail:   unpark.Cohort{From: 1 - 41.0/n, To: 1, N: 41, Mean: 0.091},
		Middle: unpark.Cohort{From: 0.4, To: 0.6, N: 803, Mean: 0.024}, Explained: num(0.9996),
		States: []unpark.StateTime{
			{Class: unpark.WaitLock, All: 0.0146, Tail: 0.0751, Middle: 0.0109},
			{Class: unpark.WaitSyscall, All: 0.0083, Tail: 0.0087, Middle: 0.0082},
			{Class: unpark.WaitChannel, All: 0.0018, Tail: 0.0042, Middle: 0.0022},
			{Class: unpark.WaitScheduler, All: 0.0007, Tail: 0.0016, Middle: 0.0005},
			{Class: unpark.Running, All: 0.0014, Tail: 0.0010, Middle: 0.0020},
			{Class: unpark.WaitGC, All: 0.0002, Tail: 0.0004, Middle: 0.0002},
		},
		Excess: []unpark.Excess{
			{
				Class: unpark.WaitLock, Site: storeWait, Stack: requestStack(called("sync.(*Mutex).Lock"), storeWait), Tail: 0.0751, Middle: 0.0109,
				More: unpark.Between(0.0642, 0.0581, 0.0706, "s/req", 41), Share: num(0.958),
			},
			{
				Class: unpark.WaitChannel, Site: journalSend, Stack: requestStack(called("runtime.chansend1"), journalSend, storeUnlock), Tail: 0.0042, Middle: 0.0022,
				More: unpark.Between(0.0020, 0.0011, 0.0031, "s/req", 41), Share: num(0.0299),
			},
			{Class: unpark.WaitScheduler, Tail: 0.0016, Middle: 0.0005, More: unpark.Between(0.0011, 0.0004, 0.0019, "s/req", 41), Share: num(0.0164)},
			{
				Class: unpark.WaitSyscall, Site: backingRead, Stack: requestStack(called("os.(*File).ReadAt"), backingRead), Tail: 0.0087, Middle: 0.0082,
				More: unpark.Between(0.0005, -0.0006, 0.0015, "s/req", 41), Share: num(0.0075),
			},
		},
	}
	t.Edges = chainEdges()
	return t
}

func chainEdges() []unpark.Edge {
	return []unpark.Edge{
		{
			Class: unpark.WaitLock, Waiter: storeWait, Holder: storeUnlock, WaiterStack: requestStack(called("sync.(*Mutex).Lock"), storeWait),
			HolderStack: requestStack(called("sync.(*Mutex).Unlock"), storeUnlock), Delay: 58.6, Count: 3790, Tail: 0.0751, Share: num(0.825),
			Held: []unpark.Held{
				{Class: unpark.WaitSyscall, Site: backingRead, Call: called("os.(*File).ReadAt"), Share: 0.62},
				{Class: unpark.WaitChannel, Site: journalSend, Call: called("runtime.chansend1"), Share: 0.31},
				{Class: unpark.Running, Share: 0.05},
				{Class: unpark.WaitScheduler, Share: 0.02},
			},
		},
		{
			Class: unpark.WaitChannel, Waiter: journalSend, Holder: journalTake, Delay: 7.2, Chained: 18.2, Outside: 0.4, Count: 1204, Tail: 0.0042, Share: num(0.046),
			Held: []unpark.Held{
				{Class: unpark.WaitSyscall, Site: journalSync, Call: called("os.(*File).Sync"), Share: 0.87},
				{Class: unpark.WaitLock, Site: journalLock, Call: called("sync.(*Mutex).Lock"), Share: 0.08},
				{Class: unpark.Running, Share: 0.05},
			},
		},
		{
			Class: unpark.WaitLock, Waiter: journalLock, Holder: journalRoll, Chained: 2.03, Outside: 1.1, Tail: 0, Share: num(0),
			Held: []unpark.Held{{Class: unpark.WaitSyscall, Site: journalRoll, Call: called("os.Rename"), Share: 0.97}, {Class: unpark.Running, Share: 0.03}},
		},
		{
			Class: unpark.WaitPool, Waiter: serveItem, Holder: poolPut, Delay: 0.81, Count: 77, Tail: 0.0002, Share: num(0.0022),
			Held: []unpark.Held{{Class: unpark.Running, Share: 0.9}, {Class: unpark.WaitGCAssist, Site: poolPut, Share: 0.1}},
		},
	}
}

// tailGC is the slowest requests of a service that collects garbage.
func tailGC() *unpark.Tracing {
	const n = 21_804
	render := unpark.Site{Function: "example.com/shop/lookup/internal/web.(*Server).render", File: "/src/lookup/internal/web/render.go", Line: 23}
	return &unpark.Tracing{
		Edges: []unpark.Edge{}, Seconds: 5.01, Processes: 4, Events: 1_803_211, Lost: num(0), Requests: n, Unfinished: 11, Wall: latency(0.00084, 0.0061, n),
		Tail:   unpark.Cohort{From: 0.99, To: 1, N: 219, Mean: 0.0064},
		Middle: unpark.Cohort{From: 0.4, To: 0.6, N: 4096, Mean: 0.00084}, Explained: num(0.917),
		States: []unpark.StateTime{
			{Class: unpark.WaitGCAssist, All: 0.00021, Tail: 0.0031, Middle: 0.00005},
			{Class: unpark.WaitGC, All: 0.00012, Tail: 0.0014, Middle: 0.00002},
			{Class: unpark.Running, All: 0.00072, Tail: 0.00081, Middle: 0.00074},
			{Class: unpark.WaitUnknown, All: 0.00004, Tail: 0.00053, Middle: 0.00001},
			{Class: unpark.WaitScheduler, All: 0.00005, Tail: 0.00044, Middle: 0.00002},
			{Class: unpark.WaitSTW, All: 0.00001, Tail: 0.00012, Middle: 0},
		},
		Excess: []unpark.Excess{
			{
				Class: unpark.WaitGCAssist, Site: render, Stack: requestStack(called("runtime.gcAssistAlloc"), called("runtime.mallocgc"), render),
				Tail: 0.0031, Middle: 0.00005, More: unpark.Between(0.00305, 0.0027, 0.0034, "s/req", 219), Share: num(0.549),
			},
			{Class: unpark.WaitGC, Tail: 0.0014, Middle: 0.00002, More: unpark.Between(0.00138, 0.0012, 0.0016, "s/req", 219), Share: num(0.248)},
			{Class: unpark.WaitUnknown, Tail: 0.00053, Middle: 0.00001, More: unpark.Between(0.00052, 0.0003, 0.0008, "s/req", 219), Share: num(0.094)},
			{Class: unpark.WaitScheduler, Tail: 0.00044, Middle: 0.00002, More: unpark.Between(0.00042, 0.0003, 0.0006, "s/req", 219), Share: num(0.076)},
			{Class: unpark.WaitSTW, Tail: 0.00012, Middle: 0, More: unpark.Between(0.00012, 0.00009, 0.00016, "s/req", 219), Share: num(0.022)},
		},
	}
}

// tailFew is a trace too short for cohorts, cut off at that.
func tailFew() *unpark.Tracing {
	return &unpark.Tracing{
		Excess: []unpark.Excess{}, Seconds: 1.02, Processes: 1, Events: 9130, Lost: num(0.118), LostWhy: "window-01/4242/trace.out: cut short after 402,112 bytes",
		Requests: 38, Unfinished: 4, Inferred: true, Wall: latency(0.0239, 0.0921, 38),
		States: []unpark.StateTime{
			{Class: unpark.WaitLock, All: 0.0146}, {Class: unpark.WaitSyscall, All: 0.0083}, {Class: unpark.Running, All: 0.0014},
		},
		Edges: []unpark.Edge{{
			Class: unpark.WaitLock, Waiter: storeWait, Holder: storeUnlock, Delay: 0.554, Count: 31,
			Held: []unpark.Held{{Class: unpark.WaitSyscall, Site: backingRead, Call: called("os.(*File).ReadAt"), Share: 0.93}},
			Hold: &unpark.Hold{N: 27, Mean: 0.0171, SCV: num(0.12)},
		}},
	}
}

func traced(r unpark.Run, t *unpark.Tracing) unpark.Run {
	r.Windows[0].Tracing = t
	return r
}

// tailHostile is a trace in which every name tries to get out of the report.
func tailHostile(evil, far unpark.Site, text string) *unpark.Tracing {
	t := tailChain()
	t.LostWhy, t.Lost = text, num(0.5)
	t.States = append(t.States, unpark.StateTime{Class: unpark.WaitClass(text), Tail: 1, Middle: 2, All: 1e300})
	t.Excess[0].Site, t.Excess[0].Stack = evil, []unpark.Site{evil, far, {}}
	t.Excess[1].Class, t.Excess[1].Site, t.Excess[1].More.Unit = unpark.WaitClass(text), far, text
	t.Edges[0].Waiter, t.Edges[0].Holder, t.Edges[0].Held[0].Site, t.Edges[0].Held[0].Call = evil, far, far, evil
	t.Edges[1].Holder, t.Edges[1].Held[0].Call, t.Edges[1].Held[0].Class = evil, far, unpark.WaitClass(text)
	t.Edges[2].Class, t.Edges[2].Holder = unpark.WaitClass(text), unpark.Site{}
	return t
}
