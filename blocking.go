package unpark

// Blocking is what requests wait for one another inside the target: for locks,
// channels, conditions and groups, parked servers and workers and the observer
// left out. It is told of every window whose block profile was recorded, worth a
// change or not: it is what a reader of the raw profile sees first, and a
// place that has all of the blocking may have none of the time.
type Blocking struct {
	Waiters    Quantity `json:"mean_waiters"`     // waiters: delay ÷ window
	PerRequest Quantity `json:"wait_per_request"` // s/req
	// Events is how many waits the profile recorded: it samples those that are
	// shorter than its rate (runtime/mprof.go, blocksampled).
	Events float64 `json:"events"`
	// Share is the first place's part of all blocking; CPUShare is the part of
	// the target's CPU that is spent in the function that is waited for, unknown
	// where no holder is known. First has most of the blocking, nil when there were
	// too few events to name one; its rank is 1, among the places of blocking.
	Share    Quantity `json:"share"`
	CPUShare Number   `json:"cpu_share"`
	First    *Finding `json:"first"`
}
