package fleet

import "time"

const (
	// MaxSpread is how uncertain an agent's clock may be, how far it may drift within a run, and how far a start may be from the instant that was named.
	//
	// Unit: s. Source: issue 19, which asks for 5 ms. Test: TestVoid.
	MaxSpread = 5 * time.Millisecond
	// mostOfIt is the part of a late start that threads must have waited for a processor, to call it the machine's fault.
	//
	// Unit: ratio. Source: convention: most of it. Test: TestVoid.
	mostOfIt = 0.5
	// silence is how long an agent may say nothing before its part is void: four beats; a link that carries no beat carries no requests either.
	//
	// Unit: s. Source: convention. Test: TestAgentsThatFail.
	silence = 2 * time.Second
	// exchanges is how many compare a clock; the fastest quarter is used.
	//
	// Unit: exchanges. Source: convention: 8 fast ones tell what chance does, in 3 s with 100 ms there and back.
	exchanges = 32
	// fresh is how long a comparison of clocks is good for the next start.
	//
	// Unit: s. Source: convention: two quartzes that are 100 ppm apart, which is more than is usual, move by 3 ms in it, less than MaxSpread.
	fresh = 30 * time.Second
	// startAfter is how long before the start it is named: an agent that hears of it later begins late.
	//
	// Unit: s. Source: convention: an answer at 1 s of round trip.
	startAfter = 1500 * time.Millisecond
	// enough is the part of the load that must be left for a run to hold.
	//
	// Unit: ratio. Source: DESIGN §5, as for one generator. Test: TestVoid.
	enough = 0.995
	// mostTraced is how many processes are traced in all, as on one machine.
	//
	// Unit: processes. Source: internal/measure/window.
	mostTraced = 8
	// fetchers is how many agents' artifacts are fetched at a time: each is one stream, and two keep a disk and two cores busy.
	//
	// Unit: agents. Source: convention.
	fetchers = 2
	// closers is how many files of an agent are forced to the disk at a time: one fsync waits for the journal as long as thirty.
	//
	// Unit: files. Source: convention.
	closers = 16
	// mostWindow bounds the document of one window, as the store does that of a run.
	//
	// Unit: bytes. Source: internal/store.
	mostWindow = 64 << 20
	// askWithin is how long an agent has for an answer.
	//
	// Unit: s. Source: convention.
	askWithin = 3 * time.Second
	// prepareWithin is how long it has to check its target and to open processes.
	//
	// Unit: s. Source: convention, above the agent's own 15 s.
	prepareWithin = 25 * time.Second
	// blockWithin is how long it has to hand in what it recorded of a phase, with the last answers.
	//
	// Unit: s. Source: convention, above the agent's own 10 s.
	blockWithin = 15 * time.Second
	// doneWithin is how long it has after the last phase, until it says that all is handed in.
	//
	// Unit: s. Source: convention: 128 MB at 3 MB/s.
	doneWithin = 45 * time.Second
	// fetchWithin is how long fetching the artifacts of one agent may take.
	//
	// Unit: s. Source: convention.
	fetchWithin = 3 * time.Minute
)
