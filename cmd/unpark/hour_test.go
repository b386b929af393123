//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/unpark-go/unpark/internal/rota"
)

// block is a fenced block of a document.
var block = regexp.MustCompile("(?ms)^```(console|go|yaml|text)\n(.*?)^```")

// titled is the file that a block is, by its first line.
var titled = regexp.MustCompile(`^(?://|#) ([\w.]+)\n`)

// TestFirstHour executes docs/first-hour.md: its files are written, its commands run
// in order, and what they must lead to on any machine is checked after them. Windows
// and rounds are short; the commands are those of the document.
func TestFirstHour(t *testing.T) {
	t.Parallel()
	if !rota.Long(2, 3) {
		t.Skip("builds a service and takes windows")
	}
	doc, err := os.ReadFile(filepath.FromSlash("../../docs/first-hour.md"))
	if err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(t.TempDir(), "first_hour.txtar")
	if err := os.WriteFile(script, []byte(hourScript(t, string(doc))), 0o600); err != nil {
		t.Fatal(err)
	}
	p := scripts()
	p.Dir, p.Files = "", []string{script}
	setup := p.Setup
	p.Setup = func(e *testscript.Env) error {
		for name, value := range map[string]string{
			"UNPARK_TEST_DEFAULTS": "run.duration=1s,run.warmup=200ms,run.baseline=0s,run.trace=100ms," +
				"ab.duration=500ms,ab.warmup=200ms,ab.baseline=0s,ab.trace=100ms,ab.rounds=2,ab.identical=0,ab.profile-duration=1s,ab.scorecard=none",
			"GIT_AUTHOR_NAME": "a reader", "GIT_AUTHOR_EMAIL": "reader@example.com", "GIT_COMMITTER_NAME": "a reader", "GIT_COMMITTER_EMAIL": "reader@example.com",
			"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.DevNull, "GOWORK": "",
		} {
			e.Setenv(name, value)
		}
		return setup(e)
	}
	testscript.Run(t, p)
}

// hourScript turns the document into a script.
func hourScript(t *testing.T, doc string) string {
	t.Helper()
	var script, files strings.Builder
	commands := 0
	for i, m := range block.FindAllStringSubmatch(doc, -1) {
		kind, text := m[1], m[2]
		if kind != "console" {
			name := titled.FindStringSubmatch(text)
			if name == nil {
				continue // what is printed
			}
			text = strings.TrimPrefix(text, name[0])
			if kind == "go" {
				text = name[0] + text
			}
			fmt.Fprintf(&files, "-- block%d --\n%s", i, text)
			if kind == "yaml" {
				fmt.Fprintf(&script, "cmp %s $WORK/block%d\n", name[1], i)
			} else {
				fmt.Fprintf(&script, "cp $WORK/block%d %s\n", i, name[1])
			}
			continue
		}
		for line := range strings.Lines(text) {
			script.WriteString(hourCommand(t, strings.TrimSpace(line)))
			commands++
		}
	}
	if commands < 12 {
		t.Fatalf("the document has %d commands", commands)
	}
	return script.String() + files.String()
}

// hourCommand is one command of the document and what must come of it. A machine that
// is busy can make a run void: it then says so, and that is right too.
func hourCommand(t *testing.T, line string) string {
	t.Helper()
	switch {
	case strings.HasPrefix(line, "git clone "):
		cloned(t, line)
		return "mkdir unpark\n"
	case line == "go install ./cmd/unpark":
		install := exec.Command("go", "install", "./cmd/unpark")
		install.Dir, install.Env = filepath.FromSlash("../.."), append(os.Environ(), "GOBIN="+t.TempDir())
		if out, err := install.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return "cd ..\n" // a reader's own service lies elsewhere
	case strings.HasPrefix(line, "cd "), strings.HasPrefix(line, "mkdir "):
		return line + "\n"
	case line == "unpark doctor --quick":
		return "exits 0 " + line + "\nstdout '^READY'\nstdout '^MACHINE$'\n"
	case line == "unpark init":
		return "exits 0 " + line + "\nstdout '^wrote unpark.yaml$'\nstdout 'loaded    GET /price/1 +main.go:17$'\n"
	case line == "unpark run":
		return "exits 0,4 " + line + "\nstderr '^unpark.yaml: \\. · 1 URL$'\nstdout '^LIMIT |VOID'\nstdout 'main\\.\\(\\*Prices\\)\\.Get|VOID'\n"
	case line == "unpark ab":
		return "exits 0,4 " + line + "\nstderr '^unpark.yaml: \\. · 1 URL · main against \\.$'\nstdout 'throughput|VOID'\nstdout '^report '\n"
	case line == "unpark check":
		return "exits 0,3,4 " + line + "\nstderr '^unpark.yaml: the newest run is unpark-runs/'\nstdout '^(KEPT|BROKEN|VOID)'\nclean\n"
	}
	if strings.HasPrefix(line, "unpark ") {
		t.Errorf("%q is in the document, and nothing says what must come of it", line)
	}
	return "exec " + line + "\n"
}

// cloned carries out the document's clone of this tree, which stands for the address
// because no network is there.
func cloned(t *testing.T, line string) {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(root, ".git")); err != nil {
		return // an archive of the sources
	}
	words := strings.Fields(line)
	args := append([]string{"-c", "safe.directory=*", "-c", "url." + root + ".insteadOf=" + words[len(words)-1], "clone", "--quiet", "--no-checkout"}, words[2:]...)
	clone := exec.Command("git", args...)
	clone.Dir = t.TempDir()
	if out, err := clone.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
