package slowdown

import (
	"flag"
	"fmt"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
)

var update = flag.Bool("update", false, "write the golden files")

// at is a line of the sample by the first words on it within a function.
func at(t *testing.T, src, function, text string) int {
	t.Helper()
	inside := function == ""
	for i, line := range strings.Split(src, "\n") {
		inside = inside || strings.Contains(line, function)
		if inside && strings.Contains(line, text) {
			return i + 1
		}
	}
	t.Fatalf("no %q in %q", text, function)
	return 0
}

type place struct {
	name, function  string // symbol
	within, line    string // words of the declaration, and of the line after it
	lock            bool
	want, wantWhere string
}

const (
	begins = "at the beginning of the function"
	behind = "inside the critical section, behind Lock"
	before = "inside the critical section, before Unlock"
)

func places() []place {
	const s = "example.com/places.(*store)."
	return []place{
		{"deferred, at the return", s + "deferred", ") deferred(", "return s.n", true, "	s.mu.Lock();delay() // waits", behind},
		{"deferred, at the last brace", s + "deferred", ") deferred(", "	s.n++", true, "	s.mu.Lock();delay() // waits", behind},
		{"deferred, its wrapper", s + "deferred.deferwrap1", ") deferred(", "defer s.mu", true, "	s.mu.Lock();delay() // waits", behind},
		{"the waiter's line", s + "deferred", ") deferred(", "s.mu.Lock", true, "	s.mu.Lock();delay() // waits", behind},
		{"unlocked in two ways", s + "plain", ") plain(", "	s.mu.Unlock()", true, "	s.mu.Lock();delay()", behind},
		{"the first section of two", s + "two", ") two(", "s.mu.Unlock", true, "	delay();s.mu.Unlock()", before},
		{
			"a read lock", s + "reads", ") reads(", "reads", true,
			"func (s *store) reads() int { s.mu.RLock();delay(); defer s.mu.RUnlock(); return s.n }", behind,
		},
		{"a deferred literal", s + "literal.func1", ") literal(", "		s.mu.Unlock", true, "		delay();s.mu.Unlock()", before},
		{"a deferred literal, from outside", s + "literal", ") literal(", "	work()", true, "	s.mu.Lock();delay()", behind},
		{"an Unlock alone, over lines", s + "unlocks", ") unlocks(", "mu.Unlock", true, "	delay();s.", before},
		{"inside a case", s + "cases", ") cases(", "s.mu.Unlock", true, "		s.mu.Lock();delay()", behind},
		{"Lock as a condition", s + "condition", ") condition(", "s.mu.Unlock", true, "		delay();s.mu.Unlock()", before},
		{"a function", "example.com/places.work", "func work", "work", false, "func work() {delay();}", begins},
		{"a function on one line", "example.com/places.oneLine", "func oneLine", "oneLine", false, "func oneLine() int {delay(); return 1 }", begins},
		{"a literal", "example.com/places.handler.func1", "func handler", "_ = i", false, "	return func() {delay();", begins},
		{"a literal in it", "example.com/places.handler.func1.1", "func handler", "func() { work", false, "			func() {delay(); work() }()", begins},
		{"a loop body", "example.com/places.handler.func1-range1", "func handler", "_ = i", false, "	return func() {delay();", begins},
		{"a generic method", "example.com/places.(*pair[...]).method", "pair[K, V]) method", "work", false, "func (p *pair[K, V]) method() {delay();", begins},
		{"a generic function", "example.com/places.generic[go.shape.int]", "func generic", "work", false, "func generic[T any](t T) {delay(); // with a comment", begins},
		{"a variable", "example.com/places.init.func1", "var variable", "work", false, "var variable = func() {delay();", begins},
		{"a variable, as older versions call it", "example.com/places.glob..func1", "var variable", "work", false, "var variable = func() {delay();", begins},
		{"work before the lock", s + "plain", ") plain(", "work", false, "func (s *store) plain(k int) {delay();", begins},
		{"work behind it", s + "plain", ") plain(", "s.n = k", false, "	s.mu.Lock();delay()", behind},
		{"work behind a way out", s + "early", ") early(", "s.n += k", false, "	s.mu.Lock();delay()", behind},
		{"work under a deferred Unlock", s + "deferred", ") deferred(", "	s.n++", false, "	s.mu.Lock();delay() // waits", behind},
	}
}

func TestInsert(t *testing.T) {
	text, err := os.ReadFile("testdata/places.go.txt")
	if err != nil {
		t.Fatal(err)
	}
	src := string(text)
	var all strings.Builder
	for _, p := range places() {
		t.Run(p.name, func(t *testing.T) {
			line := at(t, src, p.within, p.line)
			got, err := spot(p, line).Insert(text, "delay")
			if err != nil {
				t.Fatal(err)
			}
			was, is := strings.Split(src, "\n"), strings.Split(string(got.Text), "\n")
			if len(was) != len(is) {
				t.Fatalf("%d lines became %d", len(was), len(is))
			}
			first := 0
			for i := range was {
				if was[i] != is[i] {
					if first == 0 {
						first = i + 1
					}
					fmt.Fprintf(&all, "%s: %d %s\n", p.name, i+1, is[i])
				}
			}
			if first != got.Line || is[got.Line-1] != p.want || got.Where != p.wantWhere || got.Package != "places" {
				t.Errorf("line %d of %d: %q, %s, package %s", got.Line, first, is[first-1], got.Where, got.Package)
			}
			if _, err := parser.ParseFile(token.NewFileSet(), "x.go", got.Text, 0); err != nil {
				t.Error(err)
			}
		})
	}
	golden(t, "testdata/places.golden", all.String())
}

func spot(p place, line int) Spot {
	return Spot{Site: unpark.Site{Function: p.function, File: "/src/places.go", Line: line}, Lock: p.lock}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(name, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil || string(want) != got {
		t.Errorf("%s differs (-update writes it):\n%s", name, got)
	}
}

func TestInsertRefuses(t *testing.T) {
	text, err := os.ReadFile("testdata/places.go.txt")
	if err != nil {
		t.Fatal(err)
	}
	src := string(text)
	for _, c := range []struct {
		place
		src  string
		want string
	}{
		{place{function: "p.(*store).both", within: ") both(", line: "work", lock: true}, src, "several locks go by defer (s.mu, other.mu)"},
		{place{function: "p.work", within: "func work", line: "work", lock: true}, src, "neither the Lock nor the Unlock"},
		{place{function: "p.pinned", within: "func pinned", line: "work"}, src, "go:nosplit"},
		{place{function: "p.assembly", within: "func assembly", line: "assembly"}, src, "assembly"},
		{place{function: "p.gone", within: "func work", line: "work"}, src, "no p.gone at line"},
		{place{function: "p.work.func1", within: "func work", line: "work"}, src, "was it changed"},
		{place{function: "p.f", line: "f()"}, "package p\n\nimport \"C\"\n\nfunc f() {}\n", "cgo"},
		{place{function: "p.f", line: "f()"}, "package p\n\n//line a.y:3\nfunc f() {}\n", "line directive"},
		{place{function: "p.f", line: "f()"}, "package p\n\nfunc f() {\n", "does not parse"},
	} {
		t.Run(c.want, func(t *testing.T) {
			got, err := spot(c.place, at(t, c.src, c.within, c.line)).Insert([]byte(c.src), "delay")
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, inserted at %d", err, got.Line)
			}
		})
	}
	if _, err := (Spot{Site: unpark.Site{Function: "p.f", File: "f_amd64.s", Line: 3}}).Insert(text, "delay"); err == nil || !strings.Contains(err.Error(), "not a Go source") {
		t.Errorf("assembly: %v", err)
	}
}

// Two places of one file are found one after the other: no line moved.
func TestInsertTwice(t *testing.T) {
	text, err := os.ReadFile("testdata/places.go.txt")
	if err != nil {
		t.Fatal(err)
	}
	var some []place
	for _, p := range places() {
		if p.name == "deferred, at the return" || p.name == "the waiter's line" || p.name == "a function" {
			some = append(some, p)
		}
	}
	for i, p := range some {
		got, err := spot(p, at(t, string(text), p.within, p.line)).Insert(text, fmt.Sprint("delay", i))
		if err != nil {
			t.Fatal(err)
		}
		text = got.Text
	}
	if !strings.Contains(string(text), "	s.mu.Lock();delay1();delay0() // waits") || !strings.Contains(string(text), "func work() {delay2();}") {
		t.Errorf("got\n%s", text)
	}
}

func TestSymbols(t *testing.T) {
	for function, want := range map[string]symbol{
		"main.main":                            {"", "main", false},
		"main.main.func1":                      {"", "main", true},
		"main.main.func1.2.3":                  {"", "main", true},
		"main.main.gowrap2":                    {"", "main", false},
		"a.b/c.v2/d%2ee.(*T).M":                {"T", "M", false},
		"a/b.T.M-fm":                           {"T", "M", false},
		"a/b.(*T[...]).M.func1-range2":         {"T", "M", true},
		"a/b.F-range1":                         {"", "F", false},
		"a/b.F[go.shape.struct { x/y.A int }]": {"", "F", false},
		"a/b.init.func3":                       {"", "init", true},
		"a/b.glob..func3":                      {"", "glob", true},
		"a/b.(*T).M.func1.deferwrap1":          {"T", "M", true},
		"command-line-arguments.function1":     {"", "function1", false},
	} {
		if got := parseSymbol(function); got != want {
			t.Errorf("%s: %+v", function, got)
		}
	}
}

func TestSourceIsGo(t *testing.T) {
	at := Spot{Site: unpark.Site{Function: "example.com/places.work"}}
	d := at.Delay(2, "/src/places.go")
	src := d.Source("places")
	if formatted, err := format.Source([]byte(src)); err != nil || string(formatted) != src {
		t.Errorf("not as gofmt writes it: %v\n%s", err, formatted)
	}
	for _, want := range []string{"package places\n", "func " + d.Call() + "()", d.Env(1, 1, "")[0][:len("UNPARK_DELAY_NS_2")]} {
		if !strings.Contains(src, want) {
			t.Errorf("no %q in\n%s", want, src)
		}
	}
	if at.Delay(1, "a") == at.Delay(1, "b") || at.Delay(1, "a") == (Spot{}).Delay(1, "a") || d != at.Delay(2, "/src/places.go") {
		t.Error("names do not follow from places")
	}
}
