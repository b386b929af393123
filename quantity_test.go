package unpark_test

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/unpark-go/unpark"
)

func TestUnknownIsNeverZero(t *testing.T) {
	tests := []struct {
		name string
		n    unpark.Number
		json string
	}{
		{"zero value", unpark.Number{}, "null"},
		{"measured nothing", unpark.Num(0), "0"},
		{"measured", unpark.Num(1.5), "1.5"},
		{"not a number", unpark.Num(math.NaN()), "null"},
		{"infinite", unpark.Num(math.Inf(1)), "null"},
		{"divided by nothing", unpark.Ratio(3, 0), "null"},
		{"divided", unpark.Ratio(3, 2), "1.5"},
	}
	for _, test := range tests {
		b, err := json.Marshal(test.n)
		if err != nil || string(b) != test.json {
			t.Errorf("%s: %s, %v; want %s", test.name, b, err, test.json)
		}
		var back unpark.Number
		if err := json.Unmarshal(b, &back); err != nil || back != test.n {
			t.Errorf("%s: came back as %v, %v", test.name, back, err)
		}
	}
	var n unpark.Number
	if err := json.Unmarshal([]byte(`"many"`), &n); err == nil {
		t.Error("a text was read as a number")
	}
}

func TestQuantity(t *testing.T) {
	q := unpark.Between(2, 3, 1, "s", 7)
	if low, _ := q.Low.Get(); low != 1 {
		t.Errorf("bounds in the wrong order stayed: %v", q)
	}
	for v, want := range map[float64]bool{0.9: false, 1: true, 3: true, 3.1: false} {
		if q.Contains(v) != want {
			t.Errorf("Contains(%v) = %v", v, !want)
		}
	}
	if unpark.Measured(2, "s", 1).Contains(2) {
		t.Error("a quantity without an interval contains something")
	}
	// Unknown parts of a cost are left out, and do not come back as zero.
	b, err := json.Marshal(unpark.Cost{MeanWaiters: q})
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"mean_waiters":{"value":2,"unit":"s","low":1,"high":3,"n":7}}`; string(b) != want {
		t.Errorf("got %s, want %s", b, want)
	}
}

func TestKinds(t *testing.T) {
	seen := map[string]bool{}
	for _, k := range unpark.Kinds() {
		if seen[k.File()] {
			t.Errorf("%s shares its file %s", k, k.File())
		}
		seen[k.File()] = true
		if k.Rated() && k.Reading() != unpark.Cumulative {
			t.Errorf("%s: a rated kind counts since the start", k)
		}
	}
	if unpark.KindCPU.Endpoint() != "profile" || unpark.KindHeap.Endpoint() != "heap" {
		t.Error("endpoints are not those of net/http/pprof")
	}
}

func TestSite(t *testing.T) {
	s := unpark.Site{Function: "a/b.(*T).M", File: "/src/b/t.go", Line: 7}
	if s.String() != "a/b.(*T).M t.go:7" || s.Place() != "t.go:7" || s.IsZero() {
		t.Errorf("%q at %q", s, s.Place())
	}
	if (unpark.Site{Function: "f"}).String() != "f" || !(unpark.Site{}).IsZero() {
		t.Error("a site without a file")
	}
}
