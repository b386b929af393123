//go:build unix

package main

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/unpark-go/unpark/internal/measure/dump"
	"github.com/unpark-go/unpark/internal/measure/window"
)

// TestWatchScripts runs scripts against the programs of package dump, which have
// one thing right or wrong with their goroutines: $TARGET -do NAME.
func TestWatchScripts(t *testing.T) {
	t.Parallel()
	target := filepath.Join(t.TempDir(), "target")
	build := exec.Command("go", "build", "-o", target, ".")
	build.Dir = filepath.FromSlash("../../internal/measure/dump/testdata/target")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "watch"),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Condition:           condition,
		Setup: func(e *testscript.Env) error {
			dir, err := os.MkdirTemp("", "u") // short, for sockets
			if err != nil {
				return err
			}
			e.Defer(func() { os.RemoveAll(dir) })
			e.Setenv("TMPDIR", dir)
			e.Setenv("TARGET", target)
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "interrupt": interrupt, "target": startTarget, "address": address},
	})
}

// startTarget starts a scenario and puts its address into a variable, and its number into
// VAR_PID: target VAR -do NAME.
func startTarget(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: target VAR -do NAME")
	}
	out := ts.MkAbs(args[0] + ".address")
	f, err := os.Create(out)
	ts.Check(err)
	cmd := exec.Command(ts.Getenv("TARGET"), args[1:]...)
	cmd.Stdout = f
	ts.Check(cmd.Start())
	ts.Check(f.Close())
	ts.Defer(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	ts.Setenv(args[0]+"_PID", strconv.Itoa(cmd.Process.Pid))
	address(ts, false, []string{out, args[0]})
}

func TestWatchFlags(t *testing.T) {
	url := []string{"http://127.0.0.1:6060"}
	for _, test := range []struct {
		name string
		w    watchFlags
		want string // in the error; empty for none
	}{
		{"defaults", watchFlags{pprof: url, every: watchEvery, length: watchFor}, ""},
		{"three dumps", watchFlags{pprof: url, every: time.Second, count: 3, length: watchFor}, ""},
		{"just three dumps", watchFlags{pprof: url, every: 5 * time.Second, length: 10 * time.Second}, ""},
		{"no endpoint", watchFlags{every: watchEvery, length: watchFor}, "watch what?"},
		{"no time", watchFlags{pprof: url, length: watchFor}, "--every 0s"},
		{"two dumps", watchFlags{pprof: url, every: time.Second, count: 2}, "it takes 3 dumps"},
		{"less than no dump", watchFlags{pprof: url, every: time.Second, count: -1}, "it takes 3 dumps"},
		{"too short", watchFlags{pprof: url, every: 10 * time.Second, length: 15 * time.Second}, "watch for 20s or take one every 7.5s"},
	} {
		err := test.w.check()
		var s status
		switch {
		case test.want == "" && err != nil:
			t.Errorf("%s: %v", test.name, err)
		case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)):
			t.Errorf("%s: error %v, want %q", test.name, err, test.want)
		case err != nil && (!errors.As(err, &s) || s.code != exitUsage):
			t.Errorf("%s: status of %v", test.name, err)
		}
	}
}

func TestWatchEvent(t *testing.T) {
	e := watchEvent(dump.Event{Dump: 2, Of: 7, Goroutines: 12345, Took: 1234567, Next: 10 * time.Second})
	if e.Phase != "dump 2/7" || e.Detail != "12,345 goroutines in 1.23ms, the next one in 10s" {
		t.Errorf("%+v", e)
	}
}

// TestWatchSourcesAreClosed: a wrong address among right ones leaves nothing open.
func TestWatchSourcesAreClosed(t *testing.T) {
	_, stop, err := watchSources(context.Background(), []string{"ftp://x"}, true)
	stop()
	var s status
	if !errors.As(err, &s) || s.code != exitUsage {
		t.Errorf("error %v", err)
	}
}

// TestWatchAsksNoCrowd: a process that would stand still for its dump is not asked for one, and the
// error says what to do.
func TestWatchAsksNoCrowd(t *testing.T) {
	for _, c := range []struct {
		row  string
		want string // in the error; empty: it is asked
	}{
		{"<td>200000</td><td><a href='goroutine?debug=1'>goroutine</a></td>", "--pid"},
		{"<td>2000</td><td><a href='goroutine?debug=1'>goroutine</a></td>", ""},
		{"nothing that is known", ""},
	} {
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/debug/pprof/" {
				_, _ = w.Write([]byte(c.row))
			} else {
				_, _ = w.Write([]byte("goroutine 1 [running]:\n"))
			}
		}))
		e, err := window.NewEndpoint(srv.URL, "")
		if err != nil {
			t.Fatal(err)
		}
		dumped, err := watchSource(e, false).Stacks(t.Context())
		if c.want == "" && (err != nil || len(dumped) == 0) || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %q, %v", c.row, dumped, err)
		}
		e.Close()
		srv.Close()
	}
}
