package offers

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
)

// rebuiltIn is what is told of a function main.handle in whose line HERE a method Add of a Tree is called, and that main.serve calls in the line CALL,
// if there is one.
func rebuiltIn(t *testing.T, class unpark.Class, tree, own string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "main.go")
	text := "package main\n\nimport \"example.org/Acme/gate\"\n\n" + own + "\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	line := func(mark string) int {
		before, _, found := strings.Cut(text, mark)
		if !found {
			return 0
		}
		return strings.Count(before, "\n") + 1
	}
	functions := ".(*Tree).add .(*Tree).Add main.handle"
	if strings.Contains(tree, "TreeBuilder") {
		functions = strings.ReplaceAll(functions, "Tree", "TreeBuilder")
	}
	if line("// CALL") > 0 {
		functions += " main.(*shop).serve"
	}
	all := stack(functions + " net/http.HandlerFunc.ServeHTTP")
	all[2].File, all[2].Line = file, line("// HERE")
	if strings.Contains(functions, "serve") {
		all[3].File, all[3].Line = file, line("// CALL")
	}
	for _, o := range of(t, tree).For([]unpark.Finding{{Class: class, Path: all, Culprit: &all[0]}}) {
		if o.Kind == unpark.OfferRebuilt {
			return o.Type + " of " + o.Name + " by " + o.By + " " + o.Calls
		}
	}
	return ""
}

const tree = `
type Tree struct{ all []int }

func New() *Tree { return &Tree{} }

func (t *Tree) Add(v int) error { t.add(v); return nil }

func (t *Tree) add(v int) { t.all = append(t.all, v) }

func (t *Tree) Root() int { return 0 }

func (t *Tree) Render() {}
`

// TestRebuilt: what is made before a loop, filled in it from all that there is, and used once, is told.
func TestRebuilt(t *testing.T) {
	const (
		fills = "\tt := gate.New()\n\tfor _, v := range all {\n\t\tt.Add(v) // HERE\n\t}\n\treturn t.Root()\n}"
		given = "func handle(all []int) int {\n" + fills
		shop  = "type shop struct{ all []int; towns map[string]*shop; in any; db any }\n\n"
		serve = "\n\nfunc (s *shop) serve(w http.ResponseWriter, r *http.Request) {\n\tBODY\n\thandle(ARG) // CALL\n}"
	)
	called := func(body, arg string) string {
		return shop + given + strings.NewReplacer("BODY", body, "ARG", arg).Replace(serve)
	}
	for _, c := range []struct {
		what, own string
		want      bool
	}{
		{"of a field", called("", "s.all"), true},
		{"of what is found by a key", called("all := s.towns[r.PathValue(\"town\")].all", "all"), true},
		{"of what a call gave for a key", called("all, err := s.db.All(r.Context(), r.PathValue(\"town\"))", "all"), true},
		{"of what is read into a variable", called("var all []int\n\ts.db.Find(&all)", "all"), true},
		{"of all and the one of this request", called("v, _ := io.ReadAll(r.Body)\n\tall := append(s.all, v)", "all"), true},
		{"of what the request has", called("var all []int\n\tjson.NewDecoder(r.Body).Decode(&all)", "all"), false},
		{"of a field of what it has", called("var in struct{ all []int }\n\tdata, _ := io.ReadAll(r.Body)\n\tjson.Unmarshal(data, &in)", "in.all"), false},
		{"of the words of what it asks for", called("", "strings.Split(r.FormValue(\"ids\"), \",\")"), false},
		{"of a literal", called("all := []int{1, 2, 3}", "all"), false},
		{"of a parameter that no own function gives", given, false},
	} {
		want := ""
		if c.want {
			want = "Tree of all by Tree.Add main.go:10"
		}
		if got := rebuiltIn(t, unpark.ClassCPU, tree, c.own); got != want {
			t.Errorf("%s: %q, want %q", c.what, got, want)
		}
	}
}

// TestRebuiltNot: what is made within the loop, kept, given on, or written as an answer is not told, nor what waits.
func TestRebuiltNot(t *testing.T) {
	const text = "type shop struct{ all []int; kept *gate.Tree }\n\nvar leaves []int\n\nfunc handle(w io.Writer) int {\n\tt := gate.New()\n\tfor _, v := range leaves {\n\t\tt.Add(v) // HERE\n\t}\n\treturn t.Root()\n}"
	for _, c := range []struct {
		what  string
		class unpark.Class
		tree  string
		turn  []string // of the text
		want  string
	}{
		{"of a variable of the package", unpark.ClassCPU, tree, nil, "Tree of leaves by Tree.Add main.go:12"},
		{"what allocates", unpark.ClassAlloc, tree, nil, "Tree of leaves by Tree.Add main.go:12"},
		{"by a number", unpark.ClassCPU, tree, []string{"for _, v := range leaves", "for v := 0; v < len(leaves); v++"}, "Tree of leaves by Tree.Add main.go:12"},
		{"what waits", unpark.ClassDownstream, tree, nil, ""},
		{"a number of times", unpark.ClassCPU, tree, []string{"for _, v := range leaves", "for v := 0; v < 8; v++"}, ""},
		{"made within the loop", unpark.ClassCPU, tree, []string{"\tt := gate.New()\n", "", "leaves {\n", "leaves {\n\t\tt := gate.New()\n"}, ""},
		{"made anew within the loop", unpark.ClassCPU, tree, []string{"leaves {\n", "leaves {\n\t\tt = gate.New()\n"}, ""},
		{"kept already", unpark.ClassCPU, tree, []string{"t := gate.New()", "t := kept"}, ""},
		{"kept then", unpark.ClassCPU, tree, []string{"return t.Root()", "s.kept = t\n\treturn t.Root()"}, ""},
		{"given back", unpark.ClassCPU, tree, []string{"return t.Root()", "t.Root()\n\treturn t"}, ""},
		{"given on", unpark.ClassCPU, tree, []string{"return t.Root()", "use(t)\n\treturn t.Root()"}, ""},
		{"not used", unpark.ClassCPU, tree, []string{"return t.Root()", "return 0"}, ""},
		{"an answer", unpark.ClassCPU, tree, []string{"return t.Root()", "t.Render()\n\treturn t.Root()"}, ""},
		{"made for an answer", unpark.ClassCPU, strings.Replace(tree, "New()", "New(w io.Writer)", 1), []string{"gate.New()", "gate.New(w)"}, ""},
		{"of one request by its name", unpark.ClassCPU, strings.ReplaceAll(tree, "Tree", "TreeBuilder"), nil, ""},
		{"it is waited for", unpark.ClassCPU, tree + "\nfunc (t *Tree) Wait() {}\n", nil, ""},
		{"left when it is found", unpark.ClassCPU, tree, []string{"// HERE\n", "// HERE\n\t\tif v == 3 {\n\t\t\tbreak\n\t\t}\n"}, ""},
	} {
		if got := rebuiltIn(t, c.class, c.tree, strings.NewReplacer(c.turn...).Replace(text)); got != c.want {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
	}
}
