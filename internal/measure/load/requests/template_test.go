package requests_test

import (
	"errors"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/unpark-go/unpark/internal/measure/load/requests"
)

func values(t testing.TB, specs ...string) requests.Values {
	t.Helper()
	v, err := requests.ReadValues(specs, files(map[string]string{
		"users": "ann\r\nbob b\n\ncäsar&co\n", "one": "1", "c:/x": "drive", "empty": "\n\n", "bad": "a\nb\x00c\n",
	}))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func render(t testing.TB, text string, v requests.Values, seed uint64, k int64) string {
	t.Helper()
	c, err := requests.Compile([]byte(text), v)
	if err != nil {
		t.Fatal(err)
	}
	return string(c.Append(nil, seed, k))
}

func TestTemplateRenders(t *testing.T) {
	v := values(t, "user=users:seq", "any=users", "c=c:/x")
	for _, c := range []struct {
		text string
		k    int64
		want string
	}{
		{"", 3, ""},
		{"plain {text}}", 3, "plain {text}}"},
		{"{{counter}}", 41, "41"},
		{"a{{ counter }}b{{counter}}", 7, "a7b7"},
		{"{{{{counter}} {{counter}}", 1, "{{counter}} 1"},
		{"{{user}}", 0, "ann"},
		{"{{user}}", 1, "bob b"},
		{"{{user}}", 5, "cäsar&co"},
		{"{{c}}", 5, "drive"},
	} {
		if got := render(t, c.text, v, 1, c.k); got != c.want {
			t.Errorf("%q for request %d: %q, want %q", c.text, c.k, got, c.want)
		}
	}
	if got := render(t, "/{{user}}", v.Escaped().Escaped(), 1, 2); got != "/c%C3%A4sar%26co" {
		t.Errorf("escaped once: %q", got)
	}
	if got := render(t, "/{{user}}", v.Escaped(), 1, 1); got != "/bob%20b" {
		t.Errorf("escaped: %q", got)
	}
}

// TestTemplateIsPure: the same seed and request give the same bytes; one name has
// one value in a request; another seed, request or name another.
func TestTemplateIsPure(t *testing.T) {
	v := values(t, "any=users")
	uuid := regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)
	seen := map[string]bool{}
	counts := map[string]int{}
	sum := 0.0
	const n = 3000
	for k := range int64(n) {
		id := render(t, "{{uuid}}", v, 9, k)
		if !uuid.MatchString(id) || seen[id] {
			t.Fatalf("request %d: %q is no UUID of version 4, or a second one", k, id)
		}
		seen[id] = true
		if again := render(t, "x{{uuid}}", v, 9, k); again != "x"+id {
			t.Fatalf("request %d: %q and %q in one request", k, id, again)
		}
		r, err := strconv.ParseUint(render(t, "{{random}}", v, 9, k), 10, 64)
		if err != nil || r >= 1<<53 {
			t.Fatalf("request %d: random %d, %v", k, r, err)
		}
		sum += float64(r) / (1 << 53)
		counts[render(t, "{{any}}", v, 9, k)]++
	}
	if math.Abs(sum/n-0.5) > 0.03 {
		t.Errorf("random numbers have mean %.3f of their range", sum/n)
	}
	for line, c := range counts {
		if math.Abs(float64(c)-n/3.0) > 150 {
			t.Errorf("line %q was drawn %d times of %d", line, c, n)
		}
	}
	if render(t, "{{uuid}}{{random}}", v, 9, 1) == render(t, "{{uuid}}{{random}}", v, 10, 1) {
		t.Error("the seed makes no difference")
	}
}

func TestTemplateFixed(t *testing.T) {
	for text, want := range map[string]bool{"": true, "a{{{{b": true, "{{counter}}": false} {
		c, err := requests.Compile([]byte(text), requests.Values{})
		if err != nil || c.Fixed() != want {
			t.Errorf("%q: fixed %v, %v", text, c.Fixed(), err)
		}
	}
}

func TestTemplateErrors(t *testing.T) {
	v := values(t, "user=users", "Zone-1=one")
	for text, want := range map[string]string{
		"ab{{usr}}":   "template at byte 2: {{usr}}: there is no such value; known are {{counter}}, {{random}}, {{uuid}}, {{Zone-1}}, {{user}}",
		"{{}}":        "{{}}: there is no such value",
		"{{user}":     "template at byte 0: \"{{user}\" has no closing }}; write {{{{ for a literal {{",
		"x {{#each}}": "there is no such value",
	} {
		if _, err := requests.Compile([]byte(text), v); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
}

func TestReadValuesErrors(t *testing.T) {
	open := files(map[string]string{"users": "a", "empty": "\n\r\n", "bad": "a\nb\x00c\n"})
	for spec, want := range map[string]string{
		"users":         "not a name and a file; write user=users.txt",
		"user=":         "not a name and a file",
		"user=:seq":     "not a name and a file",
		"1x=users":      "a name has letters",
		"=users":        "a name has letters",
		"uuid=users":    "{{uuid}} has a meaning already",
		"user=none":     `values "user=none": open none: file does not exist`,
		"user=empty":    "empty: it holds no value",
		"user=bad:seq":  `bad:2: "b\x00c": control characters`,
		"a b=users:seq": "a name has letters",
	} {
		if _, err := requests.ReadValues([]string{spec}, open); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", spec, err, want)
		}
	}
	if _, err := requests.ReadValues([]string{"a=users", "a=users"}, open); err == nil || !strings.Contains(err.Error(), "twice") {
		t.Errorf("one name twice: %v", err)
	}
	large := func(string) ([]byte, error) { return make([]byte, 64<<20+1), nil }
	if _, err := requests.ReadValues([]string{"a=large"}, large); err == nil || !strings.Contains(err.Error(), "longer than 64 MB") {
		t.Errorf("too large: %v", err)
	}
	failing := func(string) ([]byte, error) { return nil, errDisk }
	if _, err := requests.ReadValues([]string{"a=x"}, failing); !errors.Is(err, errDisk) {
		t.Errorf("the cause is lost: %v", err)
	}
}

func TestAppendAllocatesNothing(t *testing.T) {
	c, err := requests.Compile([]byte(`{"id":"{{uuid}}","n":{{counter}},"r":{{random}},"u":"{{user}}","s":"{{s}}"}`), values(t, "user=users", "s=users:seq"))
	if err != nil {
		t.Fatal(err)
	}
	dst, k := make([]byte, 0, 4096), int64(0)
	if n := testing.AllocsPerRun(1000, func() { dst = c.Append(dst[:0], 1, k); k++ }); n != 0 {
		t.Errorf("%v allocations a request", n)
	}
}

func BenchmarkAppend(b *testing.B) {
	c, err := requests.Compile([]byte(`{"id":"{{uuid}}","n":{{counter}},"u":"{{user}}"}`), values(b, "user=users"))
	if err != nil {
		b.Fatal(err)
	}
	dst, k := make([]byte, 0, 4096), int64(0)
	for b.Loop() {
		dst = c.Append(dst[:0], 1, k)
		k++
	}
}

// FuzzCompile: what compiles renders the same bytes again, and text without
// braces renders itself.
func FuzzCompile(f *testing.F) {
	for _, s := range []string{"", "{{counter}}", "a{{{{b}}", "{{uuid}}{{user}}", "{{{{{{random}}", "}}{{"} {
		f.Add([]byte(s), uint64(1), int64(2))
	}
	v := values(f, "user=users")
	f.Fuzz(func(t *testing.T, text []byte, seed uint64, k int64) {
		c, err := requests.Compile(text, v)
		if err != nil {
			return
		}
		got := string(c.Append(nil, seed, k))
		if got != string(c.Append(nil, seed, k)) {
			t.Fatal("two renderings of one request differ")
		}
		if !strings.Contains(string(text), "{{") && got != string(text) {
			t.Fatalf("%q rendered %q", text, got)
		}
	})
}
