// Package report prints a run, and a comparison of two, for the reader at hand:
// [Text] and [Color] for a terminal, [Markdown] for a pull request, [HTML] as one
// file to look at and to pass on, [JSON] for programs.
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

// JSON writes the run document, indented. Its schema is docs/run.schema.json.
func JSON(w io.Writer, r unpark.Run) error {
	r.Schema = unpark.SchemaRun
	return encode(w, unpark.Document(r))
}

func encode(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("report: write JSON: %w", err)
	}
	return nil
}
