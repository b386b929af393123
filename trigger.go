package unpark

import "time"

// Trigger is what a guard was waiting for when it captured a run.
type Trigger struct {
	// Guard is all conditions of the guard: its catches have the same.
	Guard     string    `json:"guard"`
	Condition string    `json:"condition"` // the one that held
	At        time.Time `json:"at"`        // when that was known
	Value     Quantity  `json:"value"`     // then; unknown of a line or a signal
	Line      string    `json:"line,omitempty"`
	// Before is how many seconds of the window lie before At; unknown where there are none.
	Before Number `json:"before_s"`
}
