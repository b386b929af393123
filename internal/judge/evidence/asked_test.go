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

// TestAbove: of a stack that is deeper than what is kept of it the rest is known up to the application's line, the outer part where
// that is more than is kept.
func TestAbove(t *testing.T) {
	for deep, want := range map[int]struct {
		n     int
		first string
	}{
		maxStack - 1: {0, ""}, maxStack: {1, "main.list"}, maxStack + 5: {6, "lib.f"}, 3 * maxStack: {maxStack, "lib.f"},
	} {
		p := newProfiles(Input{Window: window(10)})
		sites := sitesOf(strings.Repeat("lib.f ", deep) + handler)
		got := waits{p, &traces{window: p}}.wait(place{site: sites[deep]}, &sum{stack: sites}, 1, 1, sourceTrace, 1)
		if len(got.Above) != want.n || want.n > 0 && (got.Above[0].Function != want.first || got.Above[want.n-1].Function != "main.list") {
			t.Errorf("of %d frames %d are above, want %d from %q: %v", deep, len(got.Above), want.n, want.first, got.Above)
		}
		if !got.Asked.IsZero() {
			t.Errorf("of %d frames a goroutine is asked for by %v", deep, got.Asked)
		}
	}
}
