//go:build unix

package main

import (
	"encoding/json"
	"errors"
	"math"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/load/selfcheck"
	"github.com/unpark-go/unpark/internal/report"
)

// loaddoc checks the load document on the last standard output: its keys, that
// its counts agree, and how many levels it has: loaddoc LEVELS.
func loaddoc(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: loaddoc LEVELS")
	}
	dec := json.NewDecoder(strings.NewReader(ts.ReadFile("stdout")))
	dec.DisallowUnknownFields()
	var r report.LoadRun
	ts.Check(dec.Decode(&r))
	if dec.More() {
		ts.Fatalf("there is something behind the document")
	}
	if r.Schema != unpark.SchemaLoad || r.Void == nil || r.Warnings == nil || r.Load.Status == nil || r.Load.ErrorKinds == nil {
		ts.Fatalf("schema %q, void %v, warnings %v, status %v", r.Schema, r.Void, r.Warnings, r.Load.Status)
	}
	if strconv.Itoa(len(r.Levels)) != args[0] {
		ts.Fatalf("%d levels, want %s", len(r.Levels), args[0])
	}
	l := r.Load
	if want := float64(l.Requests) / l.Seconds; l.Seconds <= 0 || math.Abs(l.AchievedRPS-want) > 0.01*want {
		ts.Fatalf("%d requests in %g s are no %g/s", l.Requests, l.Seconds, l.AchievedRPS)
	}
}

// halt starts a command, stops it for a second when its standard error matches,
// lets it go on and checks the exit status: halt PATTERN STATUS command args….
func halt(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: halt PATTERN STATUS command args…")
	}
	path, err := exec.LookPath(filepath.Join(filepath.SplitList(ts.Getenv("PATH"))[0], args[2]))
	ts.Check(err)
	cmd := exec.Command(path, args[3:]...)
	cmd.Dir, cmd.Env = ts.MkAbs("."), []string{"PATH=" + ts.Getenv("PATH"), "TMPDIR=" + ts.Getenv("TMPDIR")}
	seen := &watcher{pattern: regexp.MustCompile(args[0]), found: make(chan struct{})}
	cmd.Stdout, cmd.Stderr = seen, seen
	ts.Check(cmd.Start())
	finished := make(chan error, 1)
	go func() { finished <- cmd.Wait() }()
	select {
	case <-seen.found:
	case err := <-finished:
		ts.Fatalf("it ended before %q was seen: %v\n%s", args[0], err, seen)
	}
	ts.Check(cmd.Process.Signal(syscall.SIGSTOP))
	time.Sleep(time.Second) // the length of the stop is what is tested
	ts.Check(cmd.Process.Signal(syscall.SIGCONT))
	<-finished
	if got := strconv.Itoa(cmd.ProcessState.ExitCode()); got != args[1] {
		ts.Fatalf("exit status %s, want %s\n%s", got, args[1], seen)
	}
	ts.Logf("%s", seen)
}

func TestRoom(t *testing.T) {
	ports := func(text string) room {
		low, high := parsePorts(text)
		return room{files: unpark.Num(1024), low: low, high: high}
	}
	usual := ports("32768\t60999\n")
	two := []unpark.Request{{URL: "http://127.0.0.1:1/a"}, {URL: "http://127.0.0.1:1/b"}, {URL: "http://127.0.0.1:2/"}}
	for _, test := range []struct {
		name string
		room room
		plan unpark.Plan
		says string
	}{
		{"enough", usual, unpark.Plan{Connections: 992}, ""},
		{"one too many", usual, unpark.Plan{Connections: 993}, "993 connections .* use at most 992 .*ulimit -Hn 1025"},
		{"two addresses", usual, unpark.Plan{Connections: 496, Requests: two}, ""},
		{"two addresses, one too many", usual, unpark.Plan{Connections: 497, Requests: two}, "use at most 496"},
		{"by default", usual, unpark.Plan{Mode: unpark.Constant}, ""},
		{"a sweep", usual, unpark.Plan{Mode: unpark.Sweep, Levels: []float64{1, 2000, 3}}, "2000 connections"},
		{"a sweep over rates", usual, unpark.Plan{Mode: unpark.Sweep, Levels: []float64{20000, 40000}, LevelsIn: unpark.LevelsInRate}, ""},
		{"a sweep over rates, bounded", usual, unpark.Plan{Mode: unpark.Sweep, Connections: 993, Levels: []float64{1, 2}, LevelsIn: unpark.LevelsInRate}, "993 connections"},
		{"too few for the default", room{files: unpark.Num(131)}, unpark.Plan{Mode: unpark.Poisson, RateRPS: 5}, "100 connections"},
		{"sockets need no ports", ports("100 199"), unpark.Plan{Connections: 496, Requests: []unpark.Request{{URL: "unix:///a:/x"}, {URL: "unix:///a:/y"}, {URL: "unix:///b:/x"}}}, ""},
		{"two sockets, too many files", usual, unpark.Plan{Connections: 497, Requests: []unpark.Request{{URL: "unix:///a:/x"}, {URL: "unix:///a:/y"}, {URL: "unix:///b:/x"}}}, "use at most 496"},
		{"a socket and a port", ports("100 199"), unpark.Plan{Connections: 101, Requests: []unpark.Request{{URL: "unix:///a:/x"}, {URL: "http://h/"}}}, "towards one address"},
		{"few ports", ports("100 199"), unpark.Plan{Connections: 101}, "has 100 towards one address .*sysctl -w"},
		{"just enough ports", ports("100 199"), unpark.Plan{Connections: 100}, ""},
		{"unreadable", ports("all of them"), unpark.Plan{Connections: 900}, ""},
		{"wrong order", ports("199 100"), unpark.Plan{Connections: 900}, ""},
		{"unknown", room{}, unpark.Plan{Connections: 1e6}, ""},
	} {
		err := test.room.check(test.plan)
		if test.says == "" {
			if err != nil {
				t.Errorf("%s: %v", test.name, err)
			}
			continue
		}
		var s status
		if !errors.As(err, &s) || s.code != exitUsage || !regexp.MustCompile(test.says).MatchString(err.Error()) {
			t.Errorf("%s: %v, want %q", test.name, err, test.says)
		}
	}
	if here := roomHere(); here.files.Or(0) < 10 {
		t.Errorf("this machine allows %v open files", here.files)
	}
}

func TestChoose(t *testing.T) {
	level := func(n int, rps float64, void ...unpark.Notice) report.LoadLevel {
		return report.LoadLevel{Level: unpark.Level{Connections: n}, Void: void, Load: unpark.Load{AchievedRPS: rps}}
	}
	bad := unpark.Notice{Code: "generator-cpu"}
	for _, test := range []struct {
		name   string
		levels []report.LoadLevel
		best   float64
		void   bool
		warned bool
	}{
		{"one", []report.LoadLevel{level(1, 5)}, 5, false, false},
		{"the middle", []report.LoadLevel{level(1, 5), level(2, 9), level(4, 8)}, 9, false, false},
		{"void is faster", []report.LoadLevel{level(1, 5), level(2, 9), level(4, 12, bad)}, 9, false, true},
		{"void comes first", []report.LoadLevel{level(1, 50, bad), level(2, 9), level(4, 8)}, 9, false, true},
		{"all void", []report.LoadLevel{level(1, 5, bad), level(2, 9, bad)}, 9, true, false},
	} {
		r := report.LoadRun{Plan: unpark.Plan{Mode: unpark.Sweep}, Levels: test.levels}
		choose(&r, make([][]unpark.Notice, len(test.levels)))
		if r.Load.AchievedRPS != test.best || len(r.Void) > 0 != test.void || len(r.Warnings) > 0 != test.warned || len(r.Levels) != len(test.levels) {
			t.Errorf("%s: %g/s, void %v, warnings %v", test.name, r.Load.AchievedRPS, r.Void, r.Warnings)
		}
	}
}

func TestConcluded(t *testing.T) {
	void := []unpark.Notice{{Message: "late"}}
	for _, test := range []struct {
		name string
		run  report.LoadRun
		err  error
		want int
	}{
		{"measured", report.LoadRun{Load: unpark.Load{Requests: 1}}, nil, exitOK},
		{"void", report.LoadRun{Load: unpark.Load{Requests: 1}, Void: void}, nil, exitVoid},
		{"void and nothing sent", report.LoadRun{Void: void}, nil, exitVoid},
		{"nothing sent", report.LoadRun{Load: unpark.Load{Errors: 3, ErrorSample: "refused"}}, nil, exitFailed},
		{"nothing yet", report.LoadRun{}, nil, exitFailed},
		{"interrupted", report.LoadRun{Load: unpark.Load{Requests: 1}, Void: void}, errors.New("interrupted"), exitFailed},
	} {
		err := concluded(test.run, test.err)
		got, s := exitOK, status{}
		if errors.As(err, &s) {
			got = s.code
		} else if err != nil {
			got = exitFailed
		}
		if got != test.want {
			t.Errorf("%s: exit status %d (%v), want %d", test.name, got, err, test.want)
		}
	}
}

func TestSelfcheckLines(t *testing.T) {
	checks := []selfcheck.Check{
		{Name: "stall, open: requests", Asked: unpark.Between(20000, 19900, 20100, "count", 0), Measured: unpark.Measured(20001, "count", 20001), Verdict: selfcheck.Pass},
		{Name: "stall, open: response p90", Asked: unpark.Between(0.5, 0.485, 0.515, "s", 0), Measured: unpark.Measured(0.5132, "s", 20000), Verdict: selfcheck.Pass},
		{Name: "pacing: lag p50", Asked: unpark.Quantity{Unit: "s", High: unpark.Num(50e-6)}, Measured: unpark.Measured(84e-6, "s", 5000), Verdict: selfcheck.Busy, Note: "1.68 times what is asked; other work used 0.70 of 2 cores"},
		{Name: "pacing: lag p99", Asked: unpark.Quantity{Unit: "s"}, Measured: unpark.Measured(1.56e-3, "s", 5000), Verdict: selfcheck.Told},
		{Name: "pacing: response ÷ inside, p50", Asked: unpark.Quantity{Unit: "ratio", High: unpark.Num(1.2)}, Verdict: selfcheck.Fail, Note: "no request was answered"},
	}
	var b strings.Builder
	if err := printChecks(&b, checks, false); err != nil {
		t.Fatal(err)
	}
	const want = `
stall, open: requests                    20,000 ± 0.5 %       20,001  pass
stall, open: response p90                  500 ms ± 3 %       513 ms  pass
pacing: lag p50                                 ≤ 50 µs        84 µs  busy
  1.68 times what is asked; other work used 0.70 of 2 cores
pacing: lag p99                                              1.56 ms
pacing: response ÷ inside, p50                ≤ 1.200 ×            ~  fail
  no request was answered
`
	if got := "\n" + b.String(); got != want {
		t.Errorf("got%s\nwant%s", got, want)
	}
	for v, want := range map[float64]string{1.2345: "1.234 s", 0.99991: "1.000 s", 0.9994: "999 ms", 0.0999: "99.9 ms", 0.00099999: "1 ms", 0.0000205: "20.5 µs"} {
		if got := amount(unpark.Num(v), "s"); got != want {
			t.Errorf("%g s prints as %q, want %q", v, got, want)
		}
	}
	for n, code := range map[int]int{2: exitOK, 4: exitVoid, 5: exitFailed} {
		var s status
		err := verdict(checks[:n])
		if errors.As(err, &s); s.code != code && (code != exitFailed || err == nil) {
			t.Errorf("of the first %d: %v, want exit status %d", n, err, code)
		}
	}
}
