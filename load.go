package unpark

// Level is the load at which a window was taken.
type Level struct {
	Connections int     `json:"connections,omitempty"`
	RateRPS     float64 `json:"rate_rps,omitempty"`
}

// SchemaLoad names the version of the load document. Keys are stable within it.
const SchemaLoad = "unpark.load/v1"

// Load is what the generator saw in one stretch of time.
//
// Response counts from the intended start of a request, service from the moment
// it was written, lag is the difference (see Gil Tene, "How NOT to Measure
// Latency"). A closed loop intends a request at the instant it may send it.
type Load struct {
	Mode        Mode             `json:"mode"`
	Seconds     float64          `json:"seconds"`
	OfferedRPS  float64          `json:"offered_rps"`  // intended starts per second; equals achieved in a closed loop
	AchievedRPS float64          `json:"achieved_rps"` // completions within the stretch per second
	Requests    int64            `json:"requests"`     // completed within the stretch
	Errors      int64            `json:"errors"`
	Unfinished  int64            `json:"unfinished"`      // intended in the stretch, still without an answer when it was closed
	Late        int64            `json:"late"`            // sent late for the generator's own reasons (a connection was free)
	Status      map[string]int64 `json:"status"`          // "200": n
	ErrorKinds  map[string]int64 `json:"error_kinds"`     // "refused", "timeout", "reset", "ports", "descriptors", "status", …
	ErrorSample string           `json:"error,omitempty"` // the first error, in words
	Response    Latency          `json:"response_s"`
	Service     Latency          `json:"service_s"`
	Lag         Latency          `json:"lag_s"`
	// OwnLag is the part of Lag that the generator is to blame for: not the wait
	// for a connection that the target had not freed.
	OwnLag Latency `json:"own_lag_s"`
	// GeneratorCPU is the mean number of cores that the generator used.
	GeneratorCPU Number `json:"generator_cpu_cores"`
	// BytesPerResponse is the mean size of an answer's body.
	BytesPerResponse Number `json:"bytes_per_response"`
	// Repeated is the share of sampled answers whose body equalled an earlier
	// answer to the same request: 1 means that nothing ever changes.
	Repeated Number `json:"repeated_share"`
	// Precision is nil unless the plan asks for one.
	Precision *Precision `json:"precision,omitempty"`
	// Beside is how many requests the target answered within the stretch besides, to parts of the load
	// that none of these figures has (Agent.Void); unknown where there is no such part.
	Beside Number `json:"beside_requests,omitzero"`
}

// Answered is how many requests the target answered within the stretch: what it used is that of all of
// them, also of those whose times are in no figure here.
func (l Load) Answered() float64 { return float64(l.Requests) + l.Beside.Or(0) }

// AnsweredRPS is Answered per second of the stretch.
func (l Load) AnsweredRPS() float64 {
	return l.AchievedRPS + Ratio(l.Beside.Or(0), l.Seconds).Or(0)
}

// Attempts is how many requests the figures are of: those that were answered, and
// those that failed without an answer. An answer with an unexpected status is in
// Requests and in Errors, and so is what another generator calls unexpected among the
// requests that it counts; each is one attempt.
func (l Load) Attempts() int64 {
	return max(l.Errors, l.Requests+l.Errors-l.ErrorKinds["status"]-l.ErrorKinds["unexpected"])
}

// FailedShare is Errors over Attempts; unknown of no attempt.
func (l Load) FailedShare() Number { return Ratio(float64(l.Errors), float64(l.Attempts())) }

// Latency summarises one histogram; all times in seconds. N is 0 when nothing
// was recorded, and then the other figures mean nothing.
type Latency struct {
	P50  float64 `json:"p50"`
	P90  float64 `json:"p90"`
	P95  float64 `json:"p95"`
	P99  float64 `json:"p99"`
	P999 float64 `json:"p999"`
	// P9999 is the 99.99th percentile; of fewer than 10 000 values it is their
	// maximum.
	P9999 float64 `json:"p9999"`
	Max   float64 `json:"max"`
	Mean  float64 `json:"mean"`
	Min   float64 `json:"min"`
	N     int64   `json:"n"`
	// Buckets is the distribution for drawing: ascending upper bounds with the
	// number of values at or below each and above the one before.
	Buckets []Bucket `json:"buckets,omitempty"`
}

// Bucket is one bar of a latency distribution.
type Bucket struct {
	Le    float64 `json:"le"` // seconds
	Count int64   `json:"count"`
}

// EnoughAnswered is the part of what an open loop offers below which the target, and
// not chance, keeps the rate down: a run is void below 99.5 % for the generator's own
// reasons, so 2 % is the target's.
const EnoughAnswered = 0.98

// Overloaded reports that an open loop offered more than was answered.
func (l Load) Overloaded() bool {
	return l.Mode.Open() && l.OfferedRPS > 0 && l.AchievedRPS < EnoughAnswered*l.OfferedRPS
}
