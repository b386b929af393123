package unpark

// Precision is how well the p99 of a load's response is known, where the plan asks for it
// (Plan.P99Within).
type Precision struct {
	Asked   float64  `json:"asked"`   // half of the interval's width, as a share of the p99
	Reached Number   `json:"reached"` // the same as it came out; unknown of too few answers
	P99     Quantity `json:"p99_s"`   // with its 90 % interval
	// Steady says that neither median nor p99 had a trend when the window began; Settled
	// is for how long the load went on after its warm-up until then.
	Steady  bool    `json:"steady"`
	Settled float64 `json:"settled_s"`
	// Inflation is how much more the number of slow answers varies from second to second
	// than if each were slow by itself: 1 where they come alone, more where they come
	// together.
	Inflation float64 `json:"inflation"`
}
