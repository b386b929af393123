package guard

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"time"

	"github.com/unpark-go/unpark/internal/store"
)

// Catches are named by their time, so that the oldest is the first by name.
const (
	catchPrefix = "guard-"
	catchTime   = "20060102-150405.000"
)

var catchName = regexp.MustCompile(`^guard-\d{8}-\d{6}\.\d{3}(\.partial)?$`)

func nameOf(at time.Time) string { return catchPrefix + at.Format(catchTime) }

// prune removes the oldest catches of a guard in a folder beyond keep, and returns them. A catch
// is a folder with a catch's name whose run document says that this guard made it; nothing
// else is touched.
func prune(folder, guard string, keep int) (removed []string, err error) {
	if keep <= 0 {
		return nil, nil
	}
	mine, err := catchesIn(folder, guard)
	if err != nil {
		return nil, err
	}
	for _, path := range mine[:max(0, len(mine)-keep)] {
		if err := os.RemoveAll(path); err != nil {
			return removed, fmt.Errorf("remove the oldest catch %s: %w: remove it yourself, or keep more (--keep)", path, err)
		}
		removed = append(removed, path)
	}
	return removed, nil
}

// catchesIn lists those of a guard, the oldest first.
func catchesIn(folder, guard string) ([]string, error) {
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("look for older catches in %s: %w", folder, err)
	}
	var out []string
	for _, e := range entries {
		if !e.IsDir() || !catchName.MatchString(e.Name()) { // a link is no folder
			continue
		}
		path := filepath.Join(folder, e.Name())
		run, _, err := store.Open(path)
		if err != nil || run.Trigger == nil || run.Trigger.Guard != guard {
			continue
		}
		out = append(out, path)
	}
	slices.Sort(out)
	return out, nil
}
