package diagnose

import (
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
	for _, c := range []struct {
		name    string
		signals []facts.Signal
		culprit string
		remedy  string
	}{
		{"a library's own dialling", []facts.Signal{redigo}, "redis.Dial", "Keep connections"},
		{"a driver under database/sql", []facts.Signal{sqlite}, "(*Driver).Open", "Keep connections"},
		{"an http.Transport", []facts.Signal{http}, "(*Transport).dialConn", "Read every response body"},
		{"mostly handshakes", []facts.Signal{http, tls}, "(*Conn).clientHandshake", "Read every response body"},
	} {
		l := unpark.Latency{N: 1000, Mean: 0.05, P50: 0.05, P99: 0.1, Max: 0.2}
		m := model.New(facts.Evidence{
			Seconds: 10, Requests: unpark.Num(1000), Signals: c.signals,
			CPU:    facts.CPU{Cores: unpark.Num(1), Allowed: unpark.Num(2), Sampled: unpark.Num(30)},
			Window: unpark.Window{Load: &unpark.Load{Mode: unpark.Closed, AchievedRPS: 100, Response: l, Service: l}},
		})
		all := runPool(m)
		if len(all) != 1 || all[0].Culprit == nil || !strings.HasSuffix(all[0].Culprit.Function, c.culprit) {
			t.Errorf("%s: %+v", c.name, all)
			continue
		}
		if got := all[0].Remedies[0].Title; !strings.HasPrefix(got, c.remedy) {
			t.Errorf("%s: %s", c.name, got)
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
