package diagnose_test

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/diagnose"
)

// TestSeldomHeld: a lock that a goroutine which is no request holds seldom and for long is to be let go in between, and with a function
// under it that is to run without it; not one that requests hold, that most requests meet, that is held for a moment, or across a sleep.
func TestSeldomHeld(t *testing.T) {
	background := stack("sync.(*Mutex).Unlock", "app.(*Cache).expire", "app.(*Cache).sweep")
	request := stack("sync.(*Mutex).Unlock", "app.(*Cache).expire", "net/http.(*conn).serve")
	for name, c := range map[string]struct {
		holder []unpark.Site
		count  float64
		held   string
		want   string
	}{
		"a sweep":                {background, 1000, "", "Go through it in parts: in app.(*Cache).expire"},
		"a sweep that computes":  {background, 1000, "app.digest", "Hold it for less work: move app.digest"},
		"a request":              {request, 1000, "", "Hold it for less work"},
		"most requests meet it":  {background, 6000, "", "Hold it for less work"},
		"it is held for moments": {background, 4900, "", "Hold it for less work"},
		"it sleeps":              {background, 1000, "time.Sleep", "Hold it for less work: move time.Sleep"},
	} {
		l := contended(40, 0.3)
		l.Count, l.Releases = c.count, 10
		l.Holder, l.HolderAll = c.holder[1], c.holder
		if c.held != "" {
			l.Held = []facts.SiteSum{{Site: fn(c.held), Value: 3}}
		}
		ev := calm()
		ev.Locks = []facts.Lock{l}
		_, findings, _ := diagnose.Verdict(ev, nil)
		found := of(unpark.ClassLock, findings)
		if len(found) != 1 {
			t.Errorf("%s: findings %+v", name, findings)
			continue
		}
		var titles []string
		for _, r := range found[0].Remedies {
			titles = append(titles, r.Title)
		}
		all := strings.Join(titles, "\n")
		parts, batches := strings.Contains(all, "Go through it in parts"), strings.Contains(all, "Take it less often")
		if !strings.HasPrefix(titles[0], c.want) || parts == batches || parts != strings.HasPrefix(name, "a sweep") {
			t.Errorf("%s:\n%s", name, all)
		}
	}
}
