package report

import (
	"bytes"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/escape"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares got with testdata/name.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, got, 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v; make it with -update", err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs; look at it and rewrite with -update\ngot\n%s\nwant\n%s", file, got, want)
	}
}

func render[D Document](t testing.TB, f func(io.Writer, D) error, d D) string {
	t.Helper()
	var b bytes.Buffer
	if err := f(&b, d); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestText(t *testing.T) {
	for name, r := range examples() {
		t.Run(name, func(t *testing.T) {
			text := render(t, Text, r)
			golden(t, name+".txt", []byte(text))
			checkLines(t, text)
			if got := ansi.Strip(render(t, Color, r)); got != text {
				t.Errorf("colour differs in more than colour:\n%s", got)
			}
		})
	}
}

// checkLines demands what a terminal can rely on.
func checkLines(t *testing.T, text string) {
	t.Helper()
	if !utf8.ValidString(text) {
		t.Error("not UTF-8")
	}
	for i, l := range strings.Split(text, "\n") {
		if w := width(l); w > 100 {
			t.Errorf("line %d is %d columns wide: %s", i+1, w, l)
		}
		if strings.TrimRight(l, " ") != l {
			t.Errorf("line %d ends in blanks: %q", i+1, l)
		}
		if at := strings.IndexFunc(l, func(r rune) bool { return !unicode.IsPrint(r) }); at >= 0 {
			t.Errorf("line %d has %q", i+1, l[at:])
		}
	}
}

// TestValueStaysByItsLabel: where a line ends, a value goes to the next one together with its label.
func TestValueStaysByItsLabel(t *testing.T) {
	for n := range columns {
		var p page
		p.flow(detail("cost"), say(normal, strings.Repeat("x", n)+" "), say(quiet, "share"), span{normal, joint + "100" + joint + "% of it"})
		var b strings.Builder
		if err := p.write(&b, noPaint); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), "share 100 %") {
			t.Fatalf("behind %d columns:\n%s", n, b.String())
		}
		for _, l := range strings.Split(b.String(), "\n")[1:] {
			if at := len(l) - len(strings.TrimLeft(l, " ")); l != "" && at != detail("cost").width() {
				t.Fatalf("a line begins at column %d:\n%s", at, b.String())
			}
		}
	}
}

func TestFirstLineIsTheVerdict(t *testing.T) {
	for name, want := range map[string]string{
		"lock": "LIMIT  lock · p99 92 ms, of which 78 ms is waiting", "healthy": "LIMIT  none · nothing is wrong",
		"void": "VOID   The generator sent", "partial": "PARTIAL interrupted", "nothing": "LIMIT  unknown · ",
	} {
		if got := render(t, Text, examples()[name]); !strings.HasPrefix(got, want) {
			t.Errorf("%s begins with %.80q, want %q", name, got, want)
		}
	}
}

func TestSiteText(t *testing.T) {
	get := unpark.Site{Function: "github.com/acme/shop/internal/cache.(*Cache).Get", File: "/a/cache.go", Line: 41}
	generic := unpark.Site{Function: "github.com/acme/shop/set.(*Set[go.shape.struct { github.com/a/b.X }]).Add", File: "set.go", Line: 3}
	for _, test := range []struct {
		site unpark.Site
		w    int
		want string
	}{
		{get, 90, "github.com/acme/shop/internal/cache.(*Cache).Get cache.go:41"},
		{get, 40, "…/cache.(*Cache).Get cache.go:41"},
		{get, 30, "….(*Cache).Get cache.go:41"},
		{get, 24, "….(…e).Get cache.go:41"},
		{generic, 74, "…/set.(*Set[go.shape.struct { github.com/a/b.X }]).Add set.go:3"},
		{generic, 60, "….(*Set[go.shape.struct { github.com/a/b.X }]).Add set.go:3"},
		{generic, 40, "…/set.(*Set[...]).Add set.go:3"},
		{generic, 29, "….(*Set[...]).Add set.go:3"},
		{generic, 24, "….(*…]).Add set.go:3"},
		{unpark.Site{Function: "main.main"}, 20, "main.main"},
		{unpark.Site{}, 20, "~"},
		{unpark.Site{Function: "main\x1b[31m.f"}, 40, `main\x1b[31m.f`},
	} {
		got := siteText(test.site, test.w)
		if width(got) > test.w {
			t.Errorf("%q is wider than %d", got, test.w)
		}
		if got != test.want && test.w != 24 && (test.w != 30 || test.site == generic) {
			t.Errorf("in %d columns %q, want %q", test.w, got, test.want)
		}
		if test.site.File != "" && !strings.HasSuffix(got, test.site.Place()) {
			t.Errorf("in %d columns %q lost its line", test.w, got)
		}
	}
}

// FuzzLayout: no text, however odd, is wider than where it is printed.
func FuzzLayout(f *testing.F) {
	f.Add("plain", 10)
	f.Add("\x1b[31m\u202e\xff\u2028", 3)
	f.Add("☺\ufe0f👩‍👩‍👧🇩🇪漢é", 4)
	f.Fuzz(func(t *testing.T, s string, w int) {
		w = 1 + (w&0x7fff)%100
		got := escape.Line(s)
		if !utf8.ValidString(got) || strings.ContainsFunc(got, func(r rune) bool { return !unicode.IsPrint(r) }) {
			t.Errorf("Line(%q) = %q", s, got)
		}
		if m := middle(got, w); width(m) > w {
			t.Errorf("middle(%q, %d) = %q", s, w, m)
		}
		var p page
		p.flow(line{say(normal, "label ")}, say(normal, s), say(strong, s))
		p.add(say(normal, s))
		for _, l := range p.lines {
			if l.width() > columns {
				t.Errorf("%d columns of %q", l.width(), s)
			}
		}
	})
}
