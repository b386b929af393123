package diagnose

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/model"
)

// TestHandsThrough: where what a function waits at is a library's, advice about that is told; not about a channel of its own, nor about
// what another function waits at.
func TestHandsThrough(t *testing.T) {
	export := unpark.Site{Function: "app.export"}
	for name, c := range map[string]struct {
		stack []string
		want  bool
	}{
		"a pipe":              {[]string{"runtime.selectgo", "io.(*pipe).read", "io.(*PipeReader).Read", "io.Copy", "app.export"}, true},
		"a channel":           {[]string{"runtime.chansend1", "app.export"}, false},
		"of another function": {[]string{"runtime.selectgo", "io.(*pipe).read", "io.(*PipeReader).Read", "app.other"}, false},
	} {
		w := facts.Wait{Class: unpark.WaitSelect, Delay: 5}
		for _, f := range c.stack {
			w.Stack = append(w.Stack, unpark.Site{Function: f})
		}
		got := handsThrough(&model.Model{Ev: facts.Evidence{Waits: []facts.Wait{w}}}, export)
		if (len(got) == 1 && strings.HasPrefix(got[0].Title, "Write to an io.Pipe in large pieces")) != c.want {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
