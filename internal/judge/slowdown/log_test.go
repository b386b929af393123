package slowdown

import (
	"math"
	"strings"
	"testing"
	"time"
)

func TestReadLog(t *testing.T) {
	l, err := readCounts(strings.NewReader("1000000000 0 0\n2000000000 100 5000\n3000000000 400 20000\n4000000000 4"))
	if err != nil || len(l) != 3 {
		t.Fatalf("%v, %v", l, err)
	}
	at := func(s float64) time.Time { return time.Unix(0, int64(s*1e9)) }
	for _, c := range []struct{ from, to, calls, spent float64 }{
		{1, 2, 100, 5e-6},
		{1.5, 2.5, 200, 10e-6},
		{0, 10, 400, 20e-6}, // born and gone inside
		{5, 6, 0, 0},
		{0, 0.5, 0, 0},
	} {
		calls, spent := l.between(at(c.from), at(c.to))
		if math.Abs(calls-c.calls) > 1e-6 || math.Abs(spent-c.spent) > 1e-12 {
			t.Errorf("%v–%v: %v calls, %v s", c.from, c.to, calls, spent)
		}
	}
	if l, err := readCounts(strings.NewReader("")); err != nil || len(l) != 0 {
		t.Errorf("nothing: %v, %v", l, err)
	}
	for text, want := range map[string]string{
		"1 2\n":                                 "line 1: 2 fields",
		"1 2 3\n1 x 3\n":                        `line 2: "x" is not a count`,
		"1 -2 3\n":                              "not a count",
		"5 2 3\n4 2 3\n":                        "line 2: it goes backwards",
		"1 2 " + strings.Repeat("9", 400):       "line 1: ",
		"1 2 99999999999999999999999999\n":      "not a count",
		"1 2 3\n\n":                             "line 2: 0 fields",
		strings.Repeat("1 2 3\n", 3) + "\x00\n": "line 4",
	} {
		if _, err := readCounts(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q: %v", text, err)
		}
	}
}

func FuzzReadLog(f *testing.F) {
	f.Add("1000000000 0 0\n2000000000 100 5000\n")
	f.Add("1 2 3")
	f.Add("9223372036854775807 9223372036854775807 9223372036854775807\n")
	f.Fuzz(func(t *testing.T, text string) {
		l, err := readCounts(strings.NewReader(text))
		if err != nil {
			return
		}
		calls, spent := l.between(time.Unix(0, 0), time.Unix(1, 0))
		if !(calls >= 0 && spent >= 0) {
			t.Errorf("%v calls, %v s", calls, spent)
		}
	})
}

// FuzzInsert inserts into sources at any line: what comes out has the same lines and
// still parses, or there is an error.
func FuzzInsert(f *testing.F) {
	f.Add("package p\n\nfunc (s *T) f() { s.mu.Lock()\ndefer s.mu.Unlock()\n}\n", "p.(*T).f", 3, true)
	f.Add("package p\nfunc f() {}\n", "p.f", 2, false)
	f.Add("package p\nvar f = func() { g() }\n", "p.init.func1", 2, false)
	f.Add("package p\nfunc f() {\nx: mu.RLock()\n for { mu.RUnlock(); goto x } }\n", "p.f", 4, true)
	f.Fuzz(func(t *testing.T, src, function string, line int, lock bool) {
		at := Spot{Lock: lock}
		at.Site.Function, at.Site.File, at.Site.Line = function, "a.go", line
		got, err := at.Insert([]byte(src), "delay")
		if err != nil {
			return
		}
		if strings.Count(src, "\n") != strings.Count(string(got.Text), "\n") {
			t.Fatalf("lines moved:\n%s", got.Text)
		}
		if _, err := read(got.Text, "a.go"); err != nil {
			t.Fatalf("%v:\n%s", err, got.Text)
		}
	})
}
