package archtest

import (
	"slices"
	"strings"
	"testing"
)

// named is a policy with a catalogue.
func named(known ...Symbol) Policy {
	return Policy{
		Module: "example.com/m", Packages: []Package{{Path: "."}, {Path: "a"}, {Path: "internal/names"}},
		Catalogues: []string{"internal/names"}, Symbols: known,
	}
}

// TestNamesSymbol: symbols and how they begin, and what looks alike.
func TestNamesSymbol(t *testing.T) {
	p := named()
	for _, text := range []string{
		"runtime.gopark", "sync.(*Mutex).Lock", "sync.(*RWMutex)", "sync.Mutex", "sync.RWMutex (write)", "net/http.(*conn).serve",
		"net/http.(*http2", "database/sql.*", "internal/poll.(*FD).Read", "crypto/tls.", "runtime.", "encoding/json.Marshal*",
		"github.com/lib/pq.(*conn).recv", "golang.org/x/sync/singleflight.*", "gopkg.in/yaml%2ev3.Marshal", "(*conn).serve", ".(*Mutex).",
		"runtime/pprof.Do.func1", "sync.(*Map[...]).Load",
	} {
		if !p.namesSymbol(text) {
			t.Errorf("%q is a symbol", text)
		}
	}
	for _, text := range []string{
		"", ".", "net/http", "database/sql", "sync", "github.com/spf13/pflag", "google.golang.org/grpc", "gopkg.in/yaml.v3", "github.com",
		"take a sync.Pool", "sync.Mutex is held", "time.Sleep: wait", "example.com/shop.Serve", "main.main", "store.(*DB).Get",
		"internal/names.reading", "internal/archtest/known.go", "go.mod", "index.html", "report.html", "https://pkg.go.dev/net/http.Client", "(*)",
		"1.5", "a.b", "/debug/pprof.html",
	} {
		if p.namesSymbol(text) {
			t.Errorf("%q is not a symbol", text)
		}
	}
}

// TestSymbolsStayInTheCatalogue: a made source that compares a function's name is found,
// wherever it is but in the catalogue and in tests.
func TestSymbolsStayInTheCatalogue(t *testing.T) {
	const compares = "package a\n\nimport \"net/http\"\n\nfunc locks(f string) bool {\n\treturn f == \"sync.(*Mutex).Lock\"\n}\n"
	const prose = "package a\n\nvar _ = []string{\"Use a sync.Pool\", \"net/http\", \"main.main\"}\n\ntype t struct {\n\tf int `json:\"f\"`\n}\n"
	const found = `a/a.go:6: "sync.(*Mutex).Lock" names a symbol: give it a role in internal/names and ask for that`
	row := Symbol{"a/a.go", "sync.(*Mutex).Lock", "until it asks"}
	for _, tt := range []struct {
		name  string
		file  string
		text  string
		known []Symbol
		want  []string
	}{
		{"compared", "a/a.go", compares, nil, []string{found}},
		{"in the catalogue", "internal/names/a.go", compares, nil, nil},
		{"in a test", "a/a_test.go", compares, nil, nil},
		{"near misses", "a/a.go", prose, nil, nil},
		{"listed", "a/a.go", compares, []Symbol{row}, nil},
		{"listed for another file", "a/a.go", compares, []Symbol{{"a/b.go", row.Name, row.Why}}, []string{
			found, `internal/archtest/known.go: "sync.(*Mutex).Lock" is not in a/b.go any more: take its line out of the table`,
		}},
		{"listed and gone", "a/a.go", prose, []Symbol{row}, []string{
			`internal/archtest/known.go: "sync.(*Mutex).Lock" is not in a/a.go any more: take its line out of the table`,
		}},
	} {
		p := named(tt.known...)
		p.Limits = Limits{9, 9, 99, 99, 99}
		got, err := Check(tree(map[string]string{tt.file: tt.text}), p)
		if err != nil {
			t.Fatal(err)
		}
		var lines []string
		for _, v := range got {
			lines = append(lines, v.String())
		}
		if !slices.Equal(lines, tt.want) {
			t.Errorf("%s: got\n  %s\nwant\n  %s", tt.name, strings.Join(lines, "\n  "), strings.Join(tt.want, "\n  "))
		}
	}
}

// A line of the table says why, once.
func TestKnownSymbols(t *testing.T) {
	seen := map[[2]string]bool{}
	for _, s := range Unpark.Symbols {
		if k := [2]string{s.File, s.Name}; s.Why == "" || seen[k] || !Unpark.namesSymbol(s.Name) {
			t.Errorf("%+v has no reason, is there twice, or is not a symbol", s)
		}
		seen[[2]string{s.File, s.Name}] = true
	}
}
