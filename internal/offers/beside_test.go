package offers

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
)

// of is a reader that has one package, of one file.
func of(t *testing.T, text string) *Reader {
	t.Helper()
	p := parsed(t, text)
	p.path, p.version = gate, "v1.2.0"
	p.index()
	return &Reader{packages: map[string]*source{"example.org/!acme/gate@v1.2.0": p}, own: applicationsIn(t.TempDir())}
}

// stack is functions of the package of a test, innermost first; of another one where that is in their names.
func stack(functions string) []unpark.Site {
	var out []unpark.Site
	for f := range strings.FieldsSeq(functions) {
		s := unpark.Site{Function: f, File: "/go/src/" + f + ".go"}
		if strings.HasPrefix(f, ".") {
			s = at(f, "p.go")
		}
		out = append(out, s)
	}
	return out
}

// told is what a finding with a stack is offered of a kind.
func told(t *testing.T, kind unpark.OfferKind, class unpark.Class, text, functions string) string {
	t.Helper()
	all := stack(functions)
	return names(of(t, text).For([]unpark.Finding{{Class: class, Path: all, Culprit: &all[0]}}), kind)
}

// TestInstead: a call of the same shape and a longer name that does not come to what costs, and none of which the source
// does not say that.
func TestInstead(t *testing.T) {
	const version = `
var form *regexp.Regexp

type Version struct{}

func NewVersion(s string) (*Version, error) { return match(s) }

func match(s string) (*Version, error) { form.FindString(s); return nil, nil }
`
	tests := []struct{ what, text, functions, want string }{
		{"it does without", version + "func StrictNewVersion(v string) (*Version, error) { return nil, nil }", "regexp.(*Regexp).FindString .match .NewVersion main.main", "StrictNewVersion"},
		{"it comes there by another way", version + "func StrictNewVersion(v string) (*Version, error) { return NewVersion(v) }", "regexp.(*Regexp).FindString .match .NewVersion main.main", ""},
		{"it takes something else", version + "func StrictNewVersion(v []byte) (*Version, error) { return nil, nil }", "regexp.(*Regexp).FindString .match .NewVersion main.main", ""},
		{"it gives something else", version + "func StrictNewVersion(v string) error { return nil }", "regexp.(*Regexp).FindString .match .NewVersion main.main", ""},
		{"another name", version + "func NewConstraint(v string) (*Version, error) { return nil, nil }", "regexp.(*Regexp).FindString .match .NewVersion main.main", ""},
		{"it changes something", version + "func SaveNewVersion(v string) (*Version, error) { return nil, nil }", "regexp.(*Regexp).FindString .match .NewVersion main.main", ""},
		{"deprecated", version + "// Deprecated: use NewVersion.\nfunc StrictNewVersion(v string) (*Version, error) { return nil, nil }", "regexp.(*Regexp).FindString .match .NewVersion main.main", ""},
		{"the source does not say how it comes there", version + "func StrictNewVersion(v string) (*Version, error) { return nil, nil }", "sort.Sort .NewVersion main.main", ""},
	}
	for _, test := range tests {
		all := stack(test.functions)
		f := unpark.Finding{Class: unpark.ClassCPU, Path: all, Culprit: &all[0]}
		if got := names(of(t, test.text).For([]unpark.Finding{f}), unpark.OfferInstead); got != test.want {
			t.Errorf("%s: %q, want %q", test.what, got, test.want)
		}
	}
}

// TestMadeFor: what a call makes for itself is kept where it is made of a part of what the call is given and costs, or has
// the call's method and keeps something between calls.
func TestMadeFor(t *testing.T) {
	const query = `
type Query struct{}

func (q *Query) Search(data any) any { return nil }

func Compile(expression string) (*Query, error) { return nil, nil }
`
	const puller = `
type Puller struct{ seen sync.Map }

func (p *Puller) Head(name string) error { return p.ask(name) }

func (p *Puller) ask(name string) error { return nil }

func newPuller(o int) *Puller { return nil }

func NewPuller(options ...int) (*Puller, error) { return newPuller(0), nil }
`
	tests := []struct {
		what, text, functions string
		class                 unpark.Class
		want                  string
	}{
		{"compiled for each search", query + "func Search(expression string, data any) any { q, _ := Compile(expression); return q.Search(data) }", ".Compile .Search main.main", unpark.ClassCPU, "Compile"},
		{"it is the search that costs", query + "func Search(expression string, data any) any { q, _ := Compile(expression); return q.Search(data) }", ".(*Query).Search .Search main.main", unpark.ClassCPU, ""},
		{"it takes all that is given", query + "func Find(expression string) any { q, _ := Compile(expression); return q }", ".Compile .Find main.main", unpark.ClassCPU, ""},
		{"of the bytes of one request", "type Doc struct{}\n\nfunc (d *Doc) Get(key string) any { return nil }\n\nfunc Parse(b []byte) *Doc { return nil }\n\nfunc Get(b []byte, key string) any { return Parse(b).Get(key) }", ".Parse .Get main.main", unpark.ClassCPU, ""},
		{"what is asked again", puller + "func Head(name string, options ...int) error { return newPuller(len(options)).Head(name) }", "net/http.(*Client).Do .(*Puller).ask .(*Puller).Head .Head main.main", unpark.ClassDownstream, "NewPuller"},
		{"it keeps nothing", strings.ReplaceAll(puller, "seen sync.Map", "seen int") + "func Head(name string, options ...int) error { return newPuller(len(options)).Head(name) }", "net/http.(*Client).Do .(*Puller).ask .(*Puller).Head .Head main.main", unpark.ClassDownstream, ""},
		{"another method", puller + "func Look(name string, options ...int) error { return newPuller(len(options)).Head(name) }", "net/http.(*Client).Do .(*Puller).ask .(*Puller).Head .Look main.main", unpark.ClassDownstream, ""},
	}
	for _, test := range tests {
		if got := told(t, unpark.OfferKeep, test.class, test.text, test.functions); got != test.want {
			t.Errorf("%s: %q, want %q", test.what, got, test.want)
		}
	}
}

// TestGrows: loops through one parameter within each other, or through two, around what costs.
func TestGrows(t *testing.T) {
	for text, want := range map[string]string{
		"for i := range s { for j := range s[i:] { strings.ToLower(s[i:i+j]) } }":                      "Find",
		"n := len(s); for i := 0; i < n; i++ { for j := i; j < n; j++ { strings.ToLower(s[i:j]) } }":   "Find",
		"r := []rune(s); for range r { for range of { strings.ToLower(s) } }":                          "Find",
		"for range s { strings.ToLower(s) }":                                                           "",
		"for range s { for range s { } }; strings.ToLower(s)":                                          "",
		"for range s { for range 3 { strings.ToLower(s) } }":                                           "",
		"for _, word := range of { for range word { strings.ToLower(s) } }":                            "",
		"for range s { do(func() { for range s { strings.ToLower(s) } }) }":                            "",
		"for i := 0; i < n(); i++ { for j := 0; j < len(s); j++ { strings.ToLower(s) } }; _ = len(of)": "",
	} {
		text = "func Find(s string, of []string) { " + text + " }\n\nfunc Seek(s string) { Find(s, nil) }"
		for class, want := range map[unpark.Class]string{unpark.ClassCPU: want, unpark.ClassLock: ""} {
			if got := told(t, unpark.OfferBound, class, text, "strings.ToLower .Find .Seek main.main"); got != want {
				t.Errorf("%s, %s: %q, want %q", text, class, got, want)
			}
		}
	}
}

// TestUnset: what is worked out only where a setting is empty, also one that is handed on as a parameter; not what
// depends on something of the call, and not on what no user sets.
func TestUnset(t *testing.T) {
	const options = "type Config struct{ Dir string; made bool }\n\ntype Gate struct{ Config; lanes *Lane; Left *Gate }\n\ntype Lane struct{}\n\nfunc New(c Config) *Gate { return nil }\n\nfunc probe() string { return \"\" }\n\n"
	for text, want := range map[string]string{
		"func (g *Gate) Enter() { if g.Dir == \"\" { probe() } }":                                                                                  "Config.Dir",
		"func (g *Gate) Enter() { if g.Dir != \"\" { return }; probe() }":                                                                          "Config.Dir",
		"func (g *Gate) Enter() { if g.Dir != \"\" { probe() } }":                                                                                  "",
		"func (g *Gate) Enter() { if g.Dir == \"x\" { probe() } }":                                                                                 "",
		"func (g *Gate) Enter() { Dir := g.find(); if Dir == \"\" { probe() } }":                                                                   "",
		"func (g *Gate) Enter() { if g.Left == nil { probe() } }":                                                                                  "",
		"func (g *Gate) Enter(Dir string) { if Dir == \"\" { probe() } }":                                                                          "",
		"func (g *Gate) Enter() { if g.lanes == nil { probe() } }\n\nfunc WithLanes(l *Lane) func(*Gate) { return func(g *Gate) { g.lanes = l } }": "WithLanes",
	} {
		if got := told(t, unpark.OfferSwitch, unpark.ClassCPU, options+text, ".probe .(*Gate).Enter main.main"); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
	const handed = options + "func folder(dir string) string { if dir != \"\" { return dir }; return probe() }\n\n"
	for text, want := range map[string]string{
		"func (g *Gate) Enter() { folder(g.Dir) }": "Config.Dir",
		"func (g *Gate) Enter() { folder(\"\") }":  "",
	} {
		if got := told(t, unpark.OfferSwitch, unpark.ClassCPU, handed+text, ".probe .folder .(*Gate).Enter main.main"); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// TestFlagged: a parameter of the call that is a switch for what costs.
func TestFlagged(t *testing.T) {
	for text, want := range map[string]string{
		"func Find(s string, validate bool) { find(s, validate) }\n\nfunc find(s string, validate bool) { if validate { walk(s) } }":                                                 "Find(validate)",
		"func Find(s string, writable bool) { find(s, writable) }\n\nfunc find(s string, writable bool) { if writable { walk(s) } }":                                                 "",
		"func Find(s string, all bool) { find(s, all) }\n\nfunc find(s string, validate bool) { if validate { walk(s) } }":                                                           "",
		"func Find(s string, lines bool) { find(s, lines) }\n\nfunc find(s string, lines bool) { if !lines { walk(s) } }":                                                            "",
		"// Find looks. If lines is true, a faster way goes first.\nfunc Find(s string, lines bool) { find(s, lines) }\n\nfunc find(s string, lines bool) { if !lines { walk(s) } }": "Find(lines)",
		"func Find(s string, deep int) { find(s, deep) }\n\nfunc find(s string, deep int) { if deep > 1 { walk(s) } }":                                                               "",
	} {
		if got := told(t, unpark.OfferSwitch, unpark.ClassCPU, text+"\n\nfunc walk(s string) {}", ".walk .find .Find main.main"); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// TestOtherSorts: another constructor or another type that has the method, and a function of many for one of two.
func TestOtherSorts(t *testing.T) {
	for text, want := range map[string]string{
		"func New() *Gate { return nil }\n\nfunc NewBuffered(n int) *Gate { return nil }":                            "NewBuffered",
		"func New() *Gate { return nil }\n\nfunc NewNamed(n string) *Gate { return nil }":                            "",
		"type BatchGate struct{}\n\nfunc (g *BatchGate) Enter() {}\n\nfunc NewBatchGate() *BatchGate { return nil }": "NewBatchGate",
		"type BatchGate struct{}\n\nfunc (g *BatchGate) Leave() {}\n\nfunc NewBatchGate() *BatchGate { return nil }": "",
		"func FastEnter(gates ...*Gate) {}":                "FastEnter",
		"func FastEnter(gates ...string) {}":               "",
		"func NewMockBuffered(n int) *Gate { return nil }": "",
		"type MockBatchGate struct{}\n\nfunc (g *MockBatchGate) Enter() {}\n\nfunc NewMockBatchGate() *MockBatchGate { return nil }": "",
	} {
		if got := told(t, unpark.OfferCall, unpark.ClassChannel, "type Gate struct{}\n\nfunc (g *Gate) Enter() {}\n\n"+text, ".(*Gate).Enter main.main"); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// TestForeign: the settings of what another constructor of the package makes are of something else, and what carries data
// has none.
func TestForeign(t *testing.T) {
	const codec = `
type Encoder struct{}
type EOption func(*Encoder)
type Decoder struct{}
type DOption func(*Decoder)

func NewWriter(opts ...EOption) *Encoder { return nil }
func NewReader(opts ...DOption) *Decoder { return nil }

func WithEncoderConcurrency(concurrency int) EOption { return func(e *Encoder) { e.concurrency = concurrency } }
func WithDecoderConcurrency(concurrency int) DOption { return func(d *Decoder) { d.concurrency = concurrency } }

// Window is what a decoder keeps.
type Window struct {
	// MaxBuffer is how many wait.
	MaxBuffer int
}

func NewWindow() *Window { return nil }
func (w *Window) Slide() { _ = w.MaxBuffer }

func (d *Decoder) Decode() { _ = d.concurrency }
func (e *Encoder) Encode() { _ = e.concurrency }
func Both(d *Decoder) { _ = d.concurrency }
`
	for functions, want := range map[string]string{
		".(*Decoder).Decode main.main": "WithDecoderConcurrency",
		".(*Encoder).Encode main.main": "WithEncoderConcurrency",
		".Both main.main":              "WithDecoderConcurrency WithEncoderConcurrency",
		".(*Window).Slide main.main":   "Window.MaxBuffer",
	} {
		if got := told(t, unpark.OfferSetting, unpark.ClassChannel, codec, functions); got != want {
			t.Errorf("%s: %q, want %q", functions, got, want)
		}
	}
	const carried = "type %s struct {\n\t// BatchSize is a number.\n\tBatchSize int\n}\n\nfunc (x *%s) Send() { _ = x.BatchSize }\n\nfunc New() *%s { return nil }\n"
	for name, want := range map[string]string{"Sender": "Sender.BatchSize", "SendRequest": "", "SendInfo": ""} {
		if got := told(t, unpark.OfferSetting, unpark.ClassChannel, strings.ReplaceAll(carried, "%s", name), ".(*"+name+").Send main.main"); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// TestCacheOfReads: of what reads, how much the library keeps is a setting wherever it is read; of what writes it is not.
func TestCacheOfReads(t *testing.T) {
	const store = "type Options struct{ BlockCacheSize, BlockMaxSize int }\n\nfunc Open(o Options) *Store { return nil }\n\ntype Store struct{}\n\nfunc (s *Store) Get(k string) { decode() }\n\nfunc (s *Store) Put(k string) { decode() }\n\nfunc decode() {}\n"
	for name, want := range map[string]string{"Get": "Options.BlockCacheSize", "Put": ""} {
		if got := told(t, unpark.OfferSetting, unpark.ClassCPU, store, ".decode .(*Store)."+name+" main.main"); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// TestWithout: a switch whose name says that it leaves out what costs.
func TestWithout(t *testing.T) {
	const store = "type Config struct{ NoListSync, Quiet bool }\n\nfunc New(c Config) *Gate { return nil }\n\ntype Gate struct{ Config }\n\nfunc (g *Gate) Enter() { if !g.NAME { g.list() } }\n\nfunc (g *Gate) list() {}\n"
	for name, want := range map[string]string{"NoListSync": "Config.NoListSync", "Quiet": ""} {
		if got := told(t, unpark.OfferSwitch, unpark.ClassAlloc, strings.ReplaceAll(store, "NAME", name), ".(*Gate).list .(*Gate).Enter main.main"); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// TestStandIns: what a module has for tests is not read.
func TestStandIns(t *testing.T) {
	for name, want := range map[string]bool{
		"mockbroker.go": true, "mocks.go": true, "client_mock.go": true, "fake_clock.go": true, "testing.go": true, "testutil.go": true,
		"broker.go": false, "test_run.go": false, "stubborn.go": false, "faker.go": false,
	} {
		if got := forTests.MatchString(name); got != want {
			t.Errorf("%s: %t", name, got)
		}
	}
	p := parsed(t, "type MockFetch struct{}\n\nfunc (m *MockFetch) SetSize(n int) {}\n\nfunc NewMockFetch(size int) *MockFetch { return nil }\n\nfunc Mockup() {}\n\nfunc NewFakeGate() {}\n\nfunc NewGate() {}\n")
	if got := strings.Join(slices.Sorted(maps.Keys(p.funcs)), " "); got != "Mockup NewGate" || len(p.structs) > 0 {
		t.Errorf("it has %q, %v", got, p.structs)
	}
}
