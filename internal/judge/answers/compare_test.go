package answers_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/unpark-go/unpark/internal/judge/answers"
)

var steps = []answers.Step{answers.Cold, answers.Again, answers.Again, answers.Later, answers.Later, answers.Written, answers.Written, answers.UnderLoad, answers.UnderLoad}

// served makes a series of what a service says: each start and step has a number of its own.
func served(start int, body func(start, step int) string) answers.Series {
	var s answers.Series
	for i := range steps {
		s = append(s, answers.Answer{Status: 200, Type: "application/json", Body: []byte(body(start, i))})
	}
	return s
}

// TestCompare: what varies of its own accord may, all else may not.
func TestCompare(t *testing.T) {
	constant := func(text string) func(int, int) string { return func(int, int) string { return text } }
	id := func(start, step int) string { return fmt.Sprintf("%04d-%04d", start*7919%9973, step*104729%9973) }
	turned := func(start, step int) string {
		all := []string{`{"a":1}`, `{"a":2}`, `{"a":3}`}
		k := (start + step) % 3
		return "[" + strings.Join(slices.Concat(all[k:], all[:k]), ",") + "]"
	}
	for _, c := range []struct {
		name          string
		before, after func(start, step int) string
		want          string // part of the difference; empty: equal
		varies        string
	}{
		{"equal", constant(`{"a":1}`), constant(`{"a":1}`), "", ""},
		{"another form", constant(`{"a":1.0,"b":[]}`), constant(` {"b":[], "a":1}`), "", ""},
		{"another value", constant(`{"a":{"b":[1,2]}}`), constant(`{"a":{"b":[1,3]}}`), "$.a.b[1]: before 2, after 3 (just started)", ""},
		{"dropped", constant(`{"a":[1,2],"b":1}`), constant(`{"a":[1],"b":1}`), "$.a: before 2 elements, after 1", ""},
		{"a key less", constant(`{"a":1,"b":1}`), constant(`{"a":1}`), "$.b: before 1, after it is missing", ""},
		{"a key more", constant(`{"a":1}`), constant(`{"a":1,"c":2}`), "$.c: before it is missing, after 2", ""},
		{"an identifier", func(a, b int) string { return `{"id":"` + id(a, b) + `","p":1}` }, func(a, b int) string { return `{"id":"` + id(a+5, b) + `","p":1}` }, "", "$.id"},
		{"an identifier that is built differently", func(a, b int) string { return `{"id":"` + id(a, b) + `"}` }, constant(`{"id":"x"}`), `$.id: before "`, "$.id"},
		{"an identifier that is null", func(a, b int) string { return `{"id":"` + id(a, b) + `"}` }, constant(`{"id":null}`), `after <nil>`, "$.id"},
		{"beside an identifier", func(a, b int) string { return `{"id":"` + id(a, b) + `","p":1}` }, func(a, b int) string { return `{"id":"` + id(a+5, b) + `","p":2}` }, "$.p", "$.id"},
		{"any order", turned, func(a, b int) string { return turned(a+1, b) }, "", "$"},
		{"sorted where any order was", turned, constant(`[{"a":1},{"a":2},{"a":3}]`), "", "$"},
		{"any order of other elements", turned, constant(`[{"a":1},{"a":2},{"a":4}]`), "$[", "$"},
		{"text", constant("hello world\nx 1\n"), constant("hello world\nx 2\n"), "$[1][2]", ""},
		{"a time in text", func(a, b int) string { return "at " + id(a, b) + "\nx\n" }, func(a, b int) string { return "at " + id(a+3, b) + "\nx\n" }, "", "$[0][2]"},
		{"what a write changed", func(_, b int) string { return fmt.Sprintf(`{"n":%d}`, b/5) }, func(_, b int) string { return fmt.Sprintf(`{"n":%d}`, b/5) }, "", ""},
		{"kept over a write", func(_, b int) string { return fmt.Sprintf(`{"n":%d}`, b/5) }, constant(`{"n":0}`), "$.n: before 1, after 0 (after a write)", ""},
		{"one that grows", func(_, b int) string { return fmt.Sprintf(`{"n":%d}`, b) }, constant(`{"n":0}`), "(again)", ""},
		{"a time that is kept", func(a, b int) string { return `{"at":"` + id(a, b) + `"}` }, constant(`{"at":"1234-5678"}`), "it is kept", "$.at"},
		{"a wrong answer beside others", constant(`{"a":1}`), func(_, b int) string { return fmt.Sprintf(`{"a":%d}`, 1+b/8) }, "(beside others)", ""},
	} {
		v := answers.Compare([]answers.Series{served(1, c.before), served(2, c.before)}, served(3, c.after), steps)
		if c.want == "" && v.Difference != "" || !strings.Contains(v.Difference, c.want) {
			t.Errorf("%s: the difference is %q, want %q", c.name, v.Difference, c.want)
		}
		if got := strings.Join(v.Varies, " "); !strings.HasPrefix(got, c.varies) || c.varies == "" && got != "" {
			t.Errorf("%s: %q varies, want %q", c.name, got, c.varies)
		}
	}
}

// TestHeads: a status, a type or a place that before never had is a difference.
func TestHeads(t *testing.T) {
	ok := answers.Answer{Status: 200, Type: "text/plain", Body: []byte("x")}
	for name, after := range map[string]answers.Answer{
		"status":       {Status: 503, Type: "text/plain", Body: []byte("x")},
		"Content-Type": {Status: 200, Type: "text/html", Body: []byte("x")},
		"Location":     {Status: 200, Type: "text/plain", Place: "/", Body: []byte("x")},
		"no answer":    {Failed: "EOF"},
	} {
		v := answers.Compare([]answers.Series{{ok}, {ok}}, answers.Series{after}, []answers.Step{answers.Cold})
		if !strings.HasPrefix(v.Difference, name) {
			t.Errorf("%s: the difference is %q", name, v.Difference)
		}
	}
	sometimes := answers.Answer{Status: 429, Type: "text/plain", Body: []byte("x")}
	if v := answers.Compare([]answers.Series{{ok}, {sometimes}}, answers.Series{sometimes}, []answers.Step{answers.Cold}); v.Difference != "" {
		t.Errorf("a status that before had as well is a difference: %s", v.Difference)
	}
}

// TestStale: a value is fresh where it changed each time; of one that changes now and then nothing can be said.
func TestStale(t *testing.T) {
	still := func(int, int) string { return `{"v":"a-b"}` }
	rarely := func(start, step int) string { return fmt.Sprintf(`{"v":"%d-%d"}`, start, step/4) }
	if v := answers.Compare([]answers.Series{served(1, rarely), served(2, rarely)}, served(3, still), steps); v.Difference != "" {
		t.Errorf("a value that changes now and then: %s", v.Difference)
	}
	seconds := func(start, step int) string { return fmt.Sprintf(`{"v":"%d-%d"}`, start, max(0, min(step, 4)-2)) }
	v := answers.Compare([]answers.Series{served(1, seconds), served(2, seconds)}, served(3, still), steps)
	if !strings.Contains(v.Difference, "each time it was asked later") {
		t.Errorf("a value that changes by the second: %q", v.Difference)
	}
}

// FuzzCompare: no body is too odd, and what is equal to itself is equal.
func FuzzCompare(f *testing.F) {
	f.Add([]byte(`{"a":[1,2,{"b":null}]}`), []byte(`{"a":[1,"2"]}`))
	f.Add([]byte("a\nb \xff\x00"), []byte(`1e999999999`))
	f.Fuzz(func(t *testing.T, a, b []byte) {
		of := func(body []byte) answers.Series { return answers.Series{{Status: 200, Body: body}} }
		at := []answers.Step{answers.Cold}
		answers.Compare([]answers.Series{of(a), of(b)}, of(a), at)
		if v := answers.Compare([]answers.Series{of(a), of(a)}, of(a), at); v.Difference != "" || len(v.Varies) > 0 {
			t.Errorf("%q is not equal to itself: %+v", a, v)
		}
		if v := answers.Compare([]answers.Series{of(a), of(b)}, of(b), at); v.Difference != "" {
			t.Errorf("%q was an answer of before: %s", b, v.Difference)
		}
	})
}
