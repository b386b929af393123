package nearest

import (
	"slices"
	"strings"
	"testing"
)

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "ab", 2}, {"kitten", "sitting", 3}, {"ab", "ba", 1}, {"größe", "grosse", 3}} {
		if got := distance(c.a, c.b); got != c.want || distance(c.b, c.a) != c.want {
			t.Errorf("%q to %q: %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

// TestFirst: a misspelling and an abbreviation come before what only has as many letters; what is like none changes nothing.
func TestFirst(t *testing.T) {
	known := []string{"package", "args", "urls", "method", "body", "rate", "connections", "seconds"}
	for word, want := range map[string]string{"secs": "seconds", "second": "seconds", "url": "urls", "conns": "connections", "pkg": "package", strings.Repeat("x", 1<<20): "package"} {
		got := First(word, known)
		if got[0] != want || len(got) != len(known) {
			t.Errorf("%.20s: %q, want %q first", word, got, want)
		}
		if slices.Sort(got); !slices.Equal(got, slices.Sorted(slices.Values(known))) {
			t.Errorf("%.20s: %q are not the known ones", word, got)
		}
	}
}
