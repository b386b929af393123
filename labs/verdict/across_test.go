package verdict

import (
	"io"
	"maps"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/rota"
	"github.com/unpark-go/unpark/internal/store"
	"github.com/unpark-go/unpark/labs/expect"
	"github.com/unpark-go/unpark/labs/score/arms"
)

// TestAcross runs one or two arms of two services a day, for one short window: which service is named
// does not depend on what else the machine does; forecasts do, and are not held here.
func TestAcross(t *testing.T) {
	lab, err := expect.Read("../across/expect.yaml")
	if err != nil {
		t.Fatal(err)
	}
	names := slices.Sorted(maps.Keys(lab.Arms))
	for i, name := range names {
		t.Run(name, func(t *testing.T) {
			if !rota.Long(i%7, 7) {
				t.Skip("its turn is another day")
			}
			root, err := filepath.Abs("../..")
			if err != nil {
				t.Fatal(err)
			}
			bench, err := arms.Tree{Root: root, Labs: []expect.Lab{lab}}.Build(t.Context(), filepath.Join(folder, "across-bin"), "", io.Discard)
			if err != nil {
				t.Fatal(err)
			}
			dir := filepath.Join(t.TempDir(), "run")
			arm := lab.Arms[name].Unforecast()
			res, err := bench.Run(t.Context(), arms.Request{
				Lab: lab, Arm: arm, Dir: dir,
				Settings: arms.Settings{Window: 2 * time.Second, Warmup: time.Second, Trace: time.Second, Most: time.Minute},
			}, io.Discard)
			if err != nil {
				t.Fatal(err)
			}
			run, _, err := store.Open(dir)
			if err != nil {
				t.Fatalf("%v: %s", err, res.Said)
			}
			if run.IsVoid() || busy(run) {
				t.Skipf("the machine says nothing of it: %v %s", run.Void, run.Limit.Why)
			}
			for _, wrong := range arm.Check(run) {
				t.Error(wrong)
			}
		})
	}
}

// busy reports that others had the processors.
func busy(run unpark.Run) bool {
	return slices.ContainsFunc(run.Warnings, func(n unpark.Notice) bool { return n.Code == "busy-host" })
}
