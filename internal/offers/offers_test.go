package offers

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
)

const gate = "example.org/Acme/gate"

// at is a place in the module of testdata, as -trimpath writes it.
func at(function, file string) unpark.Site {
	return unpark.Site{Function: gate + function, File: gate + "@v1.2.0/" + file, Line: 1}
}

func reader(t *testing.T) *Reader {
	cache, err := filepath.Abs("testdata/mod")
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOMODCACHE", cache)
	return New(time.Time{})
}

func names(offers []unpark.Offer, kind unpark.OfferKind) string {
	var out []string
	for _, o := range offers {
		if o.Kind == kind {
			out = append(out, o.Name)
		}
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}

func TestFor(t *testing.T) {
	mine := unpark.Site{Function: "main.serve", File: "/src/shop/main.go", Line: 9}
	tests := []struct {
		what            string
		class           unpark.Class
		path            []unpark.Site
		settings, calls string
	}{
		{"what the code at a wait for a time reads", unpark.ClassRateLimit, []unpark.Site{at(".(*Gate).pause", "gate.go"), mine}, "Config.PollInterval WithWait", ""},
		{"below it: what it calls", unpark.ClassRateLimit, []unpark.Site{at(".(*Gate).Enter", "gate.go"), mine}, "Config.PollInterval SetLimit WithWait", "Gate.EnterBatch"},
		{"places, not times", unpark.ClassPool, []unpark.Site{at(".(*Gate).Enter", "gate.go"), mine}, "Config.MaxPlaces SetLimit", "Gate.EnterBatch"},
		{"a setter of a variable", unpark.ClassCPU, []unpark.Site{at(".(*Gate).look", "gate.go"), at(".(*Gate).Enter", "gate.go"), mine}, "SetLimit", "Gate.EnterBatch"},
		{"a closure of a generic type", unpark.ClassPool, []unpark.Site{at(".(*Gate[...]).look.func1", "gate.go"), mine}, "Config.MaxPlaces SetLimit", ""},
		{"an internal part has its parent's settings", unpark.ClassPool, []unpark.Site{at("/inner.Serve", "inner/inner.go"), mine}, "Config.MaxPlaces", ""},
		{"a switch of a variable whose type has no name", unpark.ClassAlloc, []unpark.Site{at(".(*Gate).check", "gate.go"), mine}, "Opts.DisableChecks", ""},
		{"the same of a lock", unpark.ClassLock, []unpark.Site{at(".(*Gate).check", "gate.go"), mine}, "Opts.DisableChecks", ""},
		{"the capacity of a channel is nothing for what computes", unpark.ClassCPU, []unpark.Site{at(".(*Turnstile).Pass", "gate.go"), mine}, "", ""},
		{"a server around the user's handler", unpark.ClassPool, []unpark.Site{mine, at(".(*Gate).Enter", "gate.go")}, "", ""},
		{"a callback of the user's, within a call of the module", unpark.ClassPool, []unpark.Site{at(".(*Gate).Enter", "gate.go"), mine, at(".(*Gate).Leave", "gate.go"), mine}, "Config.MaxPlaces SetLimit", "Gate.EnterBatch"},
		{"what a callback of the user's costs is not the module's that calls it", unpark.ClassPool, []unpark.Site{mine, at(".(*Gate).Enter", "gate.go"), mine}, "", ""},
		{"code that reads none", unpark.ClassCPU, []unpark.Site{at(".(*Gate).Leave", "gate.go"), mine}, "", ""},
		{"code of one's own", unpark.ClassCPU, []unpark.Site{mine}, "", ""},
		{"a module that is not here", unpark.ClassCPU, []unpark.Site{{Function: "example.org/gone.F", File: "example.org/gone@v1.0.0/gone.go"}, mine}, "", ""},
		{"a file outside of its module", unpark.ClassPool, []unpark.Site{{Function: gate + ".(*Gate).Enter", File: gate + "@v1.2.0/../gate@v1.2.0/gate.go"}, mine}, "", ""},
	}
	for _, test := range tests {
		got := reader(t).For([]unpark.Finding{{Class: test.class, Path: test.path}})
		if s, c := names(got, unpark.OfferSetting), names(got, unpark.OfferCall); s != test.settings || c != test.calls {
			t.Errorf("%s: settings %q, calls %q; want %q, %q", test.what, s, c, test.settings, test.calls)
		}
	}
}

// TestAnew: what is kept of an earlier reading gives way to what the source says now, where that is here.
func TestAnew(t *testing.T) {
	gone := unpark.Site{Function: "example.org/gone.F", File: "example.org/gone@v1.0.0/gone.go"}
	f := unpark.Finding{Class: unpark.ClassPool, Path: []unpark.Site{gone, at(".(*Gate).Enter", "gate.go")}}
	kept := []unpark.Offer{
		{Kind: unpark.OfferSetting, Class: f.Class, At: gate + ".(*Gate).Enter", Package: gate, Name: "Stale"},
		{Kind: unpark.OfferSetting, Class: f.Class, At: gone.Function, Package: "example.org/gone", Name: "Gone"},
	}
	if got := names(reader(t).Anew([]unpark.Finding{f}, kept), unpark.OfferSetting); got != "Config.MaxPlaces Gone SetLimit" {
		t.Errorf("settings are %q", got)
	}
}

// TestGuards: a switch on which it depends whether what costs is done at all comes first, whatever its words are; not
// one that must be off for it, unless it says so, and not where other calls depend on it.
func TestGuards(t *testing.T) {
	for below, want := range map[string]string{
		"photograph": "BarrierConfig.Photograph", "weigh": "BarrierConfig.SkipWeighing", "write": "",
	} {
		f := unpark.Finding{Class: unpark.ClassCPU, Path: []unpark.Site{at("/barrier.(*Barrier)."+below, "barrier/barrier.go"), at("/barrier.(*Barrier).Pass", "barrier/barrier.go")}}
		first := func(f unpark.Finding) string {
			for _, o := range reader(t).For([]unpark.Finding{f}) {
				if o.By == "Barrier.Pass" && o.Type == "bool" {
					return o.Name
				}
			}
			return ""
		}
		if got := first(f); got != want && want != "" || want == "" && got == "BarrierConfig.Logging" {
			t.Errorf("%s: %q, want %q", below, got, want)
		}
		// The way forked before it.
		pass := at("/barrier.(*Barrier).Pass", "barrier/barrier.go")
		f.Path, f.Culprit, f.Into = f.Path[1:], &pass, []unpark.Part{{Site: at("/barrier.(*Barrier)."+below, "barrier/barrier.go"), Share: 0.4}}
		if got := first(f); got != want && want != "" {
			t.Errorf("%s, to which it forks: %q, want %q", below, got, want)
		}
	}
}

// TestGuardsThatDecide: a switch beside another condition does not decide by itself, but for one that asks whether there is such a setting.
func TestGuardsThatDecide(t *testing.T) {
	for below, want := range map[string]string{"collect": "", "print": "TollConfig.SkipReceipt"} {
		f := unpark.Finding{Class: unpark.ClassCPU, Path: []unpark.Site{at("/barrier.(*Barrier)."+below, "barrier/barrier.go"), at("/barrier.(*Barrier).Pass", "barrier/barrier.go")}}
		if got := names(reader(t).For([]unpark.Finding{f}), unpark.OfferSwitch); got != want {
			t.Errorf("%s: switches %q, want %q", below, got, want)
		}
	}
}

// TestHandedOn: a function that hands what it is given to another of its package sets what that fills.
func TestHandedOn(t *testing.T) {
	got := reader(t).For([]unpark.Finding{{Class: unpark.ClassDownstream, Path: []unpark.Site{at("/barrier.(*Barrier).wait", "barrier/barrier.go")}}})
	if s := names(got, unpark.OfferSetting); s != "Barrier.SetPace" {
		t.Errorf("settings are %q", s)
	}
}

// TestGiven: settings that the code at the place does not read are those of what a program makes, and not those of one call.
func TestGiven(t *testing.T) {
	got := reader(t).For([]unpark.Finding{{Class: unpark.ClassPool, Path: []unpark.Site{at("/barrier.(*Barrier).weigh", "barrier/barrier.go")}}})
	if s := names(got, unpark.OfferSetting); !strings.Contains(s, "LaneConfig.MaxOpenLanes") || strings.Contains(s, "PassOptions") {
		t.Errorf("settings are %q", s)
	}
}

// TestCapacity: what the channel at a wait was made with comes before settings whose words suit a wait.
func TestCapacity(t *testing.T) {
	for _, class := range []unpark.Class{unpark.ClassChannel, unpark.ClassPool} {
		got := reader(t).For([]unpark.Finding{{Class: class, Path: []unpark.Site{at(".(*Turnstile).Pass", "gate.go")}}})
		if len(got) == 0 || got[0].Name != "WithLanes" || got[0].By != "Turnstile.Pass" {
			t.Errorf("%s: %+v", class, got)
		}
	}
}

func TestOfferSaysWhereAndWhat(t *testing.T) {
	got := reader(t).For([]unpark.Finding{{Class: unpark.ClassPool, Path: []unpark.Site{at(".(*Gate).Enter", "gate.go")}}})
	want := unpark.Offer{
		Kind: unpark.OfferSetting, Class: unpark.ClassPool, At: gate + ".(*Gate).Enter", By: "Gate.look",
		Package: gate, Version: "v1.2.0", Name: "Config.MaxPlaces", Type: "int", Doc: "MaxPlaces is how many may be in at once",
	}
	if !slices.Contains(got, want) {
		t.Errorf("offers are %+v, want among them %+v", got, want)
	}
	if d := want.Documented(); d != "https://pkg.go.dev/example.org/Acme/gate@v1.2.0#Config" {
		t.Errorf("documented at %s", d)
	}
	page := unpark.Offer{Kind: unpark.OfferNote, Package: gate, Version: "v1.2.0", Name: unpark.ReadMe}
	if d := page.Documented(); d != "https://pkg.go.dev/example.org/Acme/gate@v1.2.0#section-readme" {
		t.Errorf("a first page is at %s", d)
	}
}

// TestNotes: what documentation says of costs, of the place first, and not what it says in its favour.
func TestNotes(t *testing.T) {
	of := func(pkg, typ, function string) string {
		p := &source{doc: pkg, docs: map[string]string{"Gate": typ}, funcs: map[string]*ast.FuncDecl{}}
		d := &ast.FuncDecl{Name: ast.NewIdent("Enter"), Recv: &ast.FieldList{List: []*ast.Field{{Type: ast.NewIdent("Gate")}}}}
		d.Doc = &ast.CommentGroup{List: []*ast.Comment{{Text: "/*" + function + "*/"}}}
		p.funcs["Gate.Enter"] = d
		var out []string
		for _, n := range p.notes([]string{gate + ".(*Gate).Enter"}) {
			out = append(out, n.name+": "+n.text)
		}
		return strings.Join(out, "|")
	}
	tests := []struct{ pkg, typ, function, want string }{
		{"Package gate lets in. It is intended to be used in tests only, as performance is not a goal.", "", "", ": It is intended to be used in tests only, as performance is not a goal"},
		{"You can use gates of your own for testing purposes. They are many.", "", "", ""},
		{"", "Gate is for testing.", "", "Gate: Gate is for testing"},
		{"It is slow.", "Gate is expensive to make. Reuse it.", "Enter allocates.", "Gate.Enter: Enter allocates|Gate: Gate is expensive to make|: It is slow"},
		{"A fast and highly performant gate, with great performance.", "Gate is safe for concurrent use.", "Enter enters.", ""},
		{"You can scale it without downtime or performance degradation.", "", "", ""},
		{"Usage:\n\n\tg.Enter() // slow\n\nThat is all.", "", "", ""},
		{"Calls may\nbe slow. Others not.", "", "", ": Calls may be slow"},
		{"", "Gate lets in. Reusing a gate is faster than making one for each call.", "", "Gate: Reusing a gate is faster than making one for each call"},
		{"", "Gate lets in. Gates may be reused.", "", ""},
	}
	for _, test := range tests {
		if got := of(test.pkg, test.typ, test.function); got != test.want {
			t.Errorf("notes are %q, want %q", got, test.want)
		}
	}
}

// TestNotesOfMakers: that a thing is made once is said of what makes it, in its own documentation, in that of
// its type, and on the module's first page.
func TestNotesOfMakers(t *testing.T) {
	of := func(function, doc, typ, readme string) string {
		f, err := parser.ParseFile(token.NewFileSet(), "p.go", "package gate\n\n/*"+doc+"*/\nfunc "+function+"() *Gate { return nil }\n", parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		p := &source{docs: map[string]string{"Gate": typ}, funcs: map[string]*ast.FuncDecl{}, readme: readme}
		p.add(f)
		var out []string
		for _, n := range p.notes([]string{gate + "." + function}) {
			out = append(out, n.name+": "+n.text)
		}
		return strings.Join(out, "|")
	}
	tests := []struct{ function, doc, typ, readme, want string }{
		{"NewGate", "NewGate makes one. Reuse it.", "", "", "NewGate: Reuse it"},
		{"NewGate", "", "Gate is used as a singleton. It locks.", "", "Gate: Gate is used as a singleton"},
		{"NewGate", "", "", "# Use\nCall `NewGate()` only once, at start.\n", "README: Call `NewGate()` only once, at start"},
		{"NewGate", "", "", "```\nNewGate() // only once\n```\n", ""},
		{"NewGate", "", "", "NewGates are reused.", ""},
		{"Find", "Find may be reused.", "", "Find is for use only once.", ""},
		{"FindAll", "", "", "FindAll is slow.", "README: FindAll is slow"},
		{"FindAll", "If you want one of this package, using FindFirst is faster.", "", "", "FindAll: If you want one of this package, using FindFirst is faster"},
		{"FindAll", "FindAll is faster if you want many.", "", "", ""},
		{"FindAll", "Prefer this function: it is faster.", "", "", ""},
		{"FindAll", "", "", "FindFirst is much faster than [`FindAll`](there).", "README: FindFirst is much faster than `FindAll`"},
		{"FindAll", "", "", "FindAll is much faster than FindEach.", ""},
	}
	for _, test := range tests {
		if got := of(test.function, test.doc, test.typ, test.readme); got != test.want {
			t.Errorf("notes of %s are %q, want %q", test.function, got, test.want)
		}
	}
}

// TestFilesOfOtherSystems: what another system has in a file's place is not read.
func TestFilesOfOtherSystems(t *testing.T) {
	other := "windows"
	if runtime.GOOS == other {
		other = "linux"
	}
	folder := t.TempDir()
	for name, text := range map[string]string{
		"gate.go": "package gate\n\nfunc Enter() { limit() }\n", "limit_" + runtime.GOOS + ".go": "package gate\n\nfunc limit() { _ = 1 }\n",
		"limit_" + other + ".go": "package gate\n\nfunc limit() { panic(2) }\n", "gone.go": "//go:build ignore\n\npackage main\n\nfunc limit() { panic(3) }\n",
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p := New(time.Time{}).parse(folder, gate, "v1.2.0")
	if d := p.funcs["limit"]; d == nil || len(d.Body.List) != 1 {
		t.Fatalf("limit is %v", d)
	} else if _, assigns := d.Body.List[0].(*ast.AssignStmt); !assigns {
		t.Error("limit is that of another system")
	}
}

func TestSplit(t *testing.T) {
	for name, want := range map[string]string{
		"MaxIdleConnsPerHost": "max idle conns per host", "HTTPServer": "http server", "max_size": "max size", "TTL": "ttl", "x": "x",
	} {
		if got := strings.Join(unpark.Words(name), " "); got != want {
			t.Errorf("unpark.Words(%q) is %q, want %q", name, got, want)
		}
	}
}

func TestLocal(t *testing.T) {
	for function, want := range map[string]string{
		"example.org/p.(*T[...]).M.func1":        "T.M",
		"example.org/p.T.M":                      "T.M",
		"example.org/p.F.func2.1":                "F",
		"example.org/p.F":                        "F",
		"example.org/p/v2.(*T[go.shape.int]).M":  "T.M",
		"example.org/p.F[go.shape.string].func1": "F",
	} {
		if got := local(function); got != want {
			t.Errorf("local(%q) is %q, want %q", function, got, want)
		}
	}
}
