package external

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/unpark-go/unpark/internal/measure/proc"
)

// TestMain can be a program that starts a load command and then hangs.
func TestMain(m *testing.M) {
	if line := os.Getenv("UNPARK_TEST_START"); line != "" {
		os.Unsetenv("UNPARK_TEST_START")
		if _, err := Start(Spec{Line: line}); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		select {}
	}
	os.Exit(m.Run())
}

func begin(t *testing.T, s Spec, grace time.Duration) *Command {
	t.Helper()
	t.Setenv("TMPDIR", t.TempDir())
	c, err := start(s, grace)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Stop(context.Background()); err != nil {
			t.Error(err)
		}
		if left, _ := os.ReadDir(os.Getenv("TMPDIR")); len(left) > 0 {
			t.Errorf("left behind: %v", left)
		}
	})
	return c
}

// ended waits until the command is over.
func ended(t *testing.T, c *Command) {
	t.Helper()
	select {
	case <-c.Done():
	case <-time.After(30 * time.Second):
		t.Fatal("the command does not end")
	}
}

// printed returns what the command printed in all.
func printed(c *Command) string {
	out, _ := c.out.Kept()
	return string(out)
}

// until waits for a file, with which a command says that it got somewhere.
func until(t *testing.T, file string) string {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if b, err := os.ReadFile(file); err == nil && len(b) > 0 {
			return strings.TrimSpace(string(b))
		}
	}
	t.Fatalf("%s was never written", file)
	return ""
}

// The address reaches the tool as it is, wherever it stands in the command.
func TestWords(t *testing.T) {
	url := "http://127.0.0.1:8080/a?x=1&y=$HOME;`z`'\"\\*"
	line := `printf '%s\n' {url} "GET {url}" 'GET {url}' pre{url}post "it's {url}" \' {url} "$UNPARK_URL" {seconds} "$UNPARK_SECONDS"`
	c := begin(t, Spec{Line: line, URL: url, Length: 1500 * time.Millisecond}, grace)
	ended(t, c)
	if err := c.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	want := []string{url, "GET " + url, "GET " + url, "pre" + url + "post", "it's " + url, "'", url, url, "2", "2"}
	if got := strings.Split(strings.TrimSpace(printed(c)), "\n"); !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestStartRefuses(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	for _, s := range []Spec{{Line: "  "}, {Line: "wrk {url}"}} {
		if _, err := Start(s); err == nil {
			t.Errorf("%+v was started", s)
		}
	}
	t.Setenv("PATH", t.TempDir())
	if _, err := Start(Spec{Line: "true"}); err == nil || !strings.Contains(err.Error(), "PATH") {
		t.Errorf("without a shell: %v", err)
	}
	if left, _ := os.ReadDir(os.Getenv("TMPDIR")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// A tool prints its summary when it is interrupted, and only once.
func TestInterrupt(t *testing.T) {
	ready := filepath.Join(t.TempDir(), "ready")
	c := begin(t, Spec{Line: `n=0; trap 'n=$((n+1)); cat "` + filepath.Join(cwd(t), "testdata", "wrk_stall.txt") + `"; echo "interrupted $n"; exit 0' INT
echo yes >` + ready + `; while :; do sleep 0.05; done`}, 10*time.Second)
	until(t, ready)
	if c.Failure() != nil || c.Exit() != nil {
		t.Errorf("it runs: %v, %v", c.Failure(), c.Exit())
	}
	if err := c.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(printed(c), "interrupted 1") {
		t.Errorf("printed %q", printed(c))
	}
	if r, err := c.Parse(); err != nil || r.Tool != "wrk" {
		t.Errorf("%+v, %v", r, err)
	}
}

// Nothing is left: not what ignores signals, not what left the session, not what
// lost its parent.
func TestStopLeavesNothing(t *testing.T) {
	lines := map[string]string{
		"ignores": `trap '' INT TERM; echo $$ >FILE; while :; do sleep 0.05; done`,
		"session": `setsid sh -c 'trap "" INT; echo $$ >FILE; while :; do sleep 0.05; done' & wait`,
		"orphan":  `(setsid sh -c 'trap "" INT TERM; echo $$ >FILE; while :; do sleep 0.05; done' &) ; exit 0`,
		"stopped": `echo $$ >FILE; kill -STOP $$; sleep 1000`,
	}
	for name, line := range lines {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "pid")
			c := begin(t, Spec{Line: strings.ReplaceAll(line, "FILE", file)}, 300*time.Millisecond)
			pid, err := strconv.Atoi(until(t, file))
			if err != nil {
				t.Fatal(err)
			}
			if err := c.Stop(t.Context()); err != nil {
				t.Fatal(err)
			}
			if p, err := proc.Read(pid); err == nil && !p.Dead() {
				t.Errorf("process %d still runs", pid)
			}
		})
	}
}

// The descendants of an unpark that was killed are ended, too.
func TestGuard(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "pid")
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "TMPDIR="+dir, `UNPARK_TEST_START=setsid sh -c 'echo $$ >`+file+`; while :; do sleep 0.1; done' & wait`)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(until(t, file))
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	gone := func() bool {
		p, err := proc.Read(pid)
		folders, _ := filepath.Glob(filepath.Join(dir, "unpark-load-*"))
		return (err != nil || p.Dead()) && len(folders) == 0
	}
	for deadline := time.Now().Add(30 * time.Second); !gone(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			_ = syscall.Kill(pid, syscall.SIGKILL)
			t.Fatalf("process %d still runs, or its folder is there", pid)
		}
	}
}

// A command that was told its length is left to end by itself, unless unpark is in a
// hurry.
func TestToldItsLength(t *testing.T) {
	c := begin(t, Spec{Line: `trap 'echo interrupted; exit' INT; sleep {seconds}; echo finished`, Length: time.Second}, 10*time.Second)
	if err := c.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	if printed(c) != "finished\n" {
		t.Errorf("printed %q", printed(c))
	}
	ready := filepath.Join(t.TempDir(), "ready")
	c = begin(t, Spec{Line: `trap 'echo interrupted; exit' INT; echo yes >` + ready + `; : {seconds}; while :; do sleep 0.05; done`, Length: time.Hour}, 10*time.Second)
	until(t, ready)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := c.Stop(ctx); err != nil {
		t.Fatal(err)
	}
	if printed(c) != "interrupted\n" {
		t.Errorf("printed %q", printed(c))
	}
}

func TestFailure(t *testing.T) {
	c := begin(t, Spec{Line: `echo "level=error msg='no such file'" >&2; exit 7`}, grace)
	ended(t, c)
	text := fmt.Sprint(c.Failure())
	for _, want := range []string{"exit status 7", "no such file", "the load command `echo"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in %q", want, text)
		}
	}
	c = begin(t, Spec{Line: `true`}, grace)
	ended(t, c)
	if text := fmt.Sprint(c.Failure()); !strings.Contains(text, "ended by itself") || !strings.Contains(text, "printed nothing") {
		t.Errorf("%q", text)
	}
}

// What it printed is quoted as it may be shown: a tool draws its progress with escape
// sequences, and quotes what a server sent.
func TestQuotedOutputIsClean(t *testing.T) {
	c := begin(t, Spec{Line: `printf '\033[2J\033[1;31mbad\033[0m\r\n\033]0;title\007gone\033[?25l\n' >&2; printf '\033[32mgreen\033[0m\n'; exit 1`}, grace)
	ended(t, c)
	text := fmt.Sprint(c.Failure())
	if !strings.HasSuffix(text, "its last output:\nbad\ngone\ngreen") || strings.ContainsAny(text[strings.LastIndex(text, "output:"):], "\x1b\r\a") {
		t.Errorf("%q", text)
	}
	if got := c.LastLine(); got != "gone" {
		t.Errorf("the last line: %q", got)
	}
}

func TestOutputIsBounded(t *testing.T) {
	c := begin(t, Spec{Line: `head -c 68000000 /dev/zero; head -c 1000000 /dev/zero | tr '\0' e >&2`}, grace)
	ended(t, c)
	if err := c.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Parse(); err == nil || !strings.Contains(err.Error(), "64 MB") {
		t.Errorf("%v", err)
	}
	if out, over := c.out.Kept(); len(out) > 0 || !over {
		t.Errorf("%d bytes are held", len(out))
	}
	if tail, _ := c.errs.Kept(); len(tail) > 32<<10 {
		t.Errorf("%d bytes of standard error are held", len(tail))
	}
}

// k6 is asked for its summary by the environment, or writes it where it was told to.
func TestExportedSummary(t *testing.T) {
	mine := filepath.Join(t.TempDir(), "mine.json")
	file := filepath.Join(cwd(t), "testdata", "k6_export.json")
	for _, line := range []string{
		`cp ` + file + ` "$K6_SUMMARY_EXPORT"; test -n "$K6_SUMMARY_TREND_STATS" && echo text for people`,
		`: --summary-export '` + mine + `'; cat ` + file + ` >` + mine,
	} {
		c := begin(t, Spec{Line: line}, grace)
		ended(t, c)
		if err := c.Stop(t.Context()); err != nil {
			t.Fatal(err)
		}
		if r, err := c.Parse(); err != nil || r.Tool != "k6" || r.Load.Requests != 10020 {
			t.Errorf("%s: %+v, %v", line, r, err)
		}
	}
	// A file of an earlier run is not taken for one of this.
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(mine, old, old); err != nil {
		t.Fatal(err)
	}
	c := begin(t, Spec{Line: `: --summary-export ` + mine}, grace)
	ended(t, c)
	if err := c.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	if r, err := c.Parse(); !errors.Is(err, ErrUnknown) {
		t.Errorf("%+v, %v", r, err)
	}
}

// The CPU of the command's children is counted, while they run and afterwards. The
// kernel ends the one that computes after a second of CPU, however long that takes.
func TestCores(t *testing.T) {
	done := filepath.Join(t.TempDir(), "done")
	c := begin(t, Spec{Line: `sh -c 'ulimit -t 1; while :; do :; done'; echo yes >` + done + `; sleep 1000`}, grace)
	from := time.Now()
	for deadline := from.Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		if _, err := os.Stat(done); err == nil {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("a second of CPU was not used within a minute")
		}
	}
	time.Sleep(500 * time.Millisecond) // the usage is read a few times a second
	to := time.Now()
	if err := c.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	cores, known := c.Cores(from, to).Get()
	if used := cores * to.Sub(from).Seconds(); !known || used < 0.8 || used > 1.3 {
		t.Errorf("%.3g s of CPU, known %v", used, known)
	}
	if n := c.Cores(from.Add(-time.Hour), to); n.Known() {
		t.Errorf("an hour before it began: %v", n)
	}
}

func cwd(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}
