package investigate

import (
	"errors"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
)

// TestFlamesOfAService: what is drawn of a service that was captured beside the target is of its own profiles.
func TestFlamesOfAService(t *testing.T) {
	dir := t.TempDir()
	window := func(folder string, pid int) unpark.Window {
		w := madeWindow(time.Unix(1e9, 0).UTC(), pid)
		w.Load = &unpark.Load{Mode: unpark.Constant, Seconds: 2, Requests: 5000, AchievedRPS: 2500, OfferedRPS: 2500}
		files, err := madeFiles(pid, 10)
		if err != nil {
			t.Fatal(err)
		}
		for i, f := range w.Profiles {
			w.Profiles[i].File = path.Join(folder, f.File)
			at := filepath.Join(dir, filepath.FromSlash(w.Profiles[i].File))
			if body, ok := files[path.Base(f.File)]; ok {
				if err := errors.Join(os.MkdirAll(filepath.Dir(at), 0o700), os.WriteFile(at, body, 0o600)); err != nil {
					t.Fatal(err)
				}
			}
		}
		return w
	}
	run := newRun(Config{Plan: unpark.Plan{Mode: unpark.Constant, RateRPS: 2500, Connections: 8, Duration: 2}})
	run.Windows = []unpark.Window{window("", 7)}
	run.Services = []unpark.Service{{Name: "prices", Window: window("service-prices", 8)}, {Name: "inventory", Window: window("service-inventory", 9)}}
	outcome := Outcome{Run: run, Dir: dir}
	its, other := outcome.FlamesOf("inventory"), outcome.FlamesOf("prices")
	if len(its) < 3 || len(other) != len(its) || reflect.DeepEqual(its, other) {
		t.Errorf("%d and %d flame graphs", len(its), len(other))
	}
	if got := outcome.FlamesOf("nothing"); got != nil {
		t.Errorf("%d flame graphs of a service that is not there", len(got))
	}
	outcome.Run.Flames = its
	if got := outcome.FlamesOf(""); !reflect.DeepEqual(got, its) {
		t.Errorf("%d flame graphs of the target, %d in the run", len(got), len(its))
	}
}
