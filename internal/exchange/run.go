package exchange

import (
	"cmp"
	"fmt"
	"io"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/store"
)

// OfRun are the profiles of a run directory as they are, for another system. Execution traces are none. Service is what it is to be
// called there; "" for the name that the run has for its target.
func OfRun(dir, service string) (Set, error) {
	run, folder, err := store.Open(dir)
	if err != nil {
		return Set{}, err
	}
	s := Set{Service: cmp.Or(service, run.Target.Name(), "unknown_service"), Run: run.ID}
	for i, w := range run.Windows {
		for _, p := range w.Profiles {
			if p.Kind == unpark.KindTrace || p.State != unpark.Present {
				continue
			}
			data, err := contents(folder, p.File)
			if err == nil && len(data) > maxMessage {
				err = fmt.Errorf("it is larger than %d MB", maxMessage>>20)
			}
			if err != nil {
				return s, fmt.Errorf("export %s of %s: %w", p.File, dir, err)
			}
			s.Profiles = append(s.Profiles, Profile{Kind: p.Kind, Name: p.File, PID: p.PID, Window: i + 1, Data: data})
		}
	}
	if len(s.Profiles) == 0 {
		return s, fmt.Errorf("export %s: no profile is in it", dir)
	}
	return s, nil
}

func contents(folder, name string) ([]byte, error) {
	f, err := store.File(folder, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxMessage+1))
}
