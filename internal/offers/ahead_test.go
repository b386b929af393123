package offers

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
)

// TestAhead: what the first request waits for may be done before it; not what is done for each, nor what takes or gives something else.
func TestAhead(t *testing.T) {
	const index = `
type Index struct{ fresh bool }

func (x *Index) Find(v int) int {
	x.update()
	return v
}

func (x *Index) update() {
	if x.fresh {
		return
	}
	x.sort()
}

func (x *Index) sort() {}

// Build builds it now.
func (x *Index) Build() { x.update() }
`
	const path = ".(*Index).sort .(*Index).update .(*Index).Find main.main"
	for what, c := range map[string]struct {
		class      unpark.Class
		text, want string
	}{
		"the first waits":        {unpark.ClassLock, index, "Index.Build"},
		"or computes":            {unpark.ClassCPU, index, "Index.Build"},
		"it asks elsewhere":      {unpark.ClassDownstream, index, ""},
		"each does it":           {unpark.ClassLock, strings.Replace(index, "\tif x.fresh {\n\t\treturn\n\t}\n", "", 1), ""},
		"it takes something":     {unpark.ClassLock, strings.Replace(index, "Build()", "Build(v int)", 1), ""},
		"it gives something":     {unpark.ClassLock, strings.Replace(index, "Build()", "Build() int", 1), ""},
		"it does something else": {unpark.ClassLock, strings.Replace(index, "{ x.update() }", "{ x.sort() }", 1), ""},
	} {
		if got := told(t, unpark.OfferAhead, c.class, c.text, path); got != c.want {
			t.Errorf("%s: %q, want %q", what, got, c.want)
		}
	}
}
