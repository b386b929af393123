package mcp

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
)

// TestPages: all lines are on some page, none is over the budget, and each says where the next is.
func TestPages(t *testing.T) {
	var b strings.Builder
	for i := range 700 {
		fmt.Fprintf(&b, "line %d with some words in it\n", i)
	}
	b.WriteString(strings.Repeat("é", 2000) + "\nlast")
	whole := said("%s", b.String())
	var all string
	pages := 0
	for i := 1; ; i++ {
		page := whole.of(i).page()
		if strings.HasPrefix(page, "there is no page") {
			break
		}
		if pages = i; len(page) > pageBytes+60 {
			t.Errorf("page %d has %d bytes", i, len(page))
		}
		all += page
	}
	for _, want := range []string{"line 0 ", "line 350 ", "line 699 ", "éé…", "last\n", fmt.Sprintf("(page 1 of %d: page=2 has more)", pages), fmt.Sprintf("(page %d of %d: that is all)", pages, pages)} {
		if !strings.Contains(all, want) {
			t.Errorf("no page has %q", want)
		}
	}
	if strings.Contains(all, strings.Repeat("é", lineBytes)) {
		t.Error("a line was not cut")
	}
	if page := said("one").of(3).page(); page != "there is no page 3: the last is 1\n" {
		t.Errorf("a page too far is %q", page)
	}
}

// TestLoadFlags: no value becomes a flag of its own.
func TestLoadFlags(t *testing.T) {
	flags, args, err := load{
		Package: "--out=/etc", URLs: []string{"-x"}, Rate: "5/s", Connections: 3, Body: "--", Method: "PUT", Args: []string{"--flag"},
	}.flags()
	want := []string{"--pkg=--out=/etc", "--url=-x", "--method=PUT", "--body=--", "--rate=5/s", "--connections=3"}
	if err != nil || !slices.Equal(flags, want) || !slices.Equal(args, []string{"--flag"}) {
		t.Errorf("%q %q %v", flags, args, err)
	}
	for _, bad := range []load{{Connections: -1}, {Args: []string{"a"}}} {
		if _, _, err := bad.flags(); err == nil {
			t.Errorf("%+v is accepted", bad)
		}
	}
}

// TestAlsoFlags: services that run are named to unpark run, and no command is.
func TestAlsoFlags(t *testing.T) {
	flags, err := findInput{Also: []string{"a=http://127.0.0.1:6061", "a=unix:///run/p.sock", "b=4711"}}.also()
	if want := []string{"--also=a=http://127.0.0.1:6061", "--also=a=unix:///run/p.sock", "--also=b=4711"}; err != nil || !slices.Equal(flags, want) {
		t.Errorf("%q %v", flags, err)
	}
	for _, bad := range []string{"", "4711", "=4711", "a=", "a=./b -addr :1", "a=sh", "a=/bin/x://y", "a=http://b c", "a= 5", "a=http://b\tc"} {
		if flags, err := (findInput{Also: []string{bad}}).also(); err == nil {
			t.Errorf("%q becomes %q", bad, flags)
		}
	}
}

// TestSandwich: values are counted once, also of a function that calls itself.
func TestSandwich(t *testing.T) {
	f := unpark.Flame{
		Kind: unpark.KindCPU, Unit: "s", Total: 10,
		Names: []string{"main\x00main.go:1", "work\x00work.go:1", "other\x00o.go:1", "leaf\x00l.go:1"},
		//            main work work leaf other work
		Name:  []int{0, 1, 1, 3, 2, 1},
		Depth: []int{0, 1, 2, 3, 1, 2},
		Value: []float64{10, 6, 4, 3, 4, 2},
		Self:  []float64{0, 2, 1, 3, 2, 2},
	}
	s := cut(f, "work")
	if s.total != 8 || s.callers["main"] != 6 || s.callers["other"] != 2 || s.callees["work"] != 4 || s.callees["(itself)"] != 4 {
		t.Errorf("%+v", s)
	}
	text := sandwichOf([]unpark.Flame{f}, unpark.Finding{Site: unpark.Site{Function: "work"}})
	if !strings.Contains(text, "caller,main,6,0.750\n") || !strings.Contains(text, "callee,work,4,0.500\n") {
		t.Errorf("%s", text)
	}
	if text := sandwichOf([]unpark.Flame{f}, unpark.Finding{Site: unpark.Site{Function: "none"}}); text != "" {
		t.Errorf("of a function that is in no profile: %s", text)
	}
}

// TestSource: source is quoted where it lies in the service's folder, and no other file is, whatever a profile names.
func TestSource(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "service")
	secret := filepath.Join(root, "secret.go")
	for name, text := range map[string]string{
		filepath.Join(dir, "go.mod"): "module a\n", filepath.Join(dir, "a.go"): "package a\n\nfunc A() {\n\tb()\x1b[31m\n}\n",
		filepath.Join(dir, "secret.txt"): "secret\n", secret: "package secret\n",
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(secret, filepath.Join(dir, "link.go")); err != nil {
		t.Fatal(err)
	}
	s := &Server{c: Config{Dir: dir}}
	both := unpark.Finding{Site: unpark.Site{Function: "f", File: filepath.Join(dir, "a.go"), Line: 4}, Waiter: &unpark.Site{Function: "f", File: filepath.Join(dir, "a.go"), Line: 3}}
	if text := s.sources(both); strings.Count(text, "func A()") != 1 || !strings.Contains(text, ">    3 ") || !strings.Contains(text, ">    4 ") || !strings.Contains(text, "source of f, lines 3, 4 of a.go") {
		t.Errorf("two lines of a function:\n%s", text)
	}
	both.Waiter.Function = "g"
	if text := s.sources(both); strings.Count(text, "func A()") != 2 {
		t.Errorf("lines of two functions:\n%s", text)
	}
	of := func(file string, line int) string {
		return s.sources(unpark.Finding{Site: unpark.Site{Function: "f", File: file, Line: line}})
	}
	if text := of(filepath.Join(dir, "a.go"), 4); !strings.Contains(text, `>    4     b()\x1b[31m`) || !strings.Contains(text, "     1 package a") {
		t.Errorf("%s", text)
	}
	for _, name := range []string{secret, filepath.Join(dir, "..", "secret.go"), filepath.Join(dir, "link.go"), filepath.Join(dir, "secret.txt"), "/etc/hostname", "a.go", ""} {
		if text := of(name, 1); text != "" {
			t.Errorf("%s was opened:\n%s", name, text)
		}
	}
	// A workspace's other modules are as much the user's own as this one.
	if err := os.WriteFile(filepath.Join(root, "go.work"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if text := of(secret, 1); !strings.Contains(text, "package secret") {
		t.Errorf("of the workspace: %q", text)
	}
	if text := of(filepath.Join(root, "..", "secret.go"), 1); text != "" {
		t.Errorf("outside of the workspace:\n%s", text)
	}
}

// TestExcerpts: what is far apart is quoted apart.
func TestExcerpts(t *testing.T) {
	at := func(line int) *unpark.Site { return &unpark.Site{Function: "f", File: "a.go", Line: line} }
	got := excerptsOf(at(20), nil, at(20), at(8), at(100), at(32), at(0), at(44), at(57))
	if want := "[{f a.go [8 20 32 44]} {f a.go [100]} {f a.go [57]}]"; fmt.Sprint(got) != want {
		t.Errorf("%v, want %s", got, want)
	}
}
