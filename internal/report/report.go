// Package report prints documents for the reader at hand: [Text] and [Color] for a
// terminal, [JSON] for programs, and of a run and a comparison also [Markdown] for a
// pull request and [HTML] as one file to look at and to pass on.
//
// Every form shows the same figures in the same order: why the run is void, if
// it is; what limits the service; what was run; the causes, ranked; the
// processes; warnings. A figure that is not known prints "~". Names that come
// from a profile or from the target are escaped for the form they appear in.
package report

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/unpark-go/unpark"
)

// Document is what can be printed.
type Document interface {
	unpark.Run | unpark.Comparison | unpark.Benchmarks | unpark.Bisection | unpark.Proof | unpark.Watch | unpark.MachineSpeed | LoadRun
}

// JSON writes a document, indented. The schemas are docs/run.schema.json,
// ab.schema.json, bench.schema.json, bisect.schema.json, proof.schema.json, watch.schema.json and load.schema.json.
func JSON[D Document](w io.Writer, d D) error {
	var whole any
	switch d := any(d).(type) {
	case unpark.Run:
		d.Schema = unpark.SchemaRun
		whole = unpark.Document(d)
	case unpark.Comparison:
		d.Schema = unpark.SchemaAB
		whole = unpark.Document(d)
	case unpark.Benchmarks:
		d.Schema = unpark.SchemaBench
		whole = unpark.Document(d)
	case unpark.Bisection:
		d.Schema = unpark.SchemaBisect
		whole = unpark.Document(d)
	case unpark.Proof:
		d.Schema = unpark.SchemaProof
		whole = unpark.Document(d)
	case unpark.Watch:
		whole = d.Document()
	case unpark.MachineSpeed:
		whole = d
	case LoadRun:
		whole = d.document()
	}
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	if err := enc.Encode(whole); err != nil {
		return fmt.Errorf("report: write JSON: %w", err)
	}
	return nil
}
