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

// TestMinorUnderALock: of what was met under a lock a function of Go's own that computes little of the hold is not what is to be moved
// out of it; one that computes most of it is.
func TestMinorUnderALock(t *testing.T) {
	for part, want := range map[float64]string{0.5: "Hold it for less work: in app.(*Cache).Get keep only", 4: "Hold it for less work: move sort.Strings out"} {
		l := contended(60, 0.9)
		l.Held = []facts.SiteSum{{Site: fn("sort.Strings"), Value: 3}}
		ev := calm()
		ev.Locks = []facts.Lock{l}
		get := &facts.Node{Site: fn("app.(*Cache).Get"), App: true, Value: 5}
		get.Calls = []*facts.Node{{Site: fn("sort.Strings"), Value: part, Caller: get}}
		ev.CPU.Tree = facts.Tree{Total: 5, Roots: []*facts.Node{get}}
		_, findings, _ := diagnose.Verdict(ev, nil)
		found := of(unpark.ClassLock, findings)
		if len(found) != 1 || !strings.HasPrefix(found[0].Remedies[0].Title, want) {
			t.Errorf("%g of 5: %+v", part, found)
		}
	}
}
