package investigate

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"runtime/pprof"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/store"
)

// A diagnosis that is kept opens as a run, with its flame graph, when the files that it was made of are gone.
func TestKeep(t *testing.T) {
	folder := t.TempDir()
	var heap bytes.Buffer
	if err := pprof.WriteHeapProfile(&heap); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(folder, "heap.pb.gz")
	if err := os.WriteFile(file, heap.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	made, err := Diagnose([]string{file}, unpark.Version{})
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "kept")
	kept, err := made.Keep(dir)
	if err != nil || kept.Dir != dir || made.Run.Windows[0].Profiles[0].File != file {
		t.Fatalf("%q, %v; the diagnosis names %s", kept.Dir, err, made.Run.Windows[0].Profiles[0].File)
	}
	if _, err := made.Keep(dir); !errors.Is(err, store.ErrExists) {
		t.Errorf("a second one: %v", err)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	again, err := Open(dir)
	if err != nil || len(again.Run.Flames) == 0 || again.Run.Partial != "" {
		t.Errorf("%d flame graphs, partial %q, %v", len(again.Run.Flames), again.Run.Partial, err)
	}
	other := filepath.Join(t.TempDir(), "other")
	if _, err := made.Keep(other); err == nil {
		t.Error("a file that is gone was kept")
	}
	for _, name := range []string{other, other + ".partial"} {
		if _, err := os.Stat(name); !os.IsNotExist(err) {
			t.Errorf("left behind: %s", name)
		}
	}
}
