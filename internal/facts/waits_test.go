package facts

import (
	"testing"

	"github.com/unpark-go/unpark"
)

// TestMeeting: the innermost common function, by the way from the outside in.
func TestMeeting(t *testing.T) {
	stack := func(functions ...string) []unpark.Site {
		var out []unpark.Site
		for _, f := range functions {
			out = append(out, unpark.Site{Function: f})
		}
		return out
	}
	for _, c := range []struct {
		name         string
		taken, given []unpark.Site
		i, j         int
	}{
		{"one calls both", stack("lock", "begin", "update", "main"), stack("unlock", "close", "commit", "update", "main"), 2, 3},
		{"one does both", stack("lock", "get", "main"), stack("unlock", "get", "main"), 1, 1},
		{"another goroutine", stack("lock", "get", "main"), stack("unlock", "flush", "worker"), -1, -1},
		{"the same name further in is another call", stack("get", "main"), stack("get", "serve", "main"), 1, 2},
		{"nothing is known", nil, stack("main"), -1, -1},
	} {
		if i, j := Meeting(c.taken, c.given); i != c.i || j != c.j {
			t.Errorf("%s: %d %d, want %d %d", c.name, i, j, c.i, c.j)
		}
	}
}
