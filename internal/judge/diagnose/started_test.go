package diagnose

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/model"
)

// TestKeepStarted: what starts a goroutine and is made by each request is kept; not where few are left behind, where the service itself
// starts them, or where the finding is of something else.
func TestKeepStarted(t *testing.T) {
	lib := func(function string) unpark.Site {
		return unpark.Site{Function: "example.org/gate." + function, File: "example.org/gate@v1.0.0/gate.go"}
	}
	group := func(root unpark.Site, last float64) facts.GoroutineGroup {
		return facts.GoroutineGroup{Created: root, Site: root, First: 100, Last: last, Series: []float64{100, 200, 300, last}, Stack: []unpark.Site{root}}
	}
	own := unpark.Site{Function: "main.NewGate.func1", File: "main.go"}
	fill := unpark.Finding{Class: unpark.ClassAlloc, Path: []unpark.Site{lib("(*Gate[...]).Add"), {Function: "main.find"}}}
	made := facts.AllocSite{Side: unpark.RequestPath, Stack: []unpark.Site{lib("New"), {Function: "main.find"}}}
	for what, c := range map[string]struct {
		group  facts.GoroutineGroup
		allocs []facts.AllocSite
		f      unpark.Finding
		want   string
	}{
		"its closure":               {group(lib("NewGate[go.shape.string].func1"), 1100), nil, fill, "Call gate.NewGate once"},
		"a method of what it makes": {group(lib("(*Gate).clean"), 1100), []facts.AllocSite{made}, fill, "Call gate.New once"},
		"a wait for its goroutine":  {group(lib("NewGate.func1"), 1100), nil, unpark.Finding{Class: unpark.ClassLeak, Site: lib("NewGate.func1"), Path: []unpark.Site{lib("NewGate.func1")}}, "Call gate.NewGate once"},
		"another leak":              {group(lib("NewGate.func1"), 1100), nil, unpark.Finding{Class: unpark.ClassLeak, Path: []unpark.Site{lib("Watch.func1")}}, ""},
		"requests do not make it":   {group(lib("(*Gate).clean"), 1100), nil, fill, ""},
		"a few are left behind":     {group(lib("NewGate.func1"), 250), nil, fill, ""},
		"no maker":                  {group(lib("(*Gate).Watch.func1"), 1100), nil, fill, ""},
		"the service starts it":     {group(own, 1100), nil, unpark.Finding{Class: unpark.ClassAlloc, Path: []unpark.Site{own}}, ""},
		"another package":           {group(lib("NewGate.func1"), 1100), nil, unpark.Finding{Class: unpark.ClassAlloc, Path: []unpark.Site{{Function: "main.find"}}}, ""},
	} {
		m := &model.Model{Requests: 1000, Ev: facts.Evidence{Goroutines: []facts.GoroutineGroup{c.group}, Allocs: c.allocs}}
		r, _ := keepStarted(m, c.f)
		if !strings.HasPrefix(r.Title, c.want) || c.want == "" && r.Title != "" {
			t.Errorf("%s: %q, want %q", what, r.Title, c.want)
		}
		m.Ev.Plan.Mode = unpark.Ramp
		if r, ok := keepStarted(m, c.f); ok {
			t.Errorf("%s, of a load that grows: %q", what, r.Title)
		}
	}
}

// TestKeepOnce: a trace shows that each request makes what starts goroutines, though they end; not where few requests do, or what is no maker
// starts them.
func TestKeepOnce(t *testing.T) {
	lib := func(function string) unpark.Site {
		return unpark.Site{Function: "example.org/gate." + function, File: "example.org/gate@v1.0.0/gate.go"}
	}
	wait := unpark.Finding{Class: unpark.ClassChannel, Path: []unpark.Site{lib("(*Gate).Enter"), {Function: "main.find"}}}
	for what, c := range map[string]struct {
		starts facts.SiteSum
		f      unpark.Finding
		want   string
	}{
		"for each request":  {facts.SiteSum{Site: lib("New"), Value: 400}, wait, "Call gate.New once for many requests, and keep what it makes: it starts 4 goroutines for each"},
		"for a few":         {facts.SiteSum{Site: lib("New"), Value: 10}, wait, ""},
		"no maker":          {facts.SiteSum{Site: lib("(*Gate).Enter"), Value: 400}, wait, ""},
		"the service's own": {facts.SiteSum{Site: unpark.Site{Function: "main.New", File: "main.go"}, Value: 400}, wait, ""},
		"another package":   {facts.SiteSum{Site: lib("New"), Value: 400}, unpark.Finding{Class: unpark.ClassChannel, Path: []unpark.Site{{Function: "main.find"}}}, ""},
	} {
		m := &model.Model{Requests: 1000, Seconds: 10, Ev: facts.Evidence{Starts: []facts.SiteSum{c.starts}}}
		if r, _ := keepOnce(m, c.f); r.Title != c.want {
			t.Errorf("%s: %q, want %q", what, r.Title, c.want)
		}
	}
}
