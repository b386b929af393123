package offers

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
)

// TestPartly: a loop over all that a call gave which ends when it has enough, and a function that is called for each and passes over some, are told
// with what the module has beside it; not a loop to the end, one that an error ends, nor a function that does the same for each.
func TestPartly(t *testing.T) {
	const library = `type Map struct{}

func (m *Map) Get() []string { return nil }

// Front is the first.
func (m *Map) Front() *Element { return nil }

// Cursor begins anywhere.
func (m *Map) Cursor() *Element { return nil }

type Element struct{}
`
	handle := func(body string) string {
		return "func handle(n int, prefix string) error {\n" + body + "\nreturn nil\n}"
	}
	for _, c := range []struct {
		what, own string
		class     unpark.Class
		want      string
	}{
		{"until there are enough", handle("for _, k := range m.Get() { // HERE\nif len(out) == n {\nbreak\n}\nout = append(out, k)\n}"), unpark.ClassAlloc, "left Map.Front main.go:4"},
		{"until it is found", handle("all := m.Get() // HERE\nfor _, k := range all {\nif k == prefix {\nreturn nil\n}\n}"), unpark.ClassCPU, "left Map.Front main.go:5"},
		{"to its end", handle("for _, k := range m.Get() { // HERE\nout = append(out, k)\n}"), unpark.ClassAlloc, ""},
		{"an error ends it", handle("for _, k := range m.Get() { // HERE\nif err := use(k); err != nil {\nreturn err\n}\n}"), unpark.ClassAlloc, ""},
		{"a loop over something else", handle("m.Get() // HERE\nfor _, k := range out {\nif k == prefix {\nbreak\n}\n}"), unpark.ClassAlloc, ""},
		{"it passes over some", handle("m.Get(func(k string) error { // HERE\nif !strings.HasPrefix(k, prefix) {\nreturn nil\n}\nreturn add(k)\n})"), unpark.ClassCPU, "filtered Map.Cursor main.go:4"},
		{"it does something for some", handle("m.Get(func(k string) { // HERE\nif k > prefix {\nadd(k)\n}\n})"), unpark.ClassCPU, "filtered Map.Cursor main.go:4"},
		{"it does something for each", handle("m.Get(func(k string) error { // HERE\nif k > prefix {\nn++\n}\nreturn add(k)\n})"), unpark.ClassCPU, ""},
		{"what is not there", handle("m.Get(func(k *string) error { // HERE\nif k == nil {\nreturn nil\n}\nreturn add(k)\n})"), unpark.ClassCPU, ""},
		{"a wait", handle("for _, k := range m.Get() { // HERE\nif len(out) == n {\nbreak\n}\n}"), unpark.ClassDownstream, ""},
	} {
		file := filepath.Join(t.TempDir(), "main.go")
		text := "package main\n\n" + c.own + "\n"
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		all := stack(".(*Map).Get main.handle main.main")
		at := len(all) - 2
		before, _, _ := strings.Cut(text, "// HERE")
		all[at].File, all[at].Line = file, strings.Count(before, "\n")+1
		got := ""
		for _, o := range of(t, library).For([]unpark.Finding{{Class: c.class, Path: all, Culprit: &all[0]}}) {
			if o.Kind == unpark.OfferPart {
				got = o.Type + " " + o.Name + " " + o.Calls
			}
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
	}
}
