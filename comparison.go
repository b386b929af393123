package unpark

// Comparison is two arms side by side.
type Comparison struct {
	Schema   string     `json:"schema"` // "unpark.ab/v1"
	Rounds   int        `json:"rounds"`
	Effects  []Effect   `json:"effects"`
	Findings []Changed  `json:"findings"`
	Forecast []Forecast `json:"forecasts"`
	Warnings []Notice   `json:"warnings"`
}

// Effect is the change of one metric, after ÷ before.
type Effect struct {
	Metric  string   `json:"metric"` // "throughput", "p50", "p99", "cpu_per_request", "bytes_per_request", "mean_waiters"
	Before  Quantity `json:"before"`
	After   Quantity `json:"after"`
	Ratio   Quantity `json:"ratio"`
	Verdict string   `json:"verdict"` // "better", "worse", "same"
}

// Changed is what became of one finding.
type Changed struct {
	Finding
	Change string `json:"change"` // "gone", "shrunk", "same", "grown", "new"
}

// Forecast is a prediction beside its outcome.
type Forecast struct {
	Metric    string   `json:"metric"`
	Predicted Quantity `json:"predicted"`
	Measured  Quantity `json:"measured"`
	Inside    bool     `json:"inside"`
}
