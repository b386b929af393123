package investigate

import (
	"io"
	"os"
	"path/filepath"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/evidence"
)

// traceFiles returns the execution traces of a window in a run's folder.
func traceFiles(folder string, w unpark.Window) []evidence.Trace {
	var out []evidence.Trace
	for _, f := range w.Profiles {
		if f.Kind == unpark.KindTrace && f.State == unpark.Present && f.File != "" {
			out = append(out, traceFile(filepath.Join(folder, filepath.FromSlash(f.File)), f.File))
		}
	}
	return out
}

func traceFile(path, name string) evidence.Trace {
	return evidence.Trace{Name: name, Open: func() (io.ReadCloser, error) { return os.Open(path) }}
}
