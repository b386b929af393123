//go:build linux

package prove

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
)

// TestWeaker: less of anything is weaker, more is not, and the port that a service chose is no difference.
func TestWeaker(t *testing.T) {
	get := func(port, target string, weight float64) unpark.Request {
		return unpark.Request{Method: "GET", URL: "http://127.0.0.1:" + port + target, Weight: weight}
	}
	was := func() unpark.Plan {
		return unpark.Plan{Mode: unpark.Constant, RateRPS: 100, Duration: 10, Requests: []unpark.Request{get("1", "/a", 9), get("1", "/b?x=1", 1)}}
	}
	for _, c := range []struct {
		name   string
		change func(*unpark.Plan)
		want   string
	}{
		{"the same", func(*unpark.Plan) {}, ""},
		{"another port", func(p *unpark.Plan) { p.Requests = []unpark.Request{get("2", "/a", 9), get("2", "/b?x=1", 1)} }, ""},
		{"a higher rate", func(p *unpark.Plan) { p.RateRPS = 200 }, ""},
		{"shorter rounds, enough of them", func(p *unpark.Plan) { p.Duration = 5 }, ""},
		{"shorter rounds, too few", func(p *unpark.Plan) { p.Duration = 4 }, "2 rounds of 4 s are 8 s in all, and the window lasts 10 s in before"},
		{"a lower rate", func(p *unpark.Plan) { p.RateRPS = 99 }, "the rate is 99 req/s, and 100 req/s in before"},
		{"another mode", func(p *unpark.Plan) { p.Mode = unpark.Poisson }, "mode poisson"},
		{"a request less", func(p *unpark.Plan) { p.Requests = p.Requests[:1] }, "GET http://127.0.0.1:1/b?x=xxxxx is not requested"},
		{"a request more", func(p *unpark.Plan) { p.Requests = append(p.Requests, get("1", "/health", 0.001)) }, "/health is requested, and not in before"},
		{"a rarer request", func(p *unpark.Plan) { p.Requests[1].Weight = 0.5 }, "has 5.3 % of the requests, and 10.0 % in before"},
		{"another body", func(p *unpark.Plan) { p.Requests[0].Body = []byte("x") }, "is not requested"},
		{"another query", func(p *unpark.Plan) { p.Requests[1].URL = "http://127.0.0.1:1/b?x=2" }, "is not requested"},
		{"another host", func(p *unpark.Plan) { p.Requests[0].URL = "http://10.0.0.1/a" }, "is not requested"},
	} {
		p := was()
		c.change(&p)
		got := strings.Join(weaker(p, Held{Name: "before", Plan: was()}, 2), "; ")
		if c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	closed := unpark.Plan{Mode: unpark.Closed, Connections: 4}
	if got := weaker(closed, Held{Name: "before", Plan: unpark.Plan{Mode: unpark.Closed, Connections: 8}}, 1); len(got) != 1 {
		t.Errorf("fewer connections: %q", got)
	}
	if got := weaker(closed, Held{Name: "before", Plan: unpark.Plan{Mode: unpark.Closed, Connections: 50}, Requests: true}, 1); len(got) != 0 {
		t.Errorf("a plan that names requests alone: %q", got)
	}
	if got := weaker(was(), Held{Name: "before", Plan: was().Redacted(), Redacted: true}, 2); len(got) != 0 {
		t.Errorf("the same plan in a document: %q", got)
	}
}

func TestRestore(t *testing.T) {
	root := t.TempDir()
	before, after := root+"/before", root+"/after"
	lay(t, before, map[string]string{"a.go": "a", "a_test.go": "a", "gone_test.go": "g", "testdata/x": "x", "sub/same_test.go": "s"})
	lay(t, after, map[string]string{"a.go": "b", "a_test.go": "b", "new_test.go": "n", "testdata/x": "y", "sub/same_test.go": "s"})
	replaced, err := restore(before, after)
	if want := "a_test.go (changed) new_test.go (added) testdata/x (changed) gone_test.go (deleted)"; err != nil || strings.Join(replaced, " ") != want {
		t.Errorf("%q, %v, want %q", replaced, err, want)
	}
	is, err := testFiles(after)
	if err != nil || len(is) != 4 || string(is["a_test.go"]) != "a" || string(is["testdata/x"]) != "x" {
		t.Errorf("the tests are %q, %v", is, err)
	}
}
