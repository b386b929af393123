//go:build linux

package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// coder is a client of `unpark mcp` in a folder.
type coder struct {
	t       *testing.T
	dir     string
	tmp     string // its temporary folder, which tells the processes that it started
	cmd     *exec.Cmd
	session *sdk.ClientSession
	said    chan string // progress; what is not read is lost
}

// newCoder starts a server over standard input and output.
func newCoder(t *testing.T, dir string, args ...string) *coder {
	t.Helper()
	path, err := exec.LookPath("unpark")
	if err != nil {
		t.Fatal(err)
	}
	tmp, err := os.MkdirTemp("", "u") // short: unix sockets have at most 104 bytes
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(tmp) })
	a := &coder{t: t, dir: dir, tmp: tmp, said: make(chan string, 100)}
	a.cmd = exec.Command(path, append([]string{"mcp"}, args...)...)
	a.cmd.Dir = dir
	a.cmd.Env = append(a.cmd.Environ(), "TMPDIR="+tmp, "XDG_CACHE_HOME="+filepath.Join(tmp, "cache"), "GOCACHE="+goEnv("GOCACHE"), "GOFLAGS=-buildvcs=false",
		"UNPARK_TEST_DEFAULTS=run.duration=1s,run.warmup=200ms,run.baseline=0s,run.trace=100ms,"+
			"prove.duration=500ms,prove.warmup=200ms,prove.rounds=11,prove.identical=1,prove.profile-duration=0s")
	client := sdk.NewClient(&sdk.Implementation{Name: "agent", Version: "0"}, &sdk.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) {
			select {
			case a.said <- r.Params.Message:
			default:
			}
		},
	})
	a.session, err = client.Connect(t.Context(), &sdk.CommandTransport{Command: a.cmd, TerminateDuration: 40 * time.Second}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// call calls a tool, and returns its text; failed tells whether it is an error.
func (a *coder) call(tool string, arguments map[string]any) (answer string, failed bool) {
	a.t.Helper()
	got, err := a.session.CallTool(a.t.Context(), &sdk.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		a.t.Fatalf("%s: %v", tool, err)
	}
	for _, c := range got.Content {
		if one, ok := c.(*sdk.TextContent); ok {
			answer += one.Text
		}
	}
	const budget = 8000 // bytes of 2,000 tokens
	if len(answer) > budget {
		a.t.Errorf("%s: an answer of %d bytes", tool, len(answer))
	}
	return answer, got.IsError
}

// want calls a tool and checks its answer, which begins with ! where it is an error.
func (a *coder) want(tool string, arguments map[string]any, want string) string {
	a.t.Helper()
	answer, failed := a.call(tool, arguments)
	pattern, wantFailure := strings.CutPrefix(want, "!")
	if failed != wantFailure || !regexp.MustCompile(pattern).MatchString(answer) {
		a.t.Fatalf("%s %v: error %v, want %q:\n%s", tool, arguments, failed, want, answer)
	}
	return answer
}

var jobID = regexp.MustCompile(`(?:find|prove)-[0-9]{8}-[0-9]{6}\.[0-9]{3}`)

// measure starts a measurement and waits for its verdict.
func (a *coder) measure(tool string, arguments map[string]any, want string) (id, verdict string) {
	a.t.Helper()
	id = jobID.FindString(a.want(tool, arguments, "has begun: call wait"))
	for {
		answer, failed := a.call("wait", map[string]any{"id": id})
		if !failed && strings.Contains(answer, "Call wait again.") {
			continue
		}
		a.t.Logf("%s:\n%s", tool, answer)
		if !regexp.MustCompile(want).MatchString(answer) {
			a.t.Fatalf("%s: want %q", tool, want)
		}
		return id, answer
	}
}

// gone waits until nothing is left of what the server has started: no process, no folder.
func (a *coder) gone() {
	a.t.Helper()
	var left []string
	for deadline := time.Now().Add(2 * time.Minute); time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
		left = nil
		all, _ := filepath.Glob("/proc/[0-9]*/environ")
		for _, path := range all {
			if env, err := os.ReadFile(path); err == nil && bytes.Contains(env, []byte("TMPDIR="+a.tmp+"\x00")) {
				line, _ := os.ReadFile(filepath.Join(filepath.Dir(path), "cmdline"))
				left = append(left, filepath.Base(filepath.Dir(path))+" "+string(bytes.ReplaceAll(line, []byte{0}, []byte{' '})))
			}
		}
		for _, folder := range []string{a.tmp, filepath.Join(a.tmp, "cache", "unpark", "build")} {
			entries, _ := os.ReadDir(folder)
			for _, e := range entries {
				if e.Name() != "cache" {
					left = append(left, filepath.Join(folder, e.Name()))
				}
			}
		}
		if len(left) == 0 {
			return
		}
	}
	a.t.Errorf("left behind: %q", left)
}

// committed makes a repository of the files.
func committed(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}, {"-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "-m", "first"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
}

// edited replaces text in a file of a folder.
func edited(t *testing.T, dir, name, old, text string) {
	t.Helper()
	name = filepath.Join(dir, name)
	was, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(was), old) {
		t.Fatalf("%s has no %q", name, old)
	}
	if err := os.WriteFile(name, []byte(strings.Replace(string(was), old, text, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
}

// tiny is a service whose answers take work that need not be done twice.
func tiny(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.FromSlash("testdata/mcp/service.txt"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	committed(t, dir, map[string]string{
		"main.go": string(text), "go.mod": "module example.com/tiny\n\ngo 1.22\n",
		"main_test.go": "package main\n\nimport \"testing\"\n\nfunc TestPrice(t *testing.T) {\n\tif price(\"/price/1\") == price(\"/price/2\") {\n\t\tt.Error(\"alike\")\n\t}\n}\n",
		"unpark.yaml":  "package: .\nurls: [9*/price/1, 9*/price/2, POST /count]\nconnections: 4\n",
	})
	return dir
}

// until waits until a measurement says that it has come to a phase.
func (a *coder) until(id, phase string) {
	a.t.Helper()
	ctx, cancel := context.WithTimeout(a.t.Context(), 5*time.Minute) // other tests run as well
	defer cancel()
	go func() {
		for ctx.Err() == nil { // a call ends after 50 s, and tells nothing from then on
			params := &sdk.CallToolParams{Name: "wait", Arguments: map[string]any{"id": id}}
			params.SetProgressToken(id)
			if _, err := a.session.CallTool(ctx, params); err != nil {
				return // it is left in the middle
			}
		}
	}()
	var all []string
	for {
		select {
		case line := <-a.said:
			if all = append(all, line); strings.HasPrefix(line, phase) {
				return
			}
		case <-ctx.Done():
			a.t.Errorf("%s never came to %q: %q", id, phase, all)
			return
		}
	}
}
