//go:build linux

package main

import (
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/unpark-go/unpark/internal/rota"
)

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
	a.want("predict", map[string]any{"run": id, "fix": "none"}, `!fix "none": write gone, alone, together, halved`)
	if answer, failed := a.call("predict", map[string]any{"run": id}); !failed && !strings.Contains(answer, "were gone") {
		t.Errorf("predict:\n%s", answer)
	}

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
