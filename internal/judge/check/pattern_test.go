package check

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark/internal/nearest"
)

func TestMatches(t *testing.T) {
	const get = "github.com/acme/shop/store.(*DB).Get"
	for _, c := range []struct {
		pattern, function string
		want              bool
	}{
		{get, get, true},
		{"store.(*DB).Get", get, true},
		{"store.(*DB).Ge", get, false},
		{"(*DB).Get", get, false},
		{"*(*DB).Get", get, true},
		{"store.*", get, true},
		{"sto*.*Get", get, true},
		{"store.*Put", get, false},
		{"*", get, true},
		{"**", get, true},
		{"github.com/acme/*", get, true},
		{"github.com/other/*", get, false},
		{"", get, false},
		{"a*a", "a", false},
		{"a*a", "aa", true},
		{"store.Map[a/b.c].Get", "x/store.Map[a/b.c].Get", true},
		{"puddle.(*Pool).Acquire", "github.com/jackc/puddle/v2.(*Pool).Acquire", true}, // as it is shown
		{"v2.(*Pool).Acquire", "github.com/jackc/puddle/v2.(*Pool).Acquire", true},
		{"jackc.(*Pool).Acquire", "github.com/jackc/puddle/v2.(*Pool).Acquire", false},
		{"main.render", "main.render", true},
		{"main.render", "main.render.func1", false},
	} {
		if got := matches(c.pattern, c.function); got != c.want {
			t.Errorf("%q fits %q: %v", c.function, c.pattern, got)
		}
	}
}

func TestSuggestion(t *testing.T) {
	for word, want := range map[string]string{
		"p9": `"p90" or "p95" or "p99"`, "throughptu": `"throughput"`, "waiter": `"waiters"`, "no_finding": `"no_findings"`,
		"cpu_per_requests": `"cpu_per_request"`, "zebra": "", "": "", strings.Repeat("throughput", 9): "",
	} {
		got := nearest.Suggestion(word, keys())
		if (want == "") != (got == "") || !strings.Contains(got, want) {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
}

// TestRecorded: what is built in can be read, and is of three services.
func TestRecorded(t *testing.T) {
	all := recorded()
	if len(all) != 3 {
		t.Fatalf("%d services", len(all))
	}
	for _, s := range all {
		if len(s.Runs) != 40 || s.Runs[0]["throughput"] <= 0 || s.Name == "" {
			t.Errorf("%s: %d runs, %v", s.Name, len(s.Runs), s.Runs[0])
		}
	}
}
