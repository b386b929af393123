package roles

import (
	"strings"
	"testing"
)

func TestTablesAreSound(t *testing.T) {
	type key struct {
		pattern string
		role    Role
	}
	seen := map[key]bool{}
	for _, e := range tables() {
		k := key{e.pattern, e.role}
		switch {
		case seen[k]:
			t.Errorf("%s stands twice in the same role", e.pattern)
		case e.why == "":
			t.Errorf("%s has no reason", e.pattern)
		case strings.Count(e.pattern, "*")-strings.Count(e.pattern, "(*") > 1 || e.pattern == "*":
			t.Errorf("%s is no prefix", e.pattern)
		case canonical(strings.TrimSuffix(e.pattern, "*")) != strings.TrimSuffix(e.pattern, "*"):
			t.Errorf("%s is not written as symbols are compared", e.pattern)
		case (e.role == waits || e.role == waitBelow) != (e.class != ""):
			t.Errorf("%s: class %q in role %d", e.pattern, e.class, e.role)
		}
		seen[k] = true
	}
}
