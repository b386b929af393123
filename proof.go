package unpark

import "time"

// SchemaProof names the version of the document of a proof. Keys are stable within it.
const SchemaProof = "unpark.proof/v1"

// The verdicts of a proof.
const (
	VerdictProven    = "proven"     // a primary metric is better, none is worse, and nothing else of the service changed
	VerdictNotProven = "not proven" // it was measured, or could not be judged, and that is not shown
	VerdictRefused   = "refused"    // what was given is no proof, whatever its figures: Reasons say why
)

// Proof says whether a change of a service is an improvement, and what that is bound to: two trees, one load, the answers
// and the tests of the tree before.
type Proof struct {
	Schema   string      `json:"schema"` // "unpark.proof/v1"
	Started  time.Time   `json:"started"`
	Ended    time.Time   `json:"ended"`
	Unpark   Version     `json:"unpark"`
	Host     Host        `json:"host"`
	Verdict  string      `json:"verdict"`
	Why      string      `json:"why"`     // in a sentence
	Reasons  []Notice    `json:"reasons"` // why it is refused or not proven
	Package  string      `json:"package"`
	Before   ProofTree   `json:"before"`
	After    ProofTree   `json:"after"`
	Plan     Plan        `json:"plan"`    // of every round, completed by the service's address
	HeldTo   []string    `json:"held_to"` // what the plan is not weaker than: the tree before's unpark.yaml, runs
	Tests    ProofTests  `json:"tests"`   // zero when it ended before
	Answers  ProofAsked  `json:"answers"` // zero when it ended before
	Rounds   ProofRounds `json:"rounds"`  // zero when it ended before
	Warnings []Notice    `json:"warnings"`
}

// ProofTree is one of the two trees.
type ProofTree struct {
	Name string `json:"name"` // as it was given: a revision, or a folder
	// Hash is of the content that was built, "git:" with the hash of git's tree object, or "sha256:" over names, modes
	// and contents of all files of a folder that is in no git repository.
	Hash    string `json:"hash"`
	Program string `json:"program_sha256,omitempty"` // of the program that answered and was measured
}

// ProofTests is what the tests of the tree before say of the tree after.
type ProofTests struct {
	Command []string `json:"command"`
	// Before and After count tests that passed; unknown where the command does not say which.
	Before Number   `json:"passed_before"`
	After  Number   `json:"passed_after"`
	Lost   []string `json:"lost"`    // passed before, and not after
	Failed []string `json:"failing"` // failed before already, and count for nothing
	// Replaced are the files of tests that the tree after changed, added or deleted: those of the tree before ran.
	Replaced []string `json:"replaced"`
	Output   string   `json:"output,omitempty"` // the last lines, where it failed
}

// ProofAsked is what the same requests were answered by both arms.
type ProofAsked struct {
	Requests []ProofAnswer `json:"requests"`
	Asked    int64         `json:"asked"`  // of each arm, in all
	Digest   string        `json:"sha256"` // over the requests and the digests of their answers
}

// ProofAnswer is one request of the sample.
type ProofAnswer struct {
	Request    string   `json:"request"` // method and URL, as a plan shows it
	Equal      bool     `json:"equal"`
	Difference string   `json:"difference,omitempty"` // the first that counts
	Varies     []string `json:"varies"`               // what differs between two answers of the arm before, and is not held to equality
	Before     string   `json:"before_sha256"`        // of the first answer
	After      string   `json:"after_sha256"`
}

// ProofRounds is what measuring came to.
type ProofRounds struct {
	File    string   `json:"file"`   // the comparison document, beside this one
	Sum     string   `json:"sha256"` // of it
	Rounds  int      `json:"rounds"`
	Effects []Effect `json:"effects"`
}
