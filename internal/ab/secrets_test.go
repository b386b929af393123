package ab

import (
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/investigate"
	"github.com/unpark-go/unpark/internal/turns"
)

// TestKeepsSecrets: no file of an experiment has the values of the arms' environment.
func TestKeepsSecrets(t *testing.T) {
	a := &arms{cost: map[string]float64{"old": 100e-6, "new": 100e-6}, chance: rand.New(rand.NewPCG(7, 7))}
	c := Config{
		Before: turns.Arm{Command: []string{"old"}, Env: []string{"API_TOKEN=hunter2", "GOGC=100"}},
		After:  turns.Arm{Command: []string{"new"}, Env: []string{"API_TOKEN=hunter2", "DSN=postgres://u:hunter2@db/x?a=b"}},
		Dir:    filepath.Join(t.TempDir(), "ab"), Rounds: 2,
		Run: investigate.Config{Plan: unpark.Plan{Mode: unpark.Closed, Connections: 1, Duration: 1}},
	}
	e := newExperiment(c)
	e.turns.Timed, e.turns.Yardstick = a.timed, a.stick.start
	if err := e.build(t.Context()); err != nil {
		t.Fatal(err)
	}
	var err error
	if e.out, err = newFolder(c.Dir); err != nil {
		t.Fatal(err)
	}
	out, err := e.conclude(e.rounds(t.Context()))
	if err != nil {
		t.Fatal(err)
	}
	all := ""
	err = fs.WalkDir(os.DirFS(out.Dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			text, failed := os.ReadFile(filepath.Join(out.Dir, name))
			all, err = all+string(text), failed
		}
		return err
	})
	if err != nil || strings.Contains(all, "hunter2") {
		t.Errorf("a value of the environment was written: %v", err)
	}
	for _, want := range []string{"API_TOKEN=xxxxx GOGC=100 old", "API_TOKEN=xxxxx DSN=xxxxx new"} {
		if !strings.Contains(all, want) {
			t.Errorf("no page names %q", want)
		}
	}
	// The services themselves get them.
	if env := strings.Join(e.turns.Config(e.arms[1], "").Env, " "); !strings.Contains(env, "API_TOKEN=hunter2") {
		t.Errorf("the arm's environment is %q", env)
	}
}
