package report

import (
	"slices"

	"github.com/unpark-go/unpark"
)

// LoadRun is a load without an investigation: what `unpark load` prints. Its
// schema is docs/load.schema.json.
type LoadRun struct {
	Schema   string          `json:"schema"`
	Plan     unpark.Plan     `json:"plan"`
	Partial  string          `json:"partial,omitempty"` // why the load did not end; empty when it did
	Void     []unpark.Notice `json:"void"`              // not empty: figures are not to be trusted
	Warnings []unpark.Notice `json:"warnings"`
	Agents   []unpark.Agent  `json:"agents,omitempty"` // that drove it together
	// Levels are those of a sweep in the order in which they were measured. Load,
	// Void and Warnings are then those of the level with the highest throughput.
	Levels []LoadLevel `json:"levels,omitempty"`
	// Search is the answer to --slo; Load is then that of the highest rate that held.
	Search *unpark.Search `json:"search,omitempty"`
	// Scaling is what the levels say together; nil below three.
	Scaling *unpark.Scaling `json:"scaling,omitempty"`
	Load    unpark.Load     `json:"load"`
}

// LoadLevel is one level of a sweep.
type LoadLevel struct {
	Level unpark.Level    `json:"level"`
	Void  []unpark.Notice `json:"void"`
	Load  unpark.Load     `json:"load"`
}

// document returns the load as it is written: without null for a list or a map.
func (r LoadRun) document() LoadRun {
	r.Schema = unpark.SchemaLoad
	r.Void, r.Warnings = listed(r.Void), listed(r.Warnings)
	r.Load = mapped(r.Load)
	r.Levels = slices.Clone(r.Levels)
	for i, l := range r.Levels {
		r.Levels[i].Void, r.Levels[i].Load = listed(l.Void), mapped(l.Load)
	}
	return r
}

// listed makes an empty list [], as the schema demands.
func listed(n []unpark.Notice) []unpark.Notice {
	if n == nil {
		return []unpark.Notice{}
	}
	return n
}

// mapped makes empty maps {}.
func mapped(l unpark.Load) unpark.Load {
	if l.Status == nil {
		l.Status = map[string]int64{}
	}
	if l.ErrorKinds == nil {
		l.ErrorKinds = map[string]int64{}
	}
	return l
}
