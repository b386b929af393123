package diagnose

import (
	"slices"
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/model"
)

// TestOpener: connections that are opened too often name what opens them: a library's
// function, Go's own where there is none, and the handshake where that is most of it.
func TestOpener(t *testing.T) {
	stack := func(functions ...string) []unpark.Site {
		var out []unpark.Site
		for _, f := range functions {
			out = append(out, unpark.Site{Function: f, File: "x.go", Line: 1})
		}
		return out
	}
	dial := func(cpu float64, leaf int, s []unpark.Site) facts.Signal {
		return facts.Signal{ID: facts.SignalDial, Site: s[len(s)-1], Leaf: s[leaf], CPU: cpu, Stack: s}
	}
	redigo := dial(4, 0, stack("net.(*Dialer).DialContext", "github.com/gomodule/redigo/redis.DialContext", "github.com/gomodule/redigo/redis.Dial", "main.get"))
	sqlite := dial(4, 1, stack("modernc.org/sqlite.(*Driver).Open", "database/sql.dsnConnector.Connect", "database/sql.(*DB).conn", "main.get"))
	http := dial(4, 0, stack("net/http.(*Transport).dialConn", "net/http.(*Transport).dialConnFor"))
	greet := stack("crypto/rsa.VerifyPSS", "crypto/tls.(*Conn).clientHandshake", "crypto/tls.(*Conn).HandshakeContext", "net/http.(*persistConn).addTLS.func2")
	tls := facts.Signal{ID: facts.SignalHandshake, Site: greet[3], Leaf: greet[1], CPU: 20, Stack: greet}
	back := stack("internal/poll.(*FD).Close", "net/http.(*persistConn).close", "net/http.(*Transport).tryPutIdleConn", "net/http.(*persistConn).readLoop")
	returned := facts.Signal{ID: facts.SignalHandoff, Site: back[3], Leaf: back[0], CPU: 0.2, Stack: back}
	for _, c := range []struct {
		name    string
		signals []facts.Signal
		culprit string
		remedy  string
		idle    float64 // connections of Transports that are open; 5 requests are under way
	}{
		{"a library's own dialling", []facts.Signal{redigo}, "redis.Dial", "Keep connections", 4},
		{"a driver under database/sql", []facts.Signal{sqlite}, "(*Driver).Open", "Keep connections", 4},
		{"an http.Transport", []facts.Signal{http}, "(*Transport).dialConn", "Read every response body", 4},
		{"an http.Transport to whose idle ones they came back", []facts.Signal{http, returned}, "(*Transport).dialConn", "Use one http.Client", 4},
		{"Transports that no other request asks", []facts.Signal{http}, "(*Transport).dialConn", "Use one http.Client, with one Transport", 40},
		{"mostly handshakes", []facts.Signal{http, tls}, "(*Conn).clientHandshake", "Read every response body", 4},
	} {
		l := unpark.Latency{N: 1000, Mean: 0.05, P50: 0.05, P99: 0.1, Max: 0.2}
		m := model.New(facts.Evidence{
			Seconds: 10, Requests: unpark.Num(1000), Signals: c.signals,
			Goroutines: []facts.GoroutineGroup{{Class: unpark.WaitNetwork, Mean: c.idle, Stack: stack("bufio.(*Reader).Peek", "net/http.(*persistConn).readLoop")}},
			CPU:        facts.CPU{Cores: unpark.Num(1), Allowed: unpark.Num(2), Sampled: unpark.Num(30)},
			Window:     unpark.Window{Load: &unpark.Load{Mode: unpark.Closed, AchievedRPS: 100, Response: l, Service: l}},
		})
		all := runPool(m)
		if len(all) != 1 || all[0].Culprit == nil || !strings.HasSuffix(all[0].Culprit.Function, c.culprit) {
			t.Errorf("%s: %+v", c.name, all)
			continue
		}
		if got := all[0].Remedies[0].Title; !strings.HasPrefix(got, c.remedy) {
			t.Errorf("%s: %s", c.name, got)
		}
		advise(m, &all[0])
		first := all[0].Remedies[0].Title
		if refuted := strings.HasPrefix(first, "Read every response body"); refuted != strings.HasPrefix(c.remedy, "Read every") {
			t.Errorf("%s, with what experts say: %s", c.name, first)
		}
	}
}

// TestResolving: where opening connections is mostly looking their name up, that is told, and
// what to do about it; not where it is the dial itself.
func TestResolving(t *testing.T) {
	at := func(functions ...string) []unpark.Site {
		var out []unpark.Site
		for _, f := range functions {
			out = append(out, unpark.Site{Function: f, File: "x.go", Line: 1})
		}
		return out
	}
	dialing := at("net.(*Dialer).DialContext", "net/http.(*Transport).dial", "net/http.(*Transport).dialConn", "net/http.(*Transport).dialConnFor")
	for name, c := range map[string]struct {
		lookup, dial float64 // s
		want         bool
	}{
		"mostly lookups": {9, 1, true},
		"mostly dials":   {1, 9, false},
		"no lookup":      {0, 10, false},
	} {
		wait := func(delay float64, stack []unpark.Site) facts.Wait {
			return facts.Wait{
				Class: unpark.WaitDownstream, Side: unpark.RequestPath, Waiter: stack[len(stack)-3], Delay: delay, Count: 1000,
				Stack: stack, Source: "block.pb.gz",
			}
		}
		l := unpark.Latency{N: 1000, Mean: 0.05, P50: 0.05, P99: 0.1, Max: 0.2}
		m := model.New(facts.Evidence{
			Seconds: 10, Requests: unpark.Num(1000),
			Signals: []facts.Signal{{ID: facts.SignalDial, Site: dialing[3], Leaf: dialing[0], CPU: 4, Stack: dialing}},
			Waits:   []facts.Wait{wait(c.lookup, append(at("net.(*Resolver).lookupIPAddr"), dialing...)), wait(c.dial, dialing)},
			CPU:     facts.CPU{Cores: unpark.Num(1), Allowed: unpark.Num(2), Sampled: unpark.Num(30)},
			Window:  unpark.Window{Load: &unpark.Load{Mode: unpark.Closed, AchievedRPS: 100, Response: l, Service: l}},
		})
		all := runPool(m)
		if len(all) == 0 {
			t.Fatalf("%s: nothing", name)
		}
		named := all[0].Culprit != nil && all[0].Culprit.Function == "net.(*Resolver).lookupIPAddr"
		if named != c.want || strings.Contains(all[0].Title, "looking its name up") != c.want {
			t.Errorf("%s: %s, %v", name, all[0].Title, all[0].Culprit)
		}
	}
}

// TestMostlyOpens: a query that mostly opens its connection is that finding, one that does
// not has its own.
func TestMostlyOpens(t *testing.T) {
	query := unpark.Site{Function: "database/sql.(*DB).QueryRowContext"}
	m := func(opening float64) *model.Model {
		return model.New(facts.Evidence{
			CPU: facts.CPU{Tree: facts.Tree{Total: 10, Roots: []*facts.Node{{Site: query, Value: 10}}}},
			Signals: []facts.Signal{{
				ID: facts.SignalDial, CPU: opening, Stack: []unpark.Site{{Function: "database/sql.dsnConnector.Connect"}, query},
			}},
		})
	}
	pool, cpu := unpark.Finding{Rule: "pool", Class: unpark.ClassPool}, unpark.Finding{Rule: "cpu", Culprit: &query}
	if !mostlyOpens(m(8), pool, cpu) || mostlyOpens(m(3), pool, cpu) {
		t.Error("half of it decides")
	}
	pool.Waiter = &query
	if mostlyOpens(m(8), pool, cpu) {
		t.Error("a wait for a place opens nothing")
	}
}

// TestOpened: requests that open the connection which they ask for wait for that, and not for a
// place nor for an answer; more places are no cure.
func TestOpened(t *testing.T) {
	at := func(functions ...string) []unpark.Site {
		var out []unpark.Site
		for _, f := range functions {
			out = append(out, unpark.Site{Function: f, File: "x.go", Line: 1})
		}
		return out
	}
	opening := at("internal/poll.(*FD).Read", "net.(*conn).Read", "github.com/lib/pq.(*conn).recv", "github.com/lib/pq.(*Connector).Connect", "database/sql.(*DB).conn", "main.get")
	place := at("runtime.selectgo", "database/sql.(*DB).conn", "main.get")
	for _, c := range []struct {
		name   string
		stack  []unpark.Site
		why    string
		title  string
		remedy string
		wider  bool
	}{
		{"opened", opening, "connections that are opened", "Connections are not reused", "Keep connections", false},
		{"a place", place, "a place in a bounded pool", "Requests wait for a database connection", "Give it back sooner", true},
	} {
		l := unpark.Latency{N: 1000, Mean: 0.05, P50: 0.05, P99: 0.1, Max: 0.2}
		ev := facts.Evidence{
			Seconds: 10, Requests: unpark.Num(1000),
			Waits: []facts.Wait{{
				Class: unpark.WaitPool, Side: unpark.RequestPath, Waiter: c.stack[len(c.stack)-1], Stack: c.stack,
				Delay: 40, Count: 1000, Source: "goroutine",
			}},
			CPU:    facts.CPU{Cores: unpark.Num(0.5), Allowed: unpark.Num(2), Sampled: unpark.Num(5)},
			Window: unpark.Window{Load: &unpark.Load{Mode: unpark.Closed, Requests: 1000, AchievedRPS: 100, Response: l, Service: l}},
		}
		limit, findings, _ := Verdict(ev, nil)
		if limit.Kind != unpark.LimitPool || !strings.Contains(limit.Why, c.why) {
			t.Errorf("%s: %s: %s", c.name, limit.Kind, limit.Why)
		}
		if len(findings) != 1 || !strings.HasPrefix(findings[0].Title, c.title) || !strings.HasPrefix(findings[0].Remedies[0].Title, c.remedy) {
			t.Errorf("%s: %+v", c.name, findings)
			continue
		}
		wider := false
		for _, r := range findings[0].Remedies {
			wider = wider || strings.HasPrefix(r.Title, "Raise SetMaxOpenConns")
		}
		if wider != c.wider {
			t.Errorf("%s: more places: %v", c.name, wider)
		}
	}
}

// TestOverNew: what a function waits for until its connection is open is the cost of connections that are not kept, and told with that;
// where it mostly waits for answers, that is another service.
func TestOverNew(t *testing.T) {
	at := func(functions ...string) []unpark.Site {
		var out []unpark.Site
		for _, f := range functions {
			out = append(out, unpark.Site{Function: f, File: "x.go", Line: 1})
		}
		return out
	}
	for name, c := range map[string]struct {
		opens, answers float64 // s
		want           bool
	}{"mostly opening": {8, 2, true}, "mostly answers": {2, 8, false}} {
		wait := func(delay float64, leaf string) facts.Wait {
			stack := at(leaf, "example.org/dns.(*Client).Ask", "app.ask")
			return facts.Wait{Class: unpark.WaitDownstream, Side: unpark.RequestPath, Waiter: stack[2], Delay: delay, Count: 1000, Stack: stack}
		}
		ev := facts.Evidence{Seconds: 10, Requests: unpark.Num(1000), Waits: []facts.Wait{wait(c.opens, "net.(*Dialer).DialContext"), wait(c.answers, "net.(*conn).Read")}}
		waiter := at("app.ask")[0]
		mine := unpark.Finding{Class: unpark.ClassPool}
		if got := overNew(model.New(ev), mine, unpark.Finding{Class: unpark.ClassDownstream, Waiter: &waiter}); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// TestKept: what a client's experts say of keeping its connections comes first, also where a function of the service opens them for the
// client; what they say of opening them comes behind what holds for all.
func TestKept(t *testing.T) {
	stack := []unpark.Site{{Function: "crypto/tls.(*Conn).clientHandshake"}, {Function: "app.dial"}, {Function: "github.com/bradfitz/gomemcache/memcache.(*Client).dial"}, {Function: "app.get"}}
	f := unpark.Finding{Class: unpark.ClassPool, Site: stack[1], Culprit: &stack[0], Path: stack, Remedies: []unpark.Remedy{{Title: "all"}}}
	consult(model.New(facts.Evidence{}), &f)
	at := func(part string) int {
		return slices.IndexFunc(f.Remedies, func(r unpark.Remedy) bool { return strings.Contains(r.Title, part) })
	}
	if idle, all, resumed := at("gomemcache's MaxIdleConns"), at("all"), at("ClientSessionCache"); idle != 0 || all != 1 || resumed < 2 {
		t.Errorf("%d, %d, %d: %+v", idle, all, resumed, f.Remedies)
	}
}
