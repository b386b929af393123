package investigate

import (
	"cmp"
	"fmt"
	"io"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/exchange"
	"github.com/unpark-go/unpark/internal/store"
)

// largestExport bounds the file of one profile that is sent.
const largestExport = 128 << 20

// Exported are the profiles of a run directory as they are, for another system. Execution traces are none. Service is what it is to be
// called there; "" for the name that the run has for its target.
func Exported(dir, service string) (exchange.Set, error) {
	run, folder, err := store.Open(dir)
	if err != nil {
		return exchange.Set{}, err
	}
	s := exchange.Set{Service: cmp.Or(service, run.Target.Name(), "unknown_service"), Run: run.ID}
	for i, w := range run.Windows {
		for _, p := range w.Profiles {
			if p.Kind == unpark.KindTrace || p.State != unpark.Present {
				continue
			}
			data, err := contents(func() (io.ReadCloser, error) {
				f, err := store.File(folder, p.File)
				if err != nil {
					return nil, err
				}
				return struct {
					io.Reader
					io.Closer
				}{io.LimitReader(f, largestExport+1), f}, nil
			})
			if err == nil && len(data) > largestExport {
				err = fmt.Errorf("it is larger than %d MB", largestExport>>20)
			}
			if err != nil {
				return s, fmt.Errorf("export %s of %s: %w", p.File, dir, err)
			}
			s.Profiles = append(s.Profiles, exchange.Profile{Kind: p.Kind, Name: p.File, PID: p.PID, Window: i + 1, Data: data})
		}
	}
	if len(s.Profiles) == 0 {
		return s, fmt.Errorf("export %s: no profile is in it", dir)
	}
	return s, nil
}
