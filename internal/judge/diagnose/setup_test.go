package diagnose_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/diagnose"
	"github.com/unpark-go/unpark/internal/judge/model"
)

// TestFirstUseGoesWithWhatMakes: html/template escapes a template when it is first executed, which is in another function than the one
// that parses it. Both are the price of parsing it for each request; where parsing costs little, as of one that is cloned,
// escaping is told for itself. One that was parsed at the start is escaped once.
func TestFirstUseGoesWithWhatMakes(t *testing.T) {
	const parse, execute = "html/template.(*Template).ParseFS", "html/template.(*Template).ExecuteTemplate"
	for _, c := range []struct {
		name          string
		parse, escape float64 // s, of 10 s of CPU
		title         string
		share         float64
	}{
		{"parsed and escaped for each request", 2, 1.5, "app.load parses a template", 0.35},
		{"cloned and escaped for each request", 0, 1.5, "app.render escapes a template", 0.15},
		{"escaped once", 0, 0.02, "", 0},
	} {
		ev := calm()
		ev.CPU.Cores, ev.CPU.Sampled, ev.CPU.RequestPath = unpark.Num(2.9), unpark.Num(10), unpark.Num(10)
		ev.CPU.Sites = []facts.CPUSite{
			{Site: fn("app.render"), Side: unpark.RequestPath, Self: 3, Cum: 5, Callees: []facts.SiteSum{{Site: fn(execute), Value: 3}}, Stack: stack(execute, "app.render", "net/http.(*conn).serve")},
			{Site: fn("app.load"), Side: unpark.RequestPath, Self: c.parse, Cum: c.parse, Callees: []facts.SiteSum{{Site: fn(parse), Value: c.parse}}, Stack: stack(parse, "app.load", "app.render", "net/http.(*conn).serve")},
		}
		if c.parse == 0 {
			ev.CPU.Sites = ev.CPU.Sites[:1]
		}
		escape := stack("html/template.escapeTemplate", execute, "app.render", "net/http.(*conn).serve")
		ev.Signals = []facts.Signal{{ID: facts.SignalFirstUse, Site: escape[2], Leaf: escape[0], CPU: c.escape, Stack: escape}}
		_, findings, _ := diagnose.Verdict(ev, nil)
		i := slices.IndexFunc(findings, func(f unpark.Finding) bool { return f.Rule == "setup" })
		switch {
		case c.title == "" && i >= 0:
			t.Errorf("%s: %s", c.name, findings[i].Title)
		case c.title != "" && (i < 0 || !strings.HasPrefix(findings[i].Title, c.title) || findings[i].Share.Or(0) != c.share):
			t.Errorf("%s: %+v", c.name, findings)
		}
		if got := model.New(ev).SetupCPU("app.render"); got != c.escape {
			t.Errorf("%s: %v s of app.render are told, want %v", c.name, got, c.escape)
		}
	}
}
