package doctor

import (
	"io/fs"
	"slices"

	"github.com/unpark-go/unpark"
)

// schema names the document.
const schema = "unpark.doctor/v1"

// State is what a reading means for a run.
type State string

// The states.
const (
	OK      State = "ok"
	Warn    State = "warn"    // it works; the figures, or some command, suffer
	Bad     State = "bad"     // it prevents a run
	Unknown State = "unknown" // not to be found out here
)

// Group is what a reading is of.
type Group string

// The groups of readings, in the order in which they are told.
const (
	Machine Group = "machine"
	Target  Group = "target"
	Noise   Group = "noise"
	Works   Group = "works"
)

// Reading is one thing that was looked at.
type Reading struct {
	Group Group         `json:"group"`
	Name  string        `json:"name"`
	State State         `json:"state"`
	Text  string        `json:"text"`           // for people
	Value unpark.Number `json:"value"`          // null where it is no number, or unknown
	Unit  string        `json:"unit,omitempty"` // of Value
	Why   string        `json:"why,omitempty"`  // what it means, where it is not ok
	Cure  string        `json:"cure,omitempty"`
}

// Report is the document.
type Report struct {
	Schema   string         `json:"schema"`
	Unpark   unpark.Version `json:"unpark"`
	Host     unpark.Host    `json:"host"`
	Ready    bool           `json:"ready"` // nothing prevents a run
	Readings []Reading      `json:"readings"`
}

// Conclude sets Ready and puts the readings in the order of their groups.
func (r *Report) Conclude() {
	r.Schema = schema
	order := []Group{Machine, Target, Noise, Works}
	slices.SortStableFunc(r.Readings, func(a, b Reading) int {
		return slices.Index(order, a.Group) - slices.Index(order, b.Group)
	})
	r.Ready = !slices.ContainsFunc(r.Readings, func(r Reading) bool { return r.State == Bad })
}

// Find returns a reading by its group and name; nil when it was not taken.
func (r *Report) Find(group Group, name string) *Reading {
	i := slices.IndexFunc(r.Readings, func(r Reading) bool { return r.Group == group && r.Name == name })
	if i < 0 {
		return nil
	}
	return &r.Readings[i]
}

// Files is where readings are taken.
type Files struct {
	Root fs.FS // holds proc and sys
	// Writable reports whether a file or folder, by its absolute name, may be written.
	Writable func(name string) bool
	// Free returns the bytes that may be written below a folder; unknown where it cannot
	// be told.
	Free func(dir string) unpark.Number
}
