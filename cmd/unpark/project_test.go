package main

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/investigate"
	"github.com/unpark-go/unpark/internal/project"
)

// commandLine is what a command makes of flags and a project file.
type commandLine struct {
	plan    unpark.Plan
	adopted adopted
	config  investigate.Config
}

// parsed gives `run` its flags and the file.
func parsed(t *testing.T, file string, args ...string) (commandLine, error) {
	t.Helper()
	f, err := project.Read(filepath.FromSlash("up/unpark.yaml"), []byte(file))
	if err != nil {
		t.Fatal(err)
	}
	var l loadFlags
	var tf targetFlags
	c := newVersion(streams{}) // any command: only its flags are used
	l.register(c)
	l.registerCommand(c)
	tf.register(c, true)
	if err := c.ParseFlags(args); err != nil {
		t.Fatal(err)
	}
	a, err := adopt(f, &l, &tf, c.Flags().Args())
	if err != nil {
		return commandLine{}, err
	}
	plan, err := l.plan(t.Context())
	if err != nil {
		return commandLine{}, err
	}
	config := tf.config(a.args, plan)
	a.apply(&config)
	return commandLine{plan, a, config}, nil
}

const shopFile = `package: ./cmd/shop
args: [-addr, ":80"]
environment: {LEVEL: warn, TOKEN: "${UNPARK_PROJECT_TEST}"}
urls:
  - 3*http://127.0.0.1:80/a
  - {url: http://127.0.0.1:80/b, method: PUT, body: "t=${UNPARK_PROJECT_TEST}", expect: 404}
headers: {Authorization: "Bearer ${UNPARK_PROJECT_TEST}", Accept: x}
rate: 50/s
connections: 9
cpus: 0.5
duration: 4s
warmup: 0s
`

// TestFileAlone: without a flag the file says everything.
func TestFileAlone(t *testing.T) {
	t.Setenv("UNPARK_PROJECT_TEST", "secret")
	got, err := parsed(t, shopFile)
	if err != nil {
		t.Fatal(err)
	}
	c, p := got.config, got.plan
	if c.Package != "./cmd/shop" || strings.Join(c.Command, " ") != "-addr :80" || c.WorkDir != "up" || c.Quota != 0.5 || strings.Join(c.Env, " ") != "LEVEL=warn TOKEN=secret" {
		t.Errorf("target: %+v", c)
	}
	if p.Mode != unpark.Constant || p.RateRPS != 50 || p.Connections != 9 || p.Duration != 4 || p.Warmup != 0 || len(p.Requests) != 2 {
		t.Fatalf("plan: %+v", p)
	}
	a, b := p.Requests[0], p.Requests[1]
	if a.Weight != 3 || a.Method != "GET" || a.Header["Authorization"][0] != "Bearer secret" {
		t.Errorf("first: %+v", a)
	}
	if b.Method != "PUT" || string(b.Body) != "t=secret" || b.Expect[0] != 404 {
		t.Errorf("second: %+v", b)
	}
	// What comes from the environment is in no field that documents have.
	for _, text := range append(c.Command, a.URL, b.URL, c.Package) {
		if strings.Contains(text, "secret") {
			t.Errorf("a secret in %q", text)
		}
	}
}

// TestFlagsWin: each flag wins over its key; a target of the command line over the
// file's target, arguments and environment.
func TestFlagsWin(t *testing.T) {
	t.Setenv("UNPARK_PROJECT_TEST", "secret")
	for _, c := range []struct {
		args  string
		check func(commandLine) bool
	}{
		{"--rate 7/s", func(c commandLine) bool { return c.plan.RateRPS == 7 && c.plan.Connections == 9 }},
		{"--sweep 1,2", func(c commandLine) bool { return c.plan.Mode == unpark.Sweep && c.plan.RateRPS == 0 }},
		{"-c 3", func(c commandLine) bool { return c.plan.Connections == 3 && c.plan.RateRPS == 50 }},
		{"-d 9s --warmup 1s", func(c commandLine) bool { return c.plan.Duration == 9 && c.plan.Warmup == 1 }},
		{"--cpus 2", func(c commandLine) bool { return c.config.Quota == 2 }},
		{"--url http://127.0.0.1:81/c", func(c commandLine) bool {
			return len(c.plan.Requests) == 1 && c.plan.Requests[0].URL == "http://127.0.0.1:81/c" && c.plan.Requests[0].Header["Accept"][0] == "x"
		}},
		{"-H accept:y", func(c commandLine) bool {
			h := c.plan.Requests[0].Header
			return len(h) == 2 && len(h["Accept"]) == 0 && h["accept"][0] == "y"
		}},
		{"-X POST", func(c commandLine) bool {
			return c.plan.Requests[0].Method == "POST" && c.plan.Requests[1].Method == "POST"
		}},
		{"-- ./other -x", func(c commandLine) bool {
			return c.config.Package == "" && len(c.config.Command) == 2 && len(c.config.Env) == 0 && c.config.WorkDir == "" && len(c.plan.Requests) == 2
		}},
		{"--pkg ./other -- -x", func(c commandLine) bool {
			return c.config.Package == "./other" && len(c.config.Command) == 1 && len(c.config.Env) == 0 && c.config.WorkDir == ""
		}},
		{"--pprof http://127.0.0.1:6060", func(c commandLine) bool { return c.config.Package == "" && len(c.config.Command) == 0 }},
	} {
		got, err := parsed(t, shopFile, strings.Fields(c.args)...)
		if err != nil || !c.check(got) {
			t.Errorf("%s: %v, %+v, %+v", c.args, err, got.plan, got.config)
		}
	}
}

// TestPaths: paths wait for the port that the service opens.
func TestPaths(t *testing.T) {
	got, err := parsed(t, "package: .\nurls: [/a, 2*POST /b]\n")
	if err != nil || len(got.plan.Requests) != 0 || got.config.Prepare == nil {
		t.Fatalf("%v, %+v", err, got.plan)
	}
	plan, err := got.config.Prepare(context.Background(), "http://127.0.0.1:5", got.plan)
	if err != nil || len(plan.Requests) != 2 || plan.Requests[0].URL != "http://127.0.0.1:5/a" || plan.Requests[1].Method != "POST" || plan.Requests[1].Weight != 2 {
		t.Errorf("%v, %+v", err, plan.Requests)
	}
}

// TestHeadersStayHome: headers of the file may hold secrets. They go to this machine
// and to the hosts that the file names, and nowhere else.
func TestHeadersStayHome(t *testing.T) {
	f, err := project.Read("f", []byte("urls: [http://10.0.0.5/a]\nheaders: {A: b}\n"))
	if err != nil {
		t.Fatal(err)
	}
	l := loadFlags{project: f}
	for address, want := range map[string]int{"http://10.0.0.5:81/": 1, "http://localhost/": 1, "http://127.0.0.2/": 1, "unix:///run/a.sock:/b": 1, "http://10.0.0.6/": 0, "http://example.com/": 0} {
		if got, err := l.fileHeaders(address); err != nil || len(got) != want {
			t.Errorf("%s: %v, %v", address, got, err)
		}
	}
}

// TestNoSecret: a variable that is not set is an error with its place and name.
func TestNoSecret(t *testing.T) {
	_, err := parsed(t, "package: .\nheaders: {A: '${UNPARK_PROJECT_UNSET}'}\nurls: [http://127.0.0.1/]\n")
	if err == nil || !strings.Contains(err.Error(), "unpark.yaml:2:14: ${UNPARK_PROJECT_UNSET}: the environment has no UNPARK_PROJECT_UNSET") {
		t.Errorf("%v", err)
	}
	t.Setenv("UNPARK_PROJECT_UNSET", "a\r\nX: y")
	_, err = parsed(t, "package: .\nheaders: {A: '${UNPARK_PROJECT_UNSET}'}\nurls: [http://127.0.0.1/]\n")
	if err == nil || !strings.Contains(err.Error(), "has a line break in it") || strings.Contains(err.Error(), "X: y") {
		t.Errorf("%v", err)
	}
}

// TestRevisionOrCommand: an arm that is one word and no program is a revision of the
// file's package.
func TestRevisionOrCommand(t *testing.T) {
	for arm, want := range map[string]bool{"": false, "main": false, "v1.2.3": false, ".": false, "GOGC=100 ./x": true, "/bin/sh": true} {
		if got := isCommand(arm); got != want {
			t.Errorf("%q: %v", arm, got)
		}
	}
}
