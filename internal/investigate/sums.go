package investigate

import (
	"fmt"
	"path"
	"runtime"
	"slices"
	"strconv"

	"golang.org/x/sync/errgroup"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/profile"
	"github.com/unpark-go/unpark/internal/measure/window"
	"github.com/unpark-go/unpark/internal/store"
)

// decoders is how many sums are made at a time: each holds one decoded profile beside its sum, and DESIGN allows 512 MB for
// 128 processes.
const decoders = 4

// sum is profiles of one kind that are read one after the other, always in the same order, into what they add
// up to. No more than one of them is in memory beside it.
type sum struct {
	kind    unpark.Kind
	files   []string
	records []int            // of the files, in the window's document; of snapshots there are none
	errs    []error          // of each file
	out     *profile.Profile // nil: none could be read
}

// readSums reads profiles of a run's folder, several sums at a time.
func readSums(folder string, all []*sum) {
	var group errgroup.Group
	group.SetLimit(min(decoders, runtime.GOMAXPROCS(0)))
	for _, s := range all {
		group.Go(func() error {
			s.read(folder)
			return nil
		})
	}
	_ = group.Wait() // a file that cannot be read is a record of its sum
}

func (s *sum) read(folder string) {
	var m profile.Merger
	s.errs = make([]error, len(s.files))
	read := 0
	for i, name := range s.files {
		if s.errs[i] = readFile(&m, folder, name, s.kind); s.errs[i] == nil {
			read++
		}
	}
	if read > 0 {
		s.out = m.Merged()
	}
}

// readFile adds a profile in a folder, which may come from elsewhere, to a sum.
func readFile(to *profile.Merger, folder, name string, kind unpark.Kind) error {
	f, err := store.File(folder, name)
	if err != nil {
		return fmt.Errorf("read profile: %w", err)
	}
	defer f.Close()
	return to.Read(f, kind, path.Base(name))
}

// decodeFile reads a profile in a folder.
func decodeFile(folder, name string, kind unpark.Kind) (*profile.Profile, error) {
	f, err := store.File(folder, name)
	if err != nil {
		return nil, fmt.Errorf("read profile: %w", err)
	}
	defer f.Close()
	return profile.Decode(f, kind, path.Base(name))
}

// instants are the goroutine snapshots that a window left beside its profiles, a sum for each instant.
func instants(folder, of string, pids map[int]bool) []*sum {
	var numbers []int
	for pid := range pids {
		numbers = append(numbers, pid)
	}
	slices.Sort(numbers)
	var all []*sum
	for i := 0; ; i++ {
		s := &sum{kind: unpark.KindGoroutine}
		for _, pid := range numbers {
			name := path.Join(of, strconv.Itoa(pid), window.SnapshotFile(i))
			if f, err := store.File(folder, name); err == nil {
				_ = f.Close() // nothing was written
				s.files = append(s.files, name)
			}
		}
		if len(s.files) == 0 {
			return all
		}
		all = append(all, s)
	}
}
