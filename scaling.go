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
