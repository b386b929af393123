package unpark

// Scaling is what the levels of a sweep say about throughput against load.
type Scaling struct {
	// Knee is where the sweep stops paying; nil when that lies outside of it.
	Knee *Knee `json:"knee"`
	// USL is the Universal Scalability Law fitted to a sweep over connections; nil
	// below six levels.
	USL *USL `json:"usl"`
}

// Knee is the level of a sweep from which more load brings less than half of the
// throughput that the first level brought, and longer responses.
type Knee struct {
	Level Level  `json:"level"`
	Text  string `json:"text"` // in words
}

// USL is X(N) = λN ÷ (1 + σ(N−1) + κN(N−1)): Gunther, "Guerrilla Capacity
// Planning", 2007.
type USL struct {
	Lambda  Quantity `json:"lambda"` // req/s of one connection alone
	Sigma   Quantity `json:"sigma"`  // contention: the serial part
	Kappa   Quantity `json:"kappa"`  // coherency: what each pair costs
	Peak    Quantity `json:"peak"`   // connections at the highest throughput; unknown when κ may be 0
	PeakRPS Quantity `json:"peak_rps"`
	// Residual is the relative distance of the levels from the law.
	Residual float64 `json:"residual"`
	// Extrapolates says that the law may be asked about levels that were not
	// measured; Reason says why not.
	Extrapolates bool   `json:"extrapolates"`
	Reason       string `json:"reason,omitempty"`
}

// Search is the highest rate at which a service kept what it promised.
type Search struct {
	SLO string `json:"slo"` // as it was asked for: "p99<50ms,errors<0.1%"
	// Rate is where keeping and breaking are equally likely, with its 90 % interval.
	// Where nothing broke High is unknown: "at least". Where nothing held the value
	// is unknown, and High is the lowest rate that was tried.
	Rate    Quantity `json:"rate"`
	Held    Number   `json:"held_rps"` // the highest rate up to which no probe broke
	Ceiling string   `json:"ceiling"`  // what ended the search: "service", "generator", …
	Why     string   `json:"why"`      // the answer in a sentence
	Probes  []Trial  `json:"probes"`   // in the order of time
}

// Trial is one rate that a search tried.
type Trial struct {
	RateRPS    float64  `json:"rate_rps"`
	Phase      string   `json:"phase"`          // "grow", "bisect", "repeat"
	Void       bool     `json:"void,omitempty"` // no verdict: the generator was the limit
	Holds      bool     `json:"holds"`
	Violations []string `json:"violations"` // what did not hold, in words
	Achieved   float64  `json:"achieved_rps"`
	P99        float64  `json:"p99_s"`
}
