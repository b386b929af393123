package unpark

// SchemaBench names the version of the document of benchmarks. Keys are stable within it.
const SchemaBench = "unpark.bench/v1"

// Benchmarks is Go benchmarks of two revisions, run in turns.
type Benchmarks struct {
	Schema  string      `json:"schema"` // "unpark.bench/v1"
	Before  string      `json:"before"` // what the arms are, for a reader
	After   string      `json:"after"`
	Rounds  int         `json:"rounds"` // begun, of each benchmark
	Results []Benchmark `json:"results"`
	// OnlyBefore and OnlyAfter are benchmarks that one of the revisions alone has.
	OnlyBefore []string `json:"only_before,omitempty"`
	OnlyAfter  []string `json:"only_after,omitempty"`
	Warnings   []Notice `json:"warnings"`
}

// Benchmark is one benchmark, or a sub-benchmark, of both revisions.
type Benchmark struct {
	Package string `json:"package"`
	Name    string `json:"name"` // without "Benchmark" and the number of processors
	// Effects are its figures; Metric is their unit: "s/op", "B/op", "allocs/op", or what it reports
	// itself. P is corrected for all benchmarks and units.
	Effects []Effect `json:"effects"`
	// Functions and FunctionsTested are as in a comparison, per operation; nil where it was not profiled.
	Functions       []FunctionChange `json:"functions,omitempty"`
	FunctionsTested *FunctionsTested `json:"functions_tested,omitempty"`
}

// Worse reports whether a figure of any benchmark is worse.
func (b Benchmarks) Worse() bool {
	for _, r := range b.Results {
		for _, e := range r.Effects {
			if e.Verdict == "worse" {
				return true
			}
		}
	}
	return false
}
