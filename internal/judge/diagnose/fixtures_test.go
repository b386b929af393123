package diagnose_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/facts/factstest"
	"github.com/unpark-go/unpark/internal/judge/diagnose"
)

// expectation is what the rules must say of one fixture. Fixtures are evidence
// of real runs on two cores, shortened; a near miss is one that looks alike at
// first sight, or a real one with the tell-tale part changed.
type expectation struct {
	limit unpark.LimitKind
	// findings as "rule class function", in the order in which rules run.
	findings []string
}

const prices = "example.com/shop/prices."

func expectations() map[string]expectation {
	return map[string]expectation{
		"lock/positive":  {unpark.LimitLock, []string{"lock lock " + prices + "(*Cache).Get"}},
		"lock/near-miss": {unpark.LimitNone, nil}, // runtime locks, a background lock, and a free one

		"channel/positive":  {unpark.LimitChannel, []string{"channel channel main.oneWorker.func2"}},
		"channel/near-miss": {unpark.LimitNone, nil}, // 200 parked goroutines, some where no catalogue knows

		"pool/positive": {unpark.LimitCPU, []string{"pool pool main.ask"}},
		// The same client with connections that are kept.
		"pool/near-miss": {unpark.LimitDownstream, []string{"downstream downstream main.ask"}},

		"downstream/positive":  {unpark.LimitDownstream, []string{"downstream downstream main.ask"}},
		"downstream/near-miss": {unpark.LimitNone, nil}, // a background poller

		"io/positive":  {unpark.LimitIO, []string{"io io main.persist"}},
		"io/near-miss": {unpark.LimitNone, nil}, // a journal that syncs in the background

		"ratelimit/positive": {unpark.LimitRateLimit, []string{"ratelimit ratelimit main.rateLimited.func1"}},
		// A sleep below a lock is that lock's hold.
		"ratelimit/near-miss": {unpark.LimitLock, []string{"lock lock " + prices + "(*Cache).Get"}},

		"quota/positive":  {unpark.LimitQuota, []string{"quota quota ", "cpu cpu main.digest"}},
		"quota/near-miss": {unpark.LimitNone, nil}, // GOMAXPROCS 2 above a quota of a half that is not reached

		"recompute/positive": {unpark.LimitCPU, []string{"recompute recompute main.render"}},
		// All answers repeat, but the bytes are ready and only sent.
		"recompute/near-miss": {unpark.LimitCPU, []string{"syscall syscall github.com/valyala/fasthttp.(*Response).Write"}},

		"cpu/positive":  {unpark.LimitCPU, []string{"cpu cpu main.digest"}},
		"cpu/near-miss": {unpark.LimitCPU, nil}, // five functions of 17 % below a router

		"record/positive":  {unpark.LimitCPU, []string{"record cpu main.take"}},
		"record/near-miss": {unpark.LimitCPU, []string{"cpu cpu main.take"}}, // the same at the default rate

		"stop/positive":  {unpark.LimitCPU, []string{"stop cpu main.heap"}},
		"stop/near-miss": {unpark.LimitCPU, []string{"cpu cpu main.heap"}}, // for 2 % of the time: only the call's own CPU

		"yield/positive":  {unpark.LimitCPU, []string{"channel channel main.main.func2", "yield cpu main.main.func1"}},
		"yield/near-miss": {unpark.LimitCPU, []string{"channel channel main.main.func2"}}, // the same loop, which takes a tenth of the CPU

		"handoff/positive": {unpark.LimitCPU, []string{
			"lock lock github.com/orcaman/concurrent-map.snapshot.func1", "channel channel main.countIter", "handoff cpu main.countIter",
			"alloc alloc github.com/orcaman/concurrent-map.snapshot.func1",
		}},
		"handoff/near-miss": {unpark.LimitCPU, []string{
			"lock lock github.com/orcaman/concurrent-map.snapshot.func1", "channel channel main.countIter",
			"alloc alloc github.com/orcaman/concurrent-map.snapshot.func1",
		}}, // the same channels, at a third of their cost

		"setup/positive":  {unpark.LimitCPU, []string{"setup cpu main.price"}},
		"setup/near-miss": {unpark.LimitCPU, nil}, // a template that was parsed once, and is executed

		"alloc/positive":  {unpark.LimitGC, []string{"alloc alloc main.pieces"}},
		"alloc/near-miss": {unpark.LimitCPU, []string{"syscall syscall github.com/valyala/fasthttp.(*Response).Write"}},

		// The same service, which imports nothing that could read its allocations; and as if it computed for most of the time.
		"allocator/positive":  {unpark.LimitGC, []string{"allocator alloc main.pieces"}},
		"allocator/near-miss": {unpark.LimitCPU, []string{"cpu cpu main.pieces"}},

		// No allocation makes most of the garbage.
		"gc/positive":  {unpark.LimitGC, []string{"alloc alloc main.pieces", "alloc alloc main.rows", "gc gc main.pieces"}},
		"gc/near-miss": {unpark.LimitNone, nil}, // half of ten samples in an idle process

		"syscall/positive":  {unpark.LimitCPU, []string{"syscall syscall main.smallWrites.func1"}},
		"syscall/near-miss": {unpark.LimitNone, nil}, // an idle server: its profile is system calls

		"serving/positive":  {unpark.LimitCPU, []string{"serving cpu net/http.(*conn).serve"}},
		"serving/near-miss": {unpark.LimitCPU, nil}, // the same server, whose handlers take more

		// A service with a broker inside of it; and as if it had a database elsewhere as well.
		"wire/positive":  {unpark.LimitCPU, []string{"wire syscall github.com/nats-io/nats%2ego.(*timeoutWriter).Write"}},
		"wire/near-miss": {unpark.LimitCPU, []string{"downstream downstream github.com/nats-io/nats%2ego.(*Conn).newRequest"}},

		"leak/positive":  {unpark.LimitNone, []string{"leak leak main.forgotten"}},
		"leak/near-miss": {unpark.LimitNone, nil}, // a ramp-up that settles

		"healthy/positive":   {unpark.LimitNone, nil},
		"healthy/near-miss":  {unpark.LimitUnknown, nil}, // others fill the machine: the time has no name
		"generator/positive": {unpark.LimitCPU, []string{"syscall syscall main.smallWrites.func1"}},
	}
}

func evidence(t *testing.T, name string) facts.Evidence {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", filepath.FromSlash(name)+".json"))
	if err != nil {
		t.Fatal(err)
	}
	var ev facts.Evidence
	if err := json.Unmarshal(data, &ev); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return factstest.Plant(ev)
}

func fixtures(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/*/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no fixtures: %v", err)
	}
	var names []string
	for _, f := range files {
		names = append(names, strings.TrimSuffix(filepath.ToSlash(strings.TrimPrefix(f, "testdata"+string(filepath.Separator))), ".json"))
	}
	return names
}

// TestFixtures runs every rule on every fixture: what is found is exactly what
// is expected, so that a rule which is alarmed by another's case fails as well.
func TestFixtures(t *testing.T) {
	want := expectations()
	names := fixtures(t)
	for name := range want {
		if !slices.Contains(names, name) {
			t.Errorf("testdata/%s.json is expected and missing", name)
		}
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			w, ok := want[name]
			if !ok {
				t.Fatal("no expectation for this fixture")
			}
			limit, findings, _ := diagnose.Verdict(evidence(t, name), nil)
			if limit.Kind != w.limit {
				t.Errorf("limit %s, want %s (%s)", limit.Kind, w.limit, limit.Why)
			}
			if limit.Why == "" {
				t.Error("the limit has no sentence")
			}
			var got []string
			for _, f := range findings {
				got = append(got, f.Rule+" "+string(f.Class)+" "+f.Site.Function)
				check(t, f)
			}
			if !slices.Equal(got, w.findings) {
				t.Errorf("findings\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(w.findings, "\n  "))
			}
		})
	}
}

// check holds for every finding of every rule.
func check(t *testing.T, f unpark.Finding) {
	t.Helper()
	if f.Title == "" || f.Confidence == "" || len(f.Facts) == 0 || len(f.Remedies) == 0 || len(f.Path) > 32 {
		t.Errorf("incomplete finding: %+v", f)
	}
	for _, fact := range f.Facts {
		if fact.Text == "" || fact.Source == "" || (fact.Value.Known() && fact.Unit == "") {
			t.Errorf("%s: fact without text, unit or source: %+v", f.Rule, fact)
		}
	}
	for _, r := range f.Remedies {
		if r.Title == "" || r.Why == "" && r.When == "" {
			t.Errorf("%s: remedy without title or reason: %+v", f.Rule, r)
		}
	}
	if share, ok := f.Share.Get(); ok && (share < 0 || share > 1 || f.ShareOf == "") {
		t.Errorf("%s: share %v of %q", f.Rule, share, f.ShareOf)
	}
	known := 0
	c := f.Cost
	for _, q := range []unpark.Quantity{c.MeanWaiters, c.WaitPerRequest, c.CPUPerRequest, c.Cores, c.BytesPerRequest, c.HoldPerRequest, c.Goroutines, c.GrowthPerSecond, c.Throttled} {
		v, ok := q.Value.Get()
		if !ok {
			continue
		}
		known++
		if q.Unit == "" || v < 0 || (q.Low.Known() && !q.Contains(v)) {
			t.Errorf("%s: cost %+v", f.Rule, q)
		}
	}
	if known == 0 {
		t.Errorf("%s: no cost in absolute units", f.Rule)
	}
}

// TestLockFixture checks what a reader of the lock finding gets.
func TestLockFixture(t *testing.T) {
	_, findings, _ := diagnose.Verdict(evidence(t, "lock/positive"), nil)
	if len(findings) != 1 {
		t.Fatalf("%d findings", len(findings))
	}
	f := findings[0]
	if f.Confidence != unpark.High {
		t.Errorf("confidence %s: block, mutex and snapshots agree", f.Confidence)
	}
	if f.Waiter == nil || f.Holder == nil || f.Waiter.Function != prices+"(*Cache).Get" || f.Holder.Function != prices+"(*Cache).Get" {
		t.Errorf("waiter %v, holder %v", f.Waiter, f.Holder)
	}
	if first := f.Remedies[0].Title; !strings.Contains(first, "Hold it for less work") || !strings.Contains(first, "Store).Read") {
		t.Errorf("the first remedy names no work under the lock: %s", first)
	}
	if !strings.Contains(f.Title, "held across a sleep") {
		t.Errorf("title %s", f.Title)
	}
	if w := f.Cost.WaitPerRequest.Value.Or(0); w < 0.015 || w > 0.021 {
		t.Errorf("wait per request %v s", w)
	}
}
