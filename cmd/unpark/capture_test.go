package main

import (
	"context"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/unpark-go/unpark/internal/measure/target"
)

// confined starts a service under a CPU limit, which it can fill however busy the
// machine is, and puts the address of its probe into an environment variable:
// confined CORES NAME service args….
func confined(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: confined CORES NAME service args…")
	}
	cores, err := strconv.ParseFloat(args[0], 64)
	ts.Check(err)
	path, err := exec.LookPath(filepath.Join(filepath.SplitList(ts.Getenv("PATH"))[0], args[2]))
	ts.Check(err)
	t, err := target.Start(context.Background(), target.Spec{Command: append([]string{path}, args[3:]...), Quota: cores})
	ts.Check(err)
	ts.Defer(func() { _ = t.Stop() })
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		ps, err := t.Processes()
		if err == nil && len(ps) > 0 && ps[0].Socket != "" {
			ts.Setenv(args[1], "unix://"+ps[0].Socket)
			return
		}
	}
	ts.Fatalf("the service has no probe: %s", t.LastOutput())
}

// confines reports whether CPU limits can be set here.
func confines() bool {
	t, err := target.Start(context.Background(), target.Spec{Command: []string{"sleep", "10"}, Quota: 0.5})
	if err != nil {
		return false
	}
	defer func() { _ = t.Stop() }()
	return !strings.HasPrefix(t.Describe().Confinement, "none")
}
