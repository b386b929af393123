package offers

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
)

// TestCostly: a switch of which the documentation says that it costs where it is on, and that the culprit asks.
func TestCostly(t *testing.T) {
	run := func(doc, field string) string {
		return "// Config is of a run.\ntype Config struct {\n\t// " + doc + "\n\t" + field + " bool\n\tOther bool\n}\n\ntype Engine struct{ config Config }\n\nfunc New(c Config) *Engine { return &Engine{c} }\n\n" +
			"func (e *Engine) Run() {\n\tensure := e.config." + field + "\n\tif ensure {\n\t\te.watch()\n\t}\n\tfor {\n\t}\n}\n\nfunc (e *Engine) watch() {}"
	}
	const cost = "Watching ends a run in time. This comes with a bit of extra cost when enabled."
	asked := run(cost, "Watching")
	for _, c := range []struct {
		what  string
		class unpark.Class
		text  string
		want  string
	}{
		{"it costs", unpark.ClassCPU, asked, "Config.Watching"},
		{"it is slower", unpark.ClassLock, run("Watching makes it slower.", "Watching"), "Config.Watching"},
		{"by performance", unpark.ClassAlloc, run("Watching is disabled by default because it degrades performance.", "Watching"), "Config.Watching"},
		{"a wait for others", unpark.ClassDownstream, asked, ""},
		{"the culprit does not ask", unpark.ClassCPU, strings.Replace(asked, "e.config.Watching", "e.config.Other", 1), ""},
		{"it is faster", unpark.ClassCPU, run("Watching reduces the overhead of a run.", "Watching"), ""},
		{"it is paid for once, and is faster then", unpark.ClassCPU, run("Watching is expensive to set up, and makes runs faster.", "Watching"), ""},
		{"it costs where it is off", unpark.ClassCPU, run("Watching sees all: when disabled, runs have a performance penalty.", "Watching"), ""},
		{"it costs nothing", unpark.ClassCPU, run("Watching has no overhead.", "Watching"), ""},
		{"what it turns off costs", unpark.ClassCPU, run("DisableWatching turns off the watch, which is expensive.", "DisableWatching"), ""},
		{"others are slow", unpark.ClassCPU, run("Watching reports slow queries.", "Watching"), ""},
		{"it is not used any more", unpark.ClassCPU, run(cost+"\n\t//\n\t// Deprecated: it does nothing.", "Watching"), ""},
	} {
		if got := told(t, unpark.OfferCostly, c.class, c.text, ".(*Engine).Run main.main"); got != c.want {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
	}
}

// TestCostlyInside: what an internal package asks is set in the module's root, by a method whose documentation is that of an interface.
func TestCostlyInside(t *testing.T) {
	root := "type Config interface {\n\t// WithWatch comes with a bit of extra cost.\n\tWithWatch(bool) Config\n\t// WithNoise makes some.\n\tWithNoise(bool) Config\n}\n\ntype config struct{ ensureWatch, noise bool }\n\n" +
		"func (c *config) WithWatch(on bool) Config { c.ensureWatch = on; return c }\n\nfunc (c *config) WithNoise(on bool) Config { c.noise = on; return c }"
	inner := "type engine struct{ ensureWatch, noise bool }\n\nfunc (e *engine) Run() {\n\tif e.ensureWatch {\n\t\te.watch()\n\t}\n}\n\nfunc (e *engine) watch() {}"
	for _, c := range []struct{ what, root, inner, want string }{
		{"it is the same name", root, inner, "Config.WithWatch"},
		{"another name", strings.ReplaceAll(root, "ensureWatch", "ensureQuiet"), inner, ""},
		{"a name that anything may have", strings.ReplaceAll(root, "ensureWatch", "watch"), strings.ReplaceAll(inner, "e.ensureWatch", "e.watch"), ""},
		{"it is of the internal package", "type config struct{}", "// Options are internal.\ntype Options struct {\n\t// EnsureWatch makes it slower.\n\tEnsureWatch bool\n}\n\n" + strings.ReplaceAll(inner, "ensureWatch", "EnsureWatch"), ""},
		{"it takes more than a bool", strings.ReplaceAll(root, "on bool", "on bool, n int"), inner, ""},
	} {
		r := of(t, c.root)
		p := r.packages["example.org/!acme/gate@v1.2.0"]
		q := parsed(t, c.inner)
		q.path, q.version, q.root = gate+"/internal/engine", "v1.2.0", p
		q.users = []*source{}
		q.index()
		r.packages["example.org/!acme/gate@v1.2.0/internal/engine"] = q
		s := at("/internal/engine.(*engine).Run", "internal/engine/run.go")
		got := names(r.For([]unpark.Finding{{Class: unpark.ClassCPU, Path: []unpark.Site{s}, Culprit: &s}}), unpark.OfferCostly)
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
	}
}
