package guard

import (
	"time"

	"github.com/unpark-go/unpark"
)

// Event is something that a guard tells. Unset fields are left out of its JSON.
type Event struct {
	At   time.Time `json:"at"`
	Kind kind      `json:"event"`

	Guard     string           `json:"guard,omitempty"`     // all conditions
	Processes []string         `json:"processes,omitempty"` // of armed
	Flight    bool             `json:"flight_recorder,omitempty"`
	Condition string           `json:"condition,omitempty"` // that fired, or, of Armed, the first
	Value     *unpark.Quantity `json:"value,omitempty"`     // of that condition
	Line      string           `json:"line,omitempty"`      // of the log
	Dir       string           `json:"dir,omitempty"`       // of the catch
	Catch     int              `json:"catch,omitempty"`     // how many there were, with this one
	Limit     *unpark.Limit    `json:"limit,omitempty"`
	Finding   *unpark.Finding  `json:"finding,omitempty"` // the first
	LeftOut   int              `json:"left_out,omitempty"`
	Next      *time.Time       `json:"next,omitempty"` // when there may be a catch again
	Removed   []string         `json:"removed,omitempty"`
	Error     string           `json:"error,omitempty"`
}

// kind is what an event is about.
type kind string

const (
	armed    kind = "armed"    // the target is watched from now on, for the first time or again
	triggers kind = "fired"    // a condition holds: a window is captured
	caught   kind = "caught"   // the window is captured and judged
	leftOut  kind = "left-out" // a condition holds, and the limit is reached
	failed   kind = "failed"   // a catch did not end; what was captured is kept in Dir
	lost     kind = "lost"     // the target does not answer any more
	note     kind = "note"     // something could not be had
	ended    kind = "ended"
)
