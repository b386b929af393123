package unpark

import "time"

// SchemaBisect names the version of the document of a bisection. Keys are stable within it.
const SchemaBisect = "unpark.bisect/v1"

// Bisection says which commit on the way from one revision to another changed a metric.
type Bisection struct {
	Schema  string `json:"schema"` // "unpark.bisect/v1"
	Package string `json:"package"`
	Good    string `json:"good"` // hashes
	Bad     string `json:"bad"`
	Metric  string `json:"metric"` // as in Effect
	// Outcome is "found"; "same" where the ends do not differ; "identical" where their programs are byte for byte the
	// same; "unsure" where the search ended before one commit was probable enough.
	Outcome string `json:"outcome"`
	// Why says in a sentence what came of it.
	Why string `json:"why"`
	// Effect is the metric of the commits with the change ÷ the metric of those without it.
	Effect Quantity `json:"effect"`
	// Culprits is the commit, or several in a row that measuring cannot tell apart, because those between do not build or
	// run; with their Probability. None unless Outcome is "found" or "unsure".
	Culprits    []string `json:"culprits"` // hashes
	Probability Number   `json:"probability"`
	Commits     []Commit `json:"commits"` // along first parents, oldest first
	Rounds      int      `json:"rounds"`  // that count
	Builds      int      `json:"builds"`
	Warnings    []Notice `json:"warnings"`
	// Functions are those that cost another amount in the commit that was found than in the one before it, by rounds of
	// these two alone; FunctionsTested is nil where that was not measured.
	Functions       []FunctionChange `json:"functions,omitempty"`
	FunctionsTested *FunctionsTested `json:"functions_tested,omitempty"`
}

// Commit is one step of a history.
type Commit struct {
	Hash  string      `json:"hash"`
	Title string      `json:"title"`
	Time  time.Time   `json:"time"`
	Merge bool        `json:"merge,omitempty"`
	State CommitState `json:"state"`
	Why   string      `json:"why,omitempty"` // of a broken one
	// Rounds of it against the good end, and the ratio of the metric in them, without a correction by others.
	Rounds int      `json:"rounds"`
	Ratio  Quantity `json:"ratio"`
	// Probability that it is the one.
	Probability Number `json:"probability"`
}

// CommitState says what was made of a commit.
type CommitState string

// The states of a commit.
const (
	CommitUnused    CommitState = "unused"    // it changes nothing that the program is built from
	CommitIdentical CommitState = "identical" // its program is byte for byte that of a commit before
	CommitMeasured  CommitState = "measured"
	CommitBroken    CommitState = "broken" // it does not build, or does not run
	CommitSpared    CommitState = "spared" // the answer did not need it
)
