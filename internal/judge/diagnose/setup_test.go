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

// TestSetupIsOfItsCall: the heaviest stack of a middleware leads to what is below it, and advice on that is no advice on what the
// middleware makes for each request itself. What making it allocates goes with it, and what else the function allocates does not.
func TestSetupIsOfItsCall(t *testing.T) {
	const compile, reset, format = "regexp.MatchString", "compress/flate.NewWriter", "fmt.Sprint"
	ev := calm()
	ev.CPU.Cores, ev.CPU.Sampled, ev.CPU.RequestPath = unpark.Num(2.9), unpark.Num(10), unpark.Num(10)
	ev.CPU.Sites = []facts.CPUSite{{
		Site: fn("app.firewall"), Side: unpark.RequestPath, Cum: 9, Callees: []facts.SiteSum{{Site: fn("app.compress"), Value: 7}, {Site: fn(compile), Value: 2}},
		Stack: stack(reset, "app.compress", "app.firewall", "net/http.(*conn).serve"),
	}}
	ev.AllocTree = facts.Tree{Total: 6e6, Roots: []*facts.Node{{Site: fn("app.firewall"), App: true, Value: 6e6}}}
	root := ev.AllocTree.Roots[0]
	for _, call := range []string{compile, format} {
		root.Calls = append(root.Calls, &facts.Node{Site: fn(call), Value: 3e6, Caller: root})
	}
	ev.GC.AllocBytes = unpark.Num(6e6)
	_, findings, _ := diagnose.Verdict(ev, nil)
	i := slices.IndexFunc(findings, func(f unpark.Finding) bool { return f.Rule == "setup" })
	if i < 0 {
		t.Fatalf("%+v", findings)
	}
	if f := findings[i]; f.Path[0].Function != compile || !strings.Contains(f.Remedies[0].Title, "pattern") && !strings.Contains(f.Remedies[0].Title, "regexp") {
		t.Errorf("path %v, %q", f.Path, f.Remedies[0].Title)
	}
	for _, r := range findings[i].Remedies {
		if strings.Contains(r.Title, "Reset") {
			t.Errorf("%q", r.Title)
		}
	}
}
