package fleet

import "time"

// The numbers that decide what of a run of many is worth something.
const (
	// MaxSpread is how uncertain an agent's clock may be, how far it may drift within a run, and how
	// far a start may be from the instant that was named: a tenth of the 50 ms from which people notice, and what
	// the issue sets (19).
	MaxSpread = 5 * time.Millisecond
	// silence is how long an agent may say nothing before its part is void: four beats.
	// A link that carries no beat carries no requests either.
	silence = 2 * time.Second
	// exchanges compare a clock; the fastest quarter is used.
	exchanges = 32
	// startAfter is how long before the start it is named: an agent that hears of it later
	// than that is late.
	startAfter = 1500 * time.Millisecond
	// enough is the part of the offered load that must be left for a run to hold: load.Judge
	// has the same for one generator.
	enough = 0.995
)

// Deadlines: nothing waits for ever.
const (
	askWithin     = 3 * time.Second
	prepareWithin = 25 * time.Second // an agent checks its target and opens processes
	doneWithin    = 45 * time.Second // after the last phase, without artifacts being fetched
	fetchWithin   = 3 * time.Minute
)
