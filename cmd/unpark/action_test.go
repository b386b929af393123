//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"gopkg.in/yaml.v3"

	"github.com/unpark-go/unpark/internal/rota"
)

// step is one step of action.yml.
type step struct {
	Name, ID, Run, Uses, Shell string
	Env, With                  map[string]string
}

// workflow is a job that uses the action: its steps are run by the shell as a runner
// would, with a stand-in for gh.
type workflow struct {
	t      *testing.T
	work   string            // checkout
	runner string            // files of the runner
	given  map[string]string // values of expressions
	steps  []step
}

var expression = regexp.MustCompile(`\$\{\{ *([a-z_.-]+) *\}\}`)

func newWorkflow(t *testing.T) *workflow {
	t.Helper()
	for _, name := range []string{"bash", "git", "go", "jq"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skip("no " + name)
		}
	}
	text, err := os.ReadFile("../../action.yml")
	if err != nil {
		t.Fatal(err)
	}
	var action struct {
		Inputs map[string]struct{ Default string }
		Runs   struct{ Steps []step }
	}
	if err := yaml.Unmarshal(text, &action); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	w := &workflow{t: t, work: filepath.Join(dir, "work"), runner: filepath.Join(dir, "runner"), steps: action.Runs.Steps}
	archive, err := txtar.ParseFile("testdata/action.txtar")
	if err != nil {
		t.Fatal(err)
	}
	if err := txtar.Write(archive, w.work); err != nil {
		t.Fatal(err)
	}
	w.sh("mkdir -p " + w.runner + " && mv gh " + w.runner + " && chmod +x " + w.runner + "/gh && echo '[]' >" + w.runner + "/comments.json && " +
		"git init -q && git add . && git -c user.name=a -c user.email=a@example.com commit -q -m first")
	w.given = map[string]string{"github.token": "secret", "github.event.pull_request.number": "7", "github.event.pull_request.base.sha": w.sh("git rev-parse HEAD")}
	for name, in := range action.Inputs {
		w.given["inputs."+name] = w.value(in.Default)
	}
	return w
}

func (w *workflow) value(text string) string {
	return expression.ReplaceAllStringFunc(text, func(e string) string {
		name := expression.FindStringSubmatch(e)[1]
		v, ok := w.given[name]
		if !ok {
			w.t.Fatalf("action.yml uses %s, which is no input and no output", name)
		}
		return v
	})
}

func (w *workflow) sh(script string) string {
	w.t.Helper()
	cmd := exec.Command("bash", "-c", script)
	cmd.Dir = w.work
	out, err := cmd.CombinedOutput()
	if err != nil {
		w.t.Fatalf("%s: %v\n%s", script, err, out)
	}
	return strings.TrimSpace(string(out))
}

// run runs all steps with the inputs, and returns the exit status of the last one
// that ran and what they printed.
func (w *workflow) run(inputs map[string]string) (code int, log string) {
	w.t.Helper()
	for name, v := range inputs {
		w.given["inputs."+name] = v
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		w.t.Fatal(err)
	}
	for _, s := range w.steps {
		if s.Uses != "" {
			continue
		}
		if strings.Contains(s.Run, "${{") {
			w.t.Fatalf("step %s: an expression in the text of a script can be made to run anything: hand it over in env", s.Name)
		}
		cmd := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", s.Run)
		cmd.Dir = w.work
		cmd.Env = append(os.Environ(), "PATH="+w.runner+":"+os.Getenv("PATH"), "RUNNER_TEMP="+w.runner, "GITHUB_ACTION_PATH="+root,
			"GITHUB_OUTPUT="+filepath.Join(w.runner, "output"), "GITHUB_STEP_SUMMARY="+filepath.Join(w.runner, "summary"),
			"GITHUB_PATH="+filepath.Join(w.runner, "path"), "GITHUB_REPOSITORY=o/r", "GITHUB_SERVER_URL=https://example.com", "GITHUB_RUN_ID=42",
			"GOFLAGS=-buildvcs=false", "GOWORK=off")
		for name, v := range s.Env {
			cmd.Env = append(cmd.Env, name+"="+w.value(v))
		}
		out, err := cmd.CombinedOutput()
		log += string(out)
		if err != nil {
			return cmd.ProcessState.ExitCode(), log
		}
	}
	return 0, log
}

// comments are the bodies of the pull request's comments.
func (w *workflow) comments() []string {
	return strings.Split(w.sh("jq -r '.[].body | split(\"\\n\") | join(\"|\")' "+w.runner+"/comments.json"), "\n")
}

// What makes one window short, and what makes few of them.
const (
	short = "-r 100/s --warmup 100ms --baseline 0s --trace 0s"
	quick = short + " -d 500ms --rounds 1 --identical 0 --profile-duration 1s"
)

// A budget that any service keeps, in turns with the base, and one that none does,
// in one run; there is one comment at the end. A busy machine may void a run: that is an outcome
// that the steps must handle as well, so the test takes either.
func TestAction(t *testing.T) {
	t.Parallel()
	if !rota.Long(1, 3) {
		t.Skip("builds two revisions")
	}
	w := newWorkflow(t)
	in := map[string]string{"package": "./cmd/server", "args": "-greeting *", "flags": quick, "version": "installed", "budget": "kept.yaml"}
	code, log := w.run(in)
	if code != 0 && code != 4 {
		t.Fatalf("status %d\n%s", code, log)
	}
	got := w.comments()
	if len(got) != 1 || !strings.HasPrefix(got[0], "<!-- unpark gate: unpark -->|### unpark check: ") || !strings.Contains(got[0], "(https://example.com/o/r/actions/runs/42)") {
		t.Fatalf("comments %q\n%s", got, log)
	}
	if code == 0 && !strings.Contains(got[0], "| ✅ kept | throughput |") {
		t.Errorf("comment %q, want the table", got[0])
	}
	if _, err := os.Stat(filepath.Join(w.runner, "unpark-unpark", "ab", "report.html")); err != nil {
		t.Errorf("the page to upload: %v", err)
	}
	in["base"], in["flags"], in["budget"] = "", short+" -d 1s", "broken.yaml"
	if code, log = w.run(in); code != 3 && code != 4 {
		t.Errorf("status %d, want 3\n%s", code, log)
	}
	again := w.comments()
	if len(again) != 1 || code == 3 && !strings.Contains(again[0], "**broken** | throughput") {
		t.Errorf("comments %q, want one, written anew", again)
	}
}

// What cannot be measured is a failure that says why, in the comment too; and
// a token that may not comment does not decide.
func TestActionFails(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("runs scripts")
	}
	w := newWorkflow(t)
	others := `[{"id":1,"user":{"type":"User"},"body":"<!-- unpark gate: unpark -->"}]`
	w.sh("echo '" + others + "' >" + w.runner + "/comments.json")
	in := map[string]string{"package": "./cmd/nothing", "flags": quick, "version": "installed"}
	code, log := w.run(in)
	got := w.comments()
	if code != 1 || len(got) != 2 || !strings.Contains(got[1], "### unpark: FAILED with status 1||    ") || !strings.Contains(got[1], "finds no such package") {
		t.Errorf("status %d, comments %q\n%s", code, got, log)
	}
	w.sh("touch " + w.runner + "/forbidden")
	if code, log = w.run(in); code != 1 || !strings.Contains(log, "::warning::unpark: the comment cannot be written") {
		t.Errorf("status %d\n%s", code, log)
	}
	if code, log = w.run(map[string]string{"package": ""}); code != 1 || !strings.Contains(log, "::error::unpark: no package: set its input") {
		t.Errorf("status %d\n%s", code, log)
	}
	if code, log = w.run(map[string]string{"package": "./cmd/server", "base": "0123456789012345678901234567890123456789"}); code != 1 || !strings.Contains(log, "fetch-depth: 0") {
		t.Errorf("status %d\n%s", code, log)
	}
}
