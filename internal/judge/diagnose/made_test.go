package diagnose

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
)

// TestOverMade: what waits for an answer is told of the client that each request makes, by the wait below its constructor; not where
// that is of another module, or where what is called there makes nothing.
func TestOverMade(t *testing.T) {
	wait := func(function, module, site string) unpark.Finding {
		at := unpark.Site{Function: "example.org/" + function, File: module + "@v1.0.0/x.go"}
		return unpark.Finding{Class: unpark.ClassDownstream, Way: []unpark.Part{{Site: at}}, Site: unpark.Site{Function: site}, Remedies: []unpark.Remedy{{Title: "ask less"}}}
	}
	search := wait("elastic.(*Search).Do", "example.org/elastic", "main.search")
	for what, c := range map[string]struct {
		other unpark.Finding
		want  string
	}{
		"it is made for each request":    {wait("elastic.NewClient", "example.org/elastic", "main.connect"), "Call elastic.NewClient once for all requests, and keep what it makes: main.connect calls it for each"},
		"of another module":              {wait("redis.NewClient", "example.org/redis", "main.connect"), "ask less"},
		"another call of the same":       {wait("elastic.(*Index).Do", "example.org/elastic", "main.index"), "ask less"},
		"nothing is known of its module": {unpark.Finding{Class: unpark.ClassDownstream}, "ask less"},
	} {
		findings := []unpark.Finding{search, c.other}
		overMade(findings)
		if got := findings[0].Remedies[0].Title; got != c.want {
			t.Errorf("%s: %q, want %q", what, got, c.want)
		}
		if len(c.other.Remedies) > 0 && !strings.HasPrefix(findings[1].Remedies[0].Title, "ask less") {
			t.Errorf("%s: the other is told %q", what, findings[1].Remedies[0].Title)
		}
	}
}
