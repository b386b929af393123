//go:build linux

package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/unpark-go/unpark/internal/rota"
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

// TestAgent: a whole loop over standard input and output, and the ways around it.
func TestAgent(t *testing.T) {
	t.Parallel()
	if !rota.Long(0, 5) {
		t.Skip("builds a service, and measures it")
	}
	dir := tiny(t)
	a := newCoder(t, dir)
	tools, err := a.session.ListTools(t.Context(), nil)
	if err != nil || len(tools.Tools) != 6 {
		t.Fatalf("%v, %v", tools, err)
	}
	for _, tool := range tools.Tools {
		if !regexp.MustCompile(`^[a-zA-Z0-9_-]+$`).MatchString(tool.Name) {
			t.Errorf("the tool %q", tool.Name)
		}
	}
	a.want("history", nil, "no run yet .*start one with find")
	a.want("drill", nil, "!there is no run yet")
	a.want("wait", map[string]any{"id": "find-1"}, `!no measurement has the id "find-1": start one`)
	a.want("drill", map[string]any{"run": "../.."}, "!is no id: history lists them")

	id := jobID.FindString(a.want("find", nil, "has begun"))
	a.want("find", nil, "!"+id+" measures already.*call wait with id "+id)
	for again := true; again; {
		answer, failed := a.call("wait", map[string]any{"id": id})
		if again = strings.Contains(answer, "Call wait again."); !again && (failed || !strings.Contains(answer, "LIMIT") && !strings.Contains(answer, "VOID")) {
			t.Fatalf("the verdict: %s", answer)
		}
	}
	answer, failed := a.call("drill", map[string]any{"run": id})
	if !failed && !strings.Contains(answer, "caller,") {
		t.Errorf("drill:\n%s", answer)
	}
	a.want("history", nil, "(?m)^id,kind,started.*\n"+id+",run,")

	// Ways around it, which end before anything is measured.
	edited(t, dir, "main.go", "range rounds", "range 1")
	a.measure("prove", map[string]any{"before": "HEAD", "connections": 1}, "(?s)^REFUSED.*the connections are 1, and 4")
	a.measure("prove", map[string]any{"before": "HEAD"}, `(?s)^REFUSED.*\.price: before`)
	edited(t, dir, "main.go", "range 1", "range rounds")
	a.measure("prove", map[string]any{"before": "HEAD"}, "(?s)^REFUSED.*the same content")

	edited(t, dir, "main.go", "return work(path)", "v, ok := kept.Load(path)\n\tif !ok {\n\t\tv = work(path)\n\t\tkept.Store(path, v)\n\t}\n\treturn v.(string)")
	_, verdict := a.measure("prove", map[string]any{"before": "HEAD"}, "^PROVEN|^NOT PROVEN +no round counts")
	if strings.HasPrefix(verdict, "PROVEN") && !strings.Contains(verdict, "receipt: ") {
		t.Errorf("there is no receipt:\n%s", verdict)
	}
	if err := a.session.Close(); err != nil {
		t.Error(err)
	}
	a.gone()
}

// TestAgentVanishes: whatever becomes of the client or the server, nothing runs on.
func TestAgentVanishes(t *testing.T) {
	t.Parallel()
	if !rota.Long(1, 5) {
		t.Skip("builds services")
	}
	for i, end := range []string{"closes", "interrupts", "kills the server", "kills the server later", "closes in a proof"} {
		t.Run(end, func(t *testing.T) {
			t.Parallel()
			a := newCoder(t, tiny(t))
			until := []string{"build", "start", "warm-up", "window", "answers"}[i]
			if i == 4 {
				edited(t, a.dir, "main.go", "package main", "// Changed.\npackage main")
				a.until(jobID.FindString(a.want("prove", map[string]any{"before": "HEAD"}, "has begun")), until)
			} else {
				a.until(jobID.FindString(a.want("find", map[string]any{"seconds": 20}, "has begun")), until)
			}
			switch i {
			case 1:
				_ = a.cmd.Process.Signal(syscall.SIGINT)
			case 2, 3:
				_ = a.cmd.Process.Kill()
			}
			_ = a.session.Close() // it may be gone already
			a.gone()
		})
	}
}

// until waits until a measurement says that it has come to a phase.
func (a *coder) until(id, phase string) {
	a.t.Helper()
	ctx, cancel := context.WithTimeout(a.t.Context(), 5*time.Minute) // other tests run as well
	defer cancel()
	go func() {
		params := &sdk.CallToolParams{Name: "wait", Arguments: map[string]any{"id": id}}
		params.SetProgressToken(id)
		_, _ = a.session.CallTool(ctx, params) // it is left in the middle
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

// TestAgentLabs: the loop on the labs, one a day: find, the lab's fix, prove.
func TestAgentLabs(t *testing.T) {
	t.Parallel()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(root, ".git")); err != nil {
		t.Skip("this is an archive of the sources: a lab is cloned")
	}
	for i, lab := range []struct {
		name, urls, file, old, fix string
		load, verdict              string
	}{
		{"lookup", "[/lookup/1, /lookup/2, /lookup/3]", "main.go", `"fixed", false`, `"fixed", true`, "connections: 16", "^PROVEN"},
		// Nearly all of what requests block on is one lock, and it is not the limit: no proof is right as well.
		{"catalog", "[/read]", "main.go", `"pick", "faker"`, `"pick", "index"`, "connections: 50", "^PROVEN|^NOT PROVEN"},
		{"broker", "[/v1/cycle]", "main.go", `"commit", store.Mutex`, `"commit", store.Coalesce`, "connections: 32", "^PROVEN"},
		{"place", "[/place.png]", "main.go", `"stage", "db"`, `"stage", "image"`, "connections: 16", "^PROVEN"},
	} {
		if !rota.Long(i, 4) {
			continue
		}
		t.Run(lab.name, func(t *testing.T) {
			t.Parallel()
			clone := filepath.Join(t.TempDir(), "unpark")
			if out, err := exec.Command("git", "-c", "safe.directory=*", "clone", "--quiet", "--no-hardlinks", root, clone).CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			dir := filepath.Join(clone, "labs", lab.name)
			committed(t, clone, map[string]string{filepath.Join("labs", lab.name, "unpark.yaml"): fmt.Sprintf(
				"package: .\nargs: [-addr, 127.0.0.1:0]\nurls: %s\n%s\ntest: [go, test, -short, .]\n", lab.urls, lab.load)})
			a := newCoder(t, dir)
			a.measure("find", nil, "LIMIT|VOID")
			edited(t, dir, lab.file, lab.old, lab.fix)
			a.measure("prove", map[string]any{"before": "HEAD"}, lab.verdict+"|^NOT PROVEN +no round counts")
			if err := a.session.Close(); err != nil {
				t.Error(err)
			}
			a.gone()
		})
	}
}
