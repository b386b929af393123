package offers

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
)

// TestCrowded: what calls the user's function where no ticket is left has its number of them from a setting; not where it calls that for
// another reason, nor what is below the function.
func TestCrowded(t *testing.T) {
	const breaker = `
// Settings are of a breaker.
type Settings struct {
	// MaxConcurrent is how many may run at once.
	MaxConcurrent int
	// Window is how long.
	Window time.Duration
}

func Configure(s Settings) {}

type pool struct{ Max int; tickets chan int }

func newPool(s *Settings) *pool {
	p := &pool{}
	p.Max = s.MaxConcurrent
	p.tickets = make(chan int, p.Max)
	return p
}

func Do(p *pool, run, fallback func()) {
	if !allowed() {
		instead(fallback)
		return
	}
	select {
	case <-p.tickets:
		run()
	default:
		instead(fallback)
	}
}

func instead(f func()) { f() }
`
	line := 1 + strings.Count(breaker[:strings.LastIndex(breaker, "\t\tinstead(fallback)")], "\n")
	early := 1 + strings.Count(breaker[:strings.Index(breaker, "\t\tinstead(fallback)")], "\n")
	for what, c := range map[string]struct {
		class       unpark.Class
		path, want  string
		line, from  int
		replaceFrom string
	}{
		"no ticket is left":      {unpark.ClassDownstream, "net.(*conn).Read main.ask .instead .Do main.serve", "Settings.MaxConcurrent", line, 3, ""},
		"for another reason":     {unpark.ClassDownstream, "net.(*conn).Read main.ask .instead .Do main.serve", "", early, 3, ""},
		"what computes":          {unpark.ClassCPU, "fmt.Sprint main.ask .instead .Do main.serve", "", line, 3, ""},
		"with a ticket":          {unpark.ClassDownstream, "net.(*conn).Read main.ask .Do main.serve", "", line, 2, ""},
		"it waits for its place": {unpark.ClassDownstream, "net.(*conn).Read main.ask .instead .Do main.serve", "", line - 2, 3, "default:"},
	} {
		text := breaker
		if c.replaceFrom != "" {
			text = strings.Replace(text, "\tdefault:\n\t\tinstead(fallback)", "\t}\n\t{\n\t\tinstead(fallback)", 1)
		}
		r := of(t, text)
		for _, p := range r.packages { // where lines are known
			fset := token.NewFileSet()
			f, err := parser.ParseFile(fset, "p.go", "package gate\n\n"+text, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			p.add(f)
			p.index()
			p.fset = fset
		}
		all := stack(c.path)
		all[c.from].Line = c.line + 2
		if got := names(r.For([]unpark.Finding{{Class: c.class, Path: all, Culprit: &all[0]}}), unpark.OfferSetting); got != c.want {
			t.Errorf("%s: %q, want %q", what, got, c.want)
		}
	}
}

// TestUsers: what an internal package reads is set through the package of its module that hands it down; not through one that only uses it.
func TestUsers(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":                  "module example.org/flow\n",
		"internal/poll/poll.go":   "package poll\n\ntype Options struct {\n\tInterval time.Duration\n\tName string\n}\n\ntype Worker struct{ o Options }\n\nfunc (w *Worker) Run() {\n\ttime.Sleep(w.o.Interval)\n}\n",
		"worker/worker.go":        "package worker\n\nimport \"example.org/flow/internal/poll\"\n\n// Options are a worker's.\ntype Options struct {\n\t// PollInterval is how often it looks.\n\tPollInterval time.Duration\n\tOther time.Duration\n}\n\nfunc New(o Options) *poll.Worker { return poll.New(poll.Options{Interval: o.PollInterval}) }\n",
		"other/other.go":          "package other\n\nimport \"example.org/flow/internal/poll\"\n\ntype Options struct{ Interval time.Duration }\n\nfunc New(o Options) { poll.Run() }\n",
		"samples/hello/hello.go":  "package hello\n\nimport \"example.org/flow/internal/poll\"\n\ntype Options struct{ PollInterval time.Duration }\n\nfunc New(o Options) { poll.New(poll.Options{Interval: o.PollInterval}) }\n",
		"internal/deep/deeper.go": "package deep\n",
	} {
		at := filepath.Join(root, "example.org", "flow@v1.0.0", filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("GOMODCACHE", root)
	f := unpark.Finding{Class: unpark.ClassRateLimit, Path: []unpark.Site{
		{Function: "example.org/flow/internal/poll.(*Worker).Run", File: "example.org/flow@v1.0.0/internal/poll/poll.go", Line: 10},
	}}
	if got := names(New(time.Time{}).For([]unpark.Finding{f}), unpark.OfferSetting); got != "Options.PollInterval" {
		t.Errorf("settings are %q", got)
	}
}
