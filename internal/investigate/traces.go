package investigate

import (
	"io"
	"path"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/evidence"
	"github.com/unpark-go/unpark/internal/store"
)

// traceFiles returns the execution traces of a window in a run's folder.
func traceFiles(folder string, w unpark.Window) []evidence.Trace {
	var out []evidence.Trace
	for _, f := range w.Profiles {
		if f.Kind == unpark.KindTrace && f.State == unpark.Present && f.File != "" {
			t := traceFile(folder, f.File)
			// A flight recorder's are numbered; the stretch's own is not.
			t.PID = f.PID
			t.Snapshot = path.Base(f.File) != unpark.KindTrace.File()
			out = append(out, t)
		}
	}
	return out
}

func traceFile(folder, name string) evidence.Trace {
	return evidence.Trace{Name: name, Open: func() (io.ReadCloser, error) { return store.File(folder, name) }}
}
