package owner

import (
	"strings"
	"testing"
)

// TestForks: a library's function with a part of its own that is worth a name, beside one of its own package that has most of it, is one
// cause; not where the rest is too small for a name, nor where what has most is of another package.
func TestForks(t *testing.T) {
	for name, c := range map[string]struct{ stacks, want string }{
		"both are worth a name":     {"main.get main.each lib.Read lib.rows 52\nmain.get main.each lib.Read 33\nmain.get main.other 15", "lib.Read"},
		"the rest is not":           {"main.get main.each lib.Read lib.rows 70\nmain.get main.each lib.Read 15\nmain.get main.other 15", "lib.rows"},
		"most is another library's": {"main.get main.each lib.Read codec.rows 52\nmain.get main.each lib.Read 33\nmain.get main.other 15", "codec.rows lib.Read"},
	} {
		var got []string
		for _, o := range Find(grown(c.stacks), 0.3, true) {
			got = append(got, o.Culprit.Function)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %v, want %s", name, got, c.want)
		}
	}
}
