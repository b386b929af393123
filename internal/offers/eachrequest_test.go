package offers

import (
	"go/build"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/roles"
)

// TestMadeForEachRequest: what the user's own function makes for each request is told where the stack goes through it and it keeps something; not what is kept
// somewhere, made by the first that finds none, or made before the loop in which the requests come.
func TestMadeForEachRequest(t *testing.T) {
	const (
		client   = "// Client asks. It is safe for concurrent use.\ntype Client struct{ base }\n\ntype base struct{ mu sync.Mutex }\n\nfunc NewClient(address string) (*Client, error) { return nil, nil }\n\nfunc (c *Client) Get() int { return c.do() }\n\nfunc (b *base) do() int { return 0 }\n"
		silent   = "type Client struct{ mu sync.Mutex; seen map[string]int }\n\nfunc NewClient(address string) (*Client, error) { return nil, nil }\n\nfunc (c *Client) Get() int { return 0 }\n"
		nothing  = "type Client struct{ address string }\n\nfunc NewClient(address string) (*Client, error) { return nil, nil }\n\nfunc (c *Client) Get() int { return 0 }\n"
		notSafe  = "// Client is not safe for concurrent use.\ntype Client struct{ mu sync.Mutex }\n\nfunc NewClient(address string) (*Client, error) { return nil, nil }\n\nfunc (c *Client) Get() int { return 0 }\n"
		imports  = "package main\n\nimport (\n\t\"database/sql\"\n\t\"net/http\"\n\t\"sync\"\n\n\t\"example.org/Acme/gate\"\n)\n\n"
		called   = ".(*Client).Get main.handle main.main"
		embedded = ".(*base).do main.handle main.main"
	)
	type row struct{ what, text, own, functions, want string }
	for _, c := range []row{
		{"a constructor", client, "func handle() {\n\tc, _ := gate.NewClient(\"a\")\n\tc.Get() // HERE\n}", called, "NewClient in  main.go:12"},
		{"by what it embeds", client, "func handle() {\n\tc, _ := gate.NewClient(\"a\")\n\tc.Get() // HERE\n}", embedded, "NewClient in  main.go:12"},
		{"a literal", silent, "func handle() {\n\t(&gate.Client{}).Get() // HERE\n}", called, "Client in  main.go:12"},
		{"in functions that it calls", silent, "type town struct{}\n\nfunc (t *town) asks() *gate.Client { return t.signs() }\n\nfunc (t *town) signs() *gate.Client { return &gate.Client{} }\n\nfunc handle() {\n\tt.asks().Get() // HERE\n}", called, "Client in town.signs main.go:15"},
		{"a transport of its own", nothing + "\nfunc NewOwn() *Client { t := &http2.Transport{}; return &Client{t} }\n", "func handle() {\n\tc := gate.NewOwn()\n\tc.Get() // HERE\n}", called, "NewOwn in  main.go:12"},
		{"by a result that has a name", silent, "type town struct{}\n\nfunc (t *town) signs() (c *gate.Client, done func()) {\n\tc = &gate.Client{}\n\treturn c, nil\n}\n\nfunc handle() {\n\tc, _ := t.signs()\n\tc.Get() // HERE\n}", called, "Client in town.signs main.go:14"},
		{"into a variable of the package", silent, "var c *gate.Client\n\nfunc handle() {\n\tc = &gate.Client{}\n\tc.Get() // HERE\n}", called, ""},
		{"a message", strings.ReplaceAll(silent, "Client", "Message"), "func handle() {\n\t(&gate.Message{}).Get() // HERE\n}", ".(*Message).Get main.handle main.main", ""},
		{"what waits for what it started", silent + "\nfunc (c *Client) Wait() error { return nil }\n", "func handle() {\n\t(&gate.Client{}).Get() // HERE\n}", called, ""},
		{"of what is written to", silent + "\nfunc NewTo(w io.Writer) *Client { return nil }\n", "func handle() {\n\tc := gate.NewTo(w)\n\tc.Get() // HERE\n}", called, ""},
		{"a map alone", "type Client struct{ seen map[string]int }\n\nfunc (c *Client) Get() int { return 0 }\n", "func handle() {\n\t(&gate.Client{}).Get() // HERE\n}", called, ""},
		{"of Go's own what nothing is said of", client, "func handle() {\n\twg := &sync.WaitGroup{}\n\twg.Wait() // HERE\n}", "sync.(*WaitGroup).Wait main.handle main.main", ""},
		{"it keeps nothing", nothing, "func handle() {\n\t(&gate.Client{}).Get() // HERE\n}", called, ""},
		{"of one goroutine", notSafe, "func handle() {\n\tc, _ := gate.NewClient(\"a\")\n\tc.Get() // HERE\n}", called, ""},
		{"it is not on the way", client, "func handle() {\n\tc, _ := gate.NewClient(\"a\")\n\tc.Get() // HERE\n}", ".Ask main.handle main.main", ""},
		{"made at the start", client, "var kept, _ = gate.NewClient(\"a\")\n\nfunc handle() {\n\tkept.Get() // HERE\n}", called, ""},
		{"kept in a field", client, "type town struct{ c *gate.Client }\n\nvar t town\n\nfunc handle() {\n\tc, _ := gate.NewClient(\"a\")\n\tt.c = c\n\tc.Get() // HERE\n}", called, ""},
		{"kept in a map", client, "var all sync.Map\n\nfunc handle() {\n\tc, _ := gate.NewClient(\"a\")\n\tall.Store(\"a\", c)\n\tc.Get() // HERE\n}", called, ""},
		{"by the first", client, "var c *gate.Client\n\nfunc handle() {\n\tif c == nil {\n\t\tc, _ = gate.NewClient(\"a\")\n\t}\n\tc.Get() // HERE\n}", called, ""},
		{"into what lasts no longer than the function", client, "func handle() {\n\tvar c *gate.Client\n\tif c == nil {\n\t\tc, _ = gate.NewClient(\"a\")\n\t}\n\tc.Get() // HERE\n}", called, "NewClient in  main.go:14"},
		{"and then into what stays", client, "var kept *gate.Client\n\nfunc handle() {\n\tc := kept\n\tif c == nil {\n\t\tc, _ = gate.NewClient(\"a\")\n\t\tkept = c\n\t}\n\tc.Get() // HERE\n}", called, ""},
		{"where none was found", client, "var all map[string]*gate.Client\n\nfunc handle() {\n\tc, ok := all[\"a\"]\n\tif !ok {\n\t\tc, _ := gate.NewClient(\"a\")\n\t\tuse(c)\n\t}\n\tc.Get() // HERE\n}", called, ""},
		{"another function is there", client, "func other() {\n\tc, _ := gate.NewClient(\"a\")\n\tc.Get() // HERE\n}", called, ""},
		{"once", client, "var o sync.Once\n\nfunc handle() {\n\to.Do(func() { c, _ := gate.NewClient(\"a\"); use(c) })\n\tc.Get() // HERE\n}", called, ""},
		{"before the loop", client, "func handle() {\n\tc, _ := gate.NewClient(\"a\")\n\tfor range jobs {\n\t\tc.Get() // HERE\n\t}\n}", called, ""},
		{"in the loop", client, "func handle() {\n\tfor range jobs {\n\t\tc, _ := gate.NewClient(\"a\")\n\t\tc.Get() // HERE\n\t}\n}", called, "NewClient in  main.go:13"},
		{"around the handler", client, "func handle() {\n\tc, _ := gate.NewClient(\"a\")\n\tserve(func() {\n\t\tc.Get() // HERE\n\t})\n}", called, ""},
		{"a transport of Go's own", client, "func handle() {\n\tc := &http.Client{Transport: &http.Transport{}}\n\tc.Get(\"a\") // HERE\n}", "net/http.(*Transport).RoundTrip net/http.(*Client).Do main.handle main.main", "Transport in  main.go:12"},
		{"far from the line", client, "func handle() {\n\tc := &http.Client{Transport: &http.Transport{}}\n\tc.Get(\"a\") // HERE\n}", "net.(*Dialer).Dial net/http.(*Transport).dialConnFor main.handle main.main far", "Transport in  main.go:12"},
		{"a pool of Go's own", client, "func handle() {\n\tdb, _ := sql.Open(\"a\", \"b\")\n\tdb.Query(\"c\") // HERE\n}", "database/sql.(*DB).conn database/sql.(*DB).Query main.handle main.main", "Open in  main.go:12"},
		{"Go's own client without one", client, "func handle() {\n\tc := &http.Client{}\n\tc.Get(\"a\") // HERE\n}", "net/http.(*Transport).RoundTrip net/http.(*Client).Do main.handle main.main", ""},
	} {
		file := filepath.Join(t.TempDir(), "main.go")
		text := imports + c.own + "\n"
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		functions, far := strings.CutSuffix(c.functions, " far")
		all := stack(functions)
		for i := range all {
			if pkg := unpark.PackageOf(all[i].Function); roles.Is(all[i].Function, roles.Standard) {
				all[i].File = filepath.Join(build.Default.GOROOT, "src", pkg, "any.go")
			}
			if all[i].Function == "main.handle" {
				before, _, _ := strings.Cut(text, "// HERE")
				all[i].File, all[i].Line = file, strings.Count(before, "\n")+1
			}
		}
		f := unpark.Finding{Class: unpark.ClassDownstream, Path: all, Culprit: &all[0]}
		if far { // the stack is of another goroutine
			f.Path, f.Site = all[:len(all)-2], all[len(all)-2]
		}
		got := ""
		for _, o := range of(t, c.text).For([]unpark.Finding{f}) {
			if o.Kind == unpark.OfferAnew {
				got = o.Name + " in " + o.By + " " + o.Calls
			}
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
	}
}

// TestTrimmed: a file that is named by its module is found where unpark was started, and nowhere else.
func TestTrimmed(t *testing.T) {
	root := t.TempDir()
	below := filepath.Join(root, "cmd", "server")
	if err := os.MkdirAll(below, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{filepath.Join(root, "go.mod"): "module example.org/shop\n", filepath.Join(below, "main.go"): "package main\n"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	in := applicationsIn(below)
	if err := os.Chtimes(filepath.Join(below, "main.go"), time.Time{}, time.Unix(1000, 0)); err != nil {
		t.Fatal(err)
	}
	older, newer := in, in
	older.asOf, newer.asOf = time.Unix(999, 0), time.Unix(1001, 0)
	of := unpark.Site{Function: "main.handle", File: filepath.Join(below, "main.go"), Line: 3}
	if older.file(of) != "" || newer.file(of) == "" {
		t.Errorf("a file of second 1000 is %q for what was built before, and %q for what was built behind", older.file(of), newer.file(of))
	}
	for file, want := range map[string]string{"example.org/shop/cmd/server/main.go": filepath.Join(below, "main.go"), "example.org/shop/cmd/other/main.go": "", "example.org/other/cmd/server/main.go": "", "main.go": ""} {
		if got := in.file(unpark.Site{Function: "main.handle", File: file, Line: 3}); got != want {
			t.Errorf("%s: %q, want %q", file, got, want)
		}
	}
}

// TestNamesOfPackages: what a package is called by its import path.
func TestNamesOfPackages(t *testing.T) {
	for at, names := range map[string][]string{
		"github.com/nats-io/nats.go": {"nats"}, "github.com/redis/go-redis/v9": {"redis"}, "gopkg.in/yaml.v3": {"yaml"}, "net/http": {"http"}, "github.com/go-chi/chi": {"chi"},
	} {
		for _, name := range slices.Concat(names, []string{"other"}) {
			if got := calledAfter(at, name); got != (name != "other") {
				t.Errorf("%s as %s: %v", at, name, got)
			}
		}
	}
}
