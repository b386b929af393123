package guard

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/store"
)

// saved writes a run with a name, of a guard, or of none.
func saved(t *testing.T, folder, name, guard string) {
	t.Helper()
	d, err := store.Create(filepath.Join(folder, name))
	if err != nil {
		t.Fatal(err)
	}
	run := unpark.Run{Started: time.Unix(1, 0).UTC()}
	if guard != "" {
		run.Trigger = &unpark.Trigger{Guard: guard}
	}
	if _, err := d.Commit(run); err != nil {
		t.Fatal(err)
	}
}

// TestPrune: the oldest of this guard go, and nothing that is another's, or a person's.
func TestPrune(t *testing.T) {
	folder := t.TempDir()
	day := time.Date(2026, 3, 14, 9, 0, 0, 0, time.UTC)
	name := func(i int) string { return nameOf(day.Add(time.Duration(i) * time.Minute)) }
	for i := range 5 {
		saved(t, folder, name(10+i), "p99>1s")
	}
	stay := []string{name(0), name(1), "guard-notes", "20260314-080000.000", name(2), "guard-20260314-070000.000-mine", name(3)}
	saved(t, folder, stay[0], "cpu>2") // another guard's
	saved(t, folder, stay[1], "")      // no guard's
	saved(t, folder, stay[2], "p99>1s")
	saved(t, folder, stay[3], "p99>1s")
	if err := os.Mkdir(filepath.Join(folder, stay[4]), 0o700); err != nil { // empty
		t.Fatal(err)
	}
	saved(t, folder, stay[5], "p99>1s")
	if err := os.Symlink(filepath.Join(folder, stay[5]), filepath.Join(folder, stay[6])); err != nil {
		t.Fatal(err)
	}
	removed, err := prune(folder, "p99>1s", 3)
	if want := []string{filepath.Join(folder, name(10)), filepath.Join(folder, name(11))}; err != nil || !slices.Equal(removed, want) {
		t.Errorf("removed %v, %v, want %v", removed, err, want)
	}
	for _, s := range append(stay, name(12), name(13), name(14)) {
		if _, err := os.Lstat(filepath.Join(folder, s)); err != nil {
			t.Error(err)
		}
	}
	for _, keep := range []int{0, 3} {
		if removed, err := prune(folder, "p99>1s", keep); len(removed) > 0 || err != nil {
			t.Error(removed, err)
		}
	}
	if removed, err := prune(filepath.Join(folder, "none"), "p99>1s", 1); len(removed) > 0 || err != nil {
		t.Error(removed, err)
	}
}
