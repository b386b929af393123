package arms

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/unpark-go/unpark/labs/expect"
)

// asLab makes the test binary be the service of a lab.
const asLab = "ARMS_TEST_LAB"

func TestMain(m *testing.M) {
	if os.Getenv(asLab) != "" {
		serve()
	}
	os.Exit(m.Run())
}

func serve() {
	addr := flag.String("addr", "", "")
	rate := flag.Float64("rate", 0, "")
	ramp := flag.Float64("ramp", 0, "")
	flag.Usage = func() {}
	flag.Parse()
	http.HandleFunc("/calibration", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, `{"rate_at_rho_095": %g, "ramp_from_rps": 0.5, "ramp_to_rps": %g}`, *rate, *ramp)
	})
	fmt.Fprintln(os.Stderr, http.ListenAndServe(*addr, nil))
	os.Exit(1)
}

// bench has a script in unpark's place, which writes down its arguments.
func bench(t *testing.T, script string) (b *Bench, lab expect.Lab) {
	t.Helper()
	if _, err := os.Stat("/bin/sh"); err != nil {
		t.Skip(err)
	}
	t.Setenv(asLab, "1")
	b = &Bench{root: t.TempDir(), bin: t.TempDir()}
	script = "#!/bin/sh\nprintf '%s\\n' \"$@\" > '" + filepath.Join(b.bin, "said") + "'\n" + script + "\n"
	if err := os.WriteFile(b.unpark(), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	lab = expect.Lab{Name: "shop", Package: "./labs/shop"}
	if err := os.Symlink(os.Args[0], b.binary(lab)); err != nil {
		t.Fatal(err)
	}
	return b, lab
}

func (b *Bench) said(t *testing.T) []string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(b.bin, "said"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(data)), "\n")
}

func settings() Settings {
	return Settings{Window: 4 * time.Second, Warmup: time.Second, Trace: time.Second, Most: time.Minute}
}

// The command line of an arm, and the service beside it that is there before.
func TestRun(t *testing.T) {
	b, lab := bench(t, "echo verdict; echo trouble >&2; exit 4")
	arm := expect.Arm{
		Args: []string{"-ask", "http://{beside}"}, Beside: []string{"-addr", "{beside}"},
		Path: "/item/{1..2}", Load: []string{"--rate", "calibration", "--cpus", "1"},
	}
	var out bytes.Buffer
	res, err := b.Run(t.Context(), Request{Lab: lab, Arm: arm, Rate: "poisson:7/s", Dir: "runs/x", Settings: settings()}, &out)
	if err != nil || res.Exit != 4 || res.Said != "trouble" || out.String() != "verdict\n" {
		t.Errorf("%+v, %v, printed %q", res, err, out.String())
	}
	said := b.said(t)
	at := slices.Index(said, "--")
	if at < 0 || said[at+1] != b.binary(lab) || said[at+2] != "-addr" || !strings.HasPrefix(said[at+5], "http://127.0.0.1:") {
		t.Fatalf("unpark was called with %q", said)
	}
	base := "http://" + said[at+3]
	want := []string{
		"run", "--out", "runs/x", "--duration", "4s", "--warmup", "1s", "--baseline", "0s", "--trace", "1s", "--quiet",
		"--rate", "poisson:7/s", "--cpus", "1", "--url", base + "/item/1", "--url", base + "/item/2",
	}
	if !slices.Equal(said[:at], want) {
		t.Errorf("unpark was called with\n%q, want\n%q", said[:at], want)
	}
}

// A list of requests goes to the service, and a lab without a probe is built by
// unpark.
func TestTargets(t *testing.T) {
	b, lab := bench(t, `while [ "$1" != --targets ]; do shift; done; cat "$2"`)
	lab.Probe = expect.ProbeAdded
	if err := os.MkdirAll(filepath.Join(b.root, lab.Package), 0o700); err != nil {
		t.Fatal(err)
	}
	list := "GET http://127.0.0.1:8080/a\nPOST http://127.0.0.1:8080/b?x=1\n"
	if err := os.WriteFile(filepath.Join(b.root, lab.Package, "mixed.targets"), []byte(list), 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if _, err := b.Run(t.Context(), Request{Lab: lab, Arm: expect.Arm{Targets: "mixed.targets"}, Settings: settings()}, &out); err != nil {
		t.Fatal(err)
	}
	said := b.said(t)
	at := slices.Index(said, "--pkg")
	if at < 0 || said[at+1] != lab.Package || said[at+2] != "--" || said[at+3] != "-addr" {
		t.Fatalf("unpark was called with %q", said)
	}
	if want := strings.ReplaceAll(list, "127.0.0.1:8080", said[at+4]); out.String() != want {
		t.Errorf("the requests are %q, want %q", out.String(), want)
	}
}

// The command line of two arms in turns, at one address, with what is beside both.
func TestRounds(t *testing.T) {
	b, lab := bench(t, "echo outcome; exit 3")
	arm := expect.Arm{
		Args: []string{"-ask", "http://{beside}"}, Beside: []string{"-addr", "{beside}"},
		Path: "/item", Load: []string{"--rate", "calibration", "--duration", "6s", "--cpus", "1"},
	}
	fixed := arm
	fixed.Args = append(slices.Clone(arm.Args), "-say", "it's fixed")
	length := Length{Rounds: 5, Duration: 4 * time.Second, Warmup: time.Second, Most: time.Minute}
	r := Rounds{Lab: lab, Before: arm, After: fixed, Rate: "poisson:7/s", Dir: "rounds/x", Length: length}
	var out bytes.Buffer
	res, err := b.Rounds(t.Context(), r, &out)
	if err != nil || res.Exit != 3 || out.String() != "outcome\n" {
		t.Errorf("%+v, %v, printed %q", res, err, out.String())
	}
	said := b.said(t)
	url := said[slices.Index(said, "--url")+1]
	addr := strings.TrimSuffix(strings.TrimPrefix(url, "http://"), "/item")
	before := said[slices.Index(said, "--before")+1]
	aside := strings.TrimSuffix(before[strings.LastIndex(before, "//")+2:], "'")
	command := "'" + b.binary(lab) + "' '-addr' '" + addr + "' '-ask' 'http://" + aside + "'"
	want := []string{
		"ab", "--out", "rounds/x", "--json", "--scorecard", "none", "--profile-duration", "0s", "--identical", "0",
		"--rounds", "5", "--duration", "6s", "--warmup", "1s", "--quiet", "--rate", "poisson:7/s", "--cpus", "1",
		"--url", "http://" + addr + "/item", "--before", command, "--after", command + ` '-say' 'it'\''s fixed'`,
	}
	if !slices.Equal(said, want) {
		t.Errorf("unpark was called with\n%q, want\n%q", said, want)
	}
	r.After.Load = []string{"--rate", "9/s"}
	if _, err := b.Rounds(t.Context(), r, &out); err == nil || !strings.Contains(err.Error(), "the same load") {
		t.Errorf("arms with another load: %v", err)
	}
}

// Who interrupts is not kept waiting, and nobody takes it for a verdict.
func TestInterrupted(t *testing.T) {
	b, lab := bench(t, "exec sleep 600")
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	if _, err := b.Run(ctx, Request{Lab: lab, Settings: settings()}, &bytes.Buffer{}); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
	short := settings()
	short.Most = 50 * time.Millisecond
	if _, err := b.Run(t.Context(), Request{Lab: lab, Settings: short}, &bytes.Buffer{}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("too long: %v", err)
	}
}

// A server beside that ends before it listens is an error, with what it said.
func TestBesideFails(t *testing.T) {
	b, lab := bench(t, "")
	arm := expect.Arm{Beside: []string{"-addr", "{beside}", "-nonsense"}}
	_, err := b.Run(t.Context(), Request{Lab: lab, Arm: arm, Settings: settings()}, &bytes.Buffer{})
	if err == nil || !strings.Contains(err.Error(), "ended before it listened") || !strings.Contains(err.Error(), "nonsense") {
		t.Errorf("%v", err)
	}
}

func TestRate(t *testing.T) {
	b, lab := bench(t, "")
	for want, args := range map[string][]string{
		"poisson:407/s":  {"-rate", "407.3"},
		"ramp:1..90/4s":  {"-ramp", "90"},
		"has no rate in": nil,
	} {
		got, err := b.Rate(t.Context(), lab, expect.Arm{Args: args}, settings(), &bytes.Buffer{})
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, want) {
			t.Errorf("%v: %q, want %q", args, got, want)
		}
	}
}

// The fingerprint follows what is run, and nothing else.
func TestFingerprint(t *testing.T) {
	b, lab := bench(t, "")
	of := func(arm expect.Arm, s Settings) string {
		f, err := b.Fingerprint(lab, arm, s)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	first := of(expect.Arm{Args: []string{"-a"}}, settings())
	if again := of(expect.Arm{Args: []string{"-a"}, Short: true, Limit: nil}, settings()); again != first {
		t.Error("what is expected changes it")
	}
	longer := settings()
	longer.Window *= 2
	for name, other := range map[string]string{
		"arguments": of(expect.Arm{Args: []string{"-b"}}, settings()),
		"lengths":   of(expect.Arm{Args: []string{"-a"}}, longer),
	} {
		if other == first {
			t.Errorf("%s do not change it", name)
		}
	}
	if err := os.WriteFile(b.unpark(), []byte("another"), 0o700); err != nil {
		t.Fatal(err)
	}
	if of(expect.Arm{Args: []string{"-a"}}, settings()) == first {
		t.Error("the binary does not change it")
	}
}

func TestPaths(t *testing.T) {
	for path, want := range map[string][]string{
		"/a": {"/a"}, "/a/{1..3}": {"/a/1", "/a/2", "/a/3"}, "/{0..1}/x": {"/0/x", "/1/x"}, "/a/{id}": {"/a/{id}"},
	} {
		if got := Paths(path); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}

// What is wrapped runs inside of the group.
func TestGroup(t *testing.T) {
	g, err := newGroup(0.5)
	if errors.Is(err, ErrNoQuota) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	b := &Bench{root: t.TempDir(), bin: t.TempDir()}
	script := "#!/bin/sh\ncat /proc/self/cgroup\n"
	if err := os.WriteFile(b.unpark(), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if _, err := b.drive(t.Context(), nil, g.wrap(), &out, nil); err != nil || !strings.Contains(out.String(), filepath.Base(g.dir)) {
		t.Errorf("%v: runs in %s", err, out.String())
	}
	g.remove()
	if _, err := os.Stat(g.dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the group stays: %v", err)
	}
}
