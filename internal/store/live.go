package store

import "time"

// LiveFile is the file of a run in which its progress stands, a [Live] in a line of JSON each, while it goes on and afterwards: another
// process can follow it. It is no part of the document, and a run may be without it.
const LiveFile = "live.jsonl"

// Live is what a run shows of itself at one moment.
type Live struct {
	At     time.Time `json:"at"`
	Phase  string    `json:"phase"`            // as the progress of the command line has it
	Detail string    `json:"detail,omitempty"` // one line for people
	Left   float64   `json:"left_s,omitempty"` // of the phase; 0 when unknown
	// Of the last second, and errors since the load began; zero without load.
	RPS      float64 `json:"rps,omitempty"`
	P99      float64 `json:"p99_s,omitempty"`
	Errors   int64   `json:"errors,omitempty"`
	InFlight int     `json:"in_flight,omitempty"`
	// Cores that the target used in the last second, of one that is captured under the traffic that it has; 0 when unknown.
	Cores float64 `json:"cpu_cores,omitempty"`
}
