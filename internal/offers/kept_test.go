package offers

import (
	"go/ast"
	"go/parser"
	"go/token"
	"testing"

	"github.com/unpark-go/unpark"
)

// parsed is a package of one file.
func parsed(t *testing.T, text string) *source {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", "package gate\n\n"+text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	p := &source{
		structs: map[string]*ast.StructType{}, interfaces: map[string]*ast.InterfaceType{}, docs: map[string]string{},
		fset: fset, vars: map[string]variable{}, funcs: map[string]*ast.FuncDecl{}, named: map[string]string{}, functional: map[string]bool{}, values: map[string]int{},
	}
	p.add(f)
	return p
}

// TestKeeping: what is made is kept where its documentation says so, and only what does work.
func TestKeeping(t *testing.T) {
	const work = "\nfunc (g *Gate) Enter() {}\n"
	tests := []struct {
		what, text, function string
		class                unpark.Class
		want, way            string // the sentence; "shared" or the method
	}{
		{"safe for all", "// Gate lets in. It is safe for concurrent use.\ntype Gate struct{}\n\nfunc NewGate() *Gate { return nil }" + work, "NewGate", unpark.ClassCPU, "It is safe for concurrent use", "shared"},
		{"the maker says it", "type Gate struct{}\n\n// NewGate makes one that multiple goroutines may use.\nfunc NewGate() *Gate { return nil }" + work, "NewGate", unpark.ClassDownstream, "NewGate makes one that multiple goroutines may use", "shared"},
		{"an interface", "// Gate should be created once. It is safe for concurrent use.\ntype Gate interface{ Enter() }\n\nfunc Open() (Gate, error) { return nil, nil }", "Open", unpark.ClassLock, "Gate should be created once", "shared"},
		{"expensive, with a lock", "// Gate is expensive.\ntype Gate struct{ mu sync.Mutex }\n\nfunc ParseGate() *Gate { return nil }" + work, "ParseGate", unpark.ClassAlloc, "Gate is expensive", "shared"},
		{"one for each worker", "type Gate struct{}\n\nfunc NewGate() *Gate { return nil }\n\n// Reset makes g as new.\nfunc (g *Gate) Reset() {}\n", "NewGate", unpark.ClassAlloc, "Reset makes g as new", "Reset"},
		{"said not to be shared", "// Gate is not safe for concurrent use.\ntype Gate struct{ mu sync.Mutex }\n\nfunc NewGate() *Gate { return nil }\n\n// Reset makes g as new.\nfunc (g *Gate) Reset() {}\n", "NewGate", unpark.ClassCPU, "Reset makes g as new", "Reset"},
		{"one for each worker is no fewer waits", "type Gate struct{}\n\nfunc NewGate() *Gate { return nil }\n\nfunc (g *Gate) Reset() {}\n", "NewGate", unpark.ClassDownstream, "", ""},
		{"what is parsed is of one request", "// Gate is safe for concurrent use.\ntype Gate struct{}\n\nfunc ParseGate(b []byte) *Gate { return nil }" + work, "ParseGate", unpark.ClassCPU, "", ""},
		{"a generic type", "type Gate[K comparable, V any] struct{}\n\n// NewGate makes a thread-safe one.\nfunc NewGate[K comparable, V any]() *Gate[K, V] { return nil }\n\nfunc (g *Gate[K, V]) Enter() {}\n", "NewGate[...]", unpark.ClassAlloc, "NewGate makes a thread-safe one", "shared"},
		{"it says nothing", "// Gate lets in.\ntype Gate struct{}\n\nfunc NewGate() *Gate { return nil }" + work, "NewGate", unpark.ClassCPU, "", ""},
		{"a lock alone says nothing", "type Gate struct{ mu sync.Mutex }\n\nfunc NewGate() *Gate { return nil }" + work, "NewGate", unpark.ClassCPU, "", ""},
		{"it does no work", "// Gate is safe for concurrent use.\ntype Gate struct{}\n\nfunc NewGate() *Gate { return nil }\n", "NewGate", unpark.ClassCPU, "", ""},
		{"no maker", "// Gate is safe for concurrent use.\ntype Gate struct{}\n\nfunc Find() *Gate { return nil }" + work, "Find", unpark.ClassCPU, "", ""},
		{"a method that makes", "// Gate is safe for concurrent use.\ntype Gate struct{}\n\nfunc (g *Gate) NewGate() *Gate { return nil }" + work, "(*Gate).NewGate", unpark.ClassCPU, "", ""},
	}
	for _, test := range tests {
		got, ok := parsed(t, test.text).keeping(gate+"."+test.function, test.class)
		way := got.calls
		if got.on {
			way = "shared"
		}
		if ok != (test.way != "") || ok && (got.doc != test.want || way != test.way) {
			t.Errorf("%s: %v %q %q, want %q %q", test.what, ok, got.doc, way, test.want, test.way)
		}
	}
}

// TestHanded: a parameter takes what the function gives, by its name and its type.
func TestHanded(t *testing.T) {
	for text, want := range map[string]string{
		"// Read reads b. Give reuse to spare memory.\nfunc Read(b []byte, reuse *Gate) (*Gate, error) { return nil, nil }": "reuse: Give reuse to spare memory",
		"func Read(b, dst []byte) []byte { return nil }":                                                                    "dst: ",
		"func Read(dst []byte) error { return nil }":                                                                        "",
		"func Read(dst Gate) Gate { return dst }":                                                                           "",
		"func Read(other *Gate) *Gate { return nil }":                                                                       "",
		"func Read(b []byte, reuse *Gate) *Door { return nil }":                                                             "",
		"// Deprecated: use Scan.\nfunc Read(dst []byte) []byte { return nil }":                                             "",
	} {
		got, ok := parsed(t, text).handed(gate + ".Read")
		said := ""
		if ok {
			said = got.calls + ": " + got.doc
		}
		if said != want {
			t.Errorf("%s: %q, want %q", text, said, want)
		}
	}
}

// TestPlural: of what is waited for, the same call for many is offered, and not of what computes.
func TestPlural(t *testing.T) {
	p := parsed(t, "type Gate struct{}\n\nfunc (g *Gate) Admit(a int) {}\nfunc (g *Gate) Admits(a []int) {}\nfunc (g *Gate) MAdmit(a []int) {}\nfunc (g *Gate) Admiral() {}\n")
	for class, want := range map[unpark.Class]int{unpark.ClassDownstream: 2, unpark.ClassCPU: 0} {
		if got := p.beside(gate+".(*Gate).Admit", class); len(got) != want {
			t.Errorf("%s: %d calls, want %d: %v", class, len(got), want, got)
		}
	}
}
