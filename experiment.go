package unpark

// Experiment is what a finding's site is worth by slowing it down: a delay of known
// length is added there, and the change of the service's speed is extrapolated to
// a delay that is negative by all the time the site takes. It shares nothing with
// the models behind a Prediction, so the two may be held against each other.
//
// Why says why there is no result; the figures are unknown then. Throughput and
// CPUPerRequest are after ÷ before, of a fix that removes the site's time.
type Experiment struct {
	Why   string `json:"why,omitempty"`
	Place Site   `json:"place"`             // where the delay was put
	Where string `json:"where,omitempty"`   // in words: "inside the critical section"
	Calls Number `json:"calls_per_request"` // passes through the place per request
	// Removed is the time of the site that is extrapolated away, s/req: the hold of a
	// lock, the CPU of a function.
	Removed Quantity `json:"removed"`
	Rounds  int      `json:"rounds"`
	Doses   []Slowed `json:"doses"` // ascending, the first without delay
	// Slope is the time between two answers that a second of delay per request adds:
	// 1 where requests pass one at a time, 1 ÷ cores of CPU that is used up, 0 where
	// nobody waits for it.
	Slope Quantity `json:"slope"`
	// Bend is how far the middle dose lies off the line through the others, as a share
	// of the time between two answers; Bent says that this is more than chance.
	Bend Quantity `json:"bend"`
	Bent bool     `json:"bent"`
	// Ceiling is what ends the line before the whole time is removed: "cpu",
	// "connections", "offered"; empty when nothing does.
	Ceiling       string   `json:"ceiling,omitempty"`
	Throughput    Quantity `json:"throughput_ratio"`
	CPUPerRequest Quantity `json:"cpu_per_request_ratio"`
	// Agrees says whether the interval of Throughput meets that of the prediction:
	// "yes", "no", or empty where one of them is unknown.
	Agrees      string   `json:"agrees,omitempty"`
	Assumptions []string `json:"assumptions"`
}

// Slowed is one arm of an experiment, over its rounds.
type Slowed struct {
	PerCall       Number   `json:"delay_per_call_s"` // 0 without delay
	Delay         Quantity `json:"delay"`            // s/req, as the target counted it
	Throughput    Quantity `json:"throughput"`       // req/s
	CPUPerRequest Quantity `json:"cpu_per_request"`  // s/req
}
