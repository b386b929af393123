package evidence

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/exectrace"
)

// TestAsked: what waits on a goroutine that a library starts for requests is what the line of the service asked for that the go statement is
// below; not where that goroutine is the service's own, or serves the request, or is started once.
func TestAsked(t *testing.T) {
	sites := func(stack string) []unpark.Site {
		out := sitesOf(stack)
		for i := range out {
			if strings.HasPrefix(out[i].Function, "lib.") {
				out[i].File = "example.org/lib@v1.0.0/lib.go"
			}
		}
		return out
	}
	for _, c := range []struct {
		what, waits, begins, creator string
		count                        int64
		want                         string
	}{
		{"one call for all that want the same", "net/http.(*Client).Do lib.fetch lib.once.func1", "lib.once.func1", "lib.once lib.Get" + handler, 30, "lib.once lib.Get main.list"},
		{"seldom started", "net/http.(*Client).Do lib.fetch lib.once.func1", "lib.once.func1", "lib.once lib.Get" + handler, 1, ""},
		{"another goroutine", "net/http.(*Client).Do lib.fetch lib.poll", "lib.once.func1", "lib.once lib.Get" + handler, 30, ""},
		{"the service's own goroutine", "net/http.(*Client).Do lib.fetch main.list.func1", "main.list.func1", "main.list" + serve, 30, ""},
		{"the request's", "net/http.(*Client).Do lib.fetch" + serve, "lib.once.func1", "lib.once lib.Get" + handler, 30, ""},
		{"started by what is no request", "net/http.(*Client).Do lib.fetch lib.once.func1", "lib.once.func1", "lib.once lib.tick", 30, ""},
	} {
		p := newProfiles(Input{Window: window(10)})
		trace := &exectrace.Trace{Stacks: [][]unpark.Site{nil, sites(c.begins), sites(c.creator)}, Starts: map[int32]map[int32]int64{1: {2: c.count}}}
		w := waits{p, &traces{window: p, all: []*exectrace.Trace{trace}, fair: []int{0}, count: 100}}
		var got []string
		for _, s := range w.asked(sites(c.waits)) {
			got = append(got, s.Function)
		}
		if g := strings.Join(got, " "); g != c.want {
			t.Errorf("%s: %q, want %q", c.what, g, c.want)
		}
	}
}
