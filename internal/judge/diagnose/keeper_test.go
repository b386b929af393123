package diagnose

import (
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/judge/model"
)

// TestPlaceHeldForComputing: a pool whose places are held for computing is one finding with
// that function, and its first remedy is to make it cheaper; on full processors the function
// has a finding of its own.
func TestPlaceHeldForComputing(t *testing.T) {
	find := func(allowed float64) []unpark.Finding {
		site := unpark.Site{Function: "main.put", File: "main.go", Line: 9}
		bind := unpark.Site{Function: "modernc.org/sqlite.(*conn).bind", Line: 4}
		leaf := &facts.Node{Site: bind, Value: 8}
		root := &facts.Node{Site: site, App: true, Value: 8, Calls: []*facts.Node{leaf}}
		leaf.Caller = root
		l := unpark.Latency{N: 1000, Mean: 0.05, P50: 0.05, P99: 0.1, Max: 0.2}
		m := model.New(facts.Evidence{
			Seconds: 10, Requests: unpark.Num(1000),
			CPU: facts.CPU{
				Cores: unpark.Num(1), Allowed: unpark.Num(allowed), Sampled: unpark.Num(10),
				Tree: facts.Tree{Total: 8, Roots: []*facts.Node{root}},
			},
			Waits: []facts.Wait{{
				Side: unpark.RequestPath, Class: unpark.WaitPool, Waiter: site, Delay: 40, Count: 900, Source: "block.pb.gz",
				Stack: []unpark.Site{{Function: "database/sql.(*DB).conn"}, site},
			}},
			Window: unpark.Window{Load: &unpark.Load{Mode: unpark.Closed, AchievedRPS: 100, Response: l, Service: l}},
		})
		return apply(m)
	}
	all := find(4)
	if len(all) != 1 || all[0].Class != unpark.ClassPool || all[0].Culprit == nil || !strings.HasSuffix(all[0].Culprit.Function, "bind") {
		t.Fatalf("%+v", all)
	}
	if first := all[0].Remedies[0].Title; !strings.Contains(first, "sqlite.(*conn).bind less to do") || !strings.Contains(all[0].Title, "runs while it is held") {
		t.Errorf("%s: %s", all[0].Title, first)
	}
	if all := find(1); len(all) != 2 || all[0].Cost.Cores.Known() {
		t.Errorf("on full processors: %+v", all)
	}
}

// TestNeighboursAreNamed: a machine that others took names them.
func TestNeighboursAreNamed(t *testing.T) {
	m := model.New(facts.Evidence{Window: unpark.Window{Machine: unpark.Machine{
		Neighbours: []unpark.Neighbour{{PID: 81, Name: "backup", Cores: 0.5}, {PID: 82, Name: "cron", Cores: 0.2}},
	}}})
	if got := (byOthers{}).say(m); !strings.Contains(got, "(backup, pid 81, 0.5 cores; cron, pid 82, 0.2 cores): stop what else runs") {
		t.Error(got)
	}
	if got := neighbours(model.New(facts.Evidence{})); got != "" {
		t.Error(got)
	}
}

// TestGeneratorBesideOthers: a generator that was late on a machine that others filled is not said to be the limit without them.
func TestGeneratorBesideOthers(t *testing.T) {
	m := model.New(facts.Evidence{Window: unpark.Window{
		Load:    &unpark.Load{GeneratorCPU: unpark.Num(0.1)},
		Machine: unpark.Machine{Neighbours: []unpark.Neighbour{{PID: 81, Name: "backup", Cores: 1.5}}},
	}})
	late := byGenerator{unpark.Notice{Message: "it was late"}}
	m.Usage = model.Usage{Shared: true, Cores: unpark.Num(0.2), Machine: unpark.Num(0.97), Others: 0.8}
	if got := late.say(m); !strings.HasSuffix(got, "(it used 0.1 cores, the service 0.2); the machine is full, and 80 % of its busy cores are neither the service's nor the generator's (backup, pid 81, 1.5 cores)") {
		t.Error(got)
	}
	if got := (nothingBinds{}).say(m); !strings.HasSuffix(got, "80 % of its busy cores are neither the service's nor the generator's (backup, pid 81, 1.5 cores)") {
		t.Errorf("nothing binds, beside others: %s", got)
	}
	for name, u := range map[string]model.Usage{
		"room":       {Shared: true, Cores: unpark.Num(0.2), Machine: unpark.Num(0.6), Others: 0.8},
		"full of it": {Shared: true, Cores: unpark.Num(1.6), Machine: unpark.Num(0.97), Others: 0.1},
	} {
		m.Usage = u
		if got := late.say(m) + (nothingBinds{}).say(m); strings.Contains(got, "neither") {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// TestPeersAreNamed: a wait for another service says whom the service has connections to; of
// one that asks only itself there is no such wait.
func TestPeersAreNamed(t *testing.T) {
	var profiles []unpark.ProfileFile
	find := func(peers ...unpark.Peer) []unpark.Finding {
		site := unpark.Site{Function: "main.ask", File: "main.go", Line: 9}
		l := unpark.Latency{N: 1000, Mean: 0.05, P50: 0.05, P99: 0.1, Max: 0.2}
		return downstreamRule().Run(model.New(facts.Evidence{
			Seconds: 10, Requests: unpark.Num(1000), CPU: facts.CPU{Cores: unpark.Num(0.1), Allowed: unpark.Num(2), Sampled: unpark.Num(1)},
			Waits: []facts.Wait{{
				Side: unpark.RequestPath, Class: unpark.WaitDownstream, Waiter: site, Delay: 45, Count: 1000, Source: "block.pb.gz",
				Stack: []unpark.Site{{Function: "net.(*conn).Read"}, site},
			}},
			Window: unpark.Window{Peers: peers, Profiles: profiles, Load: &unpark.Load{Mode: unpark.Closed, AchievedRPS: 100, Response: l, Service: l}},
		}))
	}
	redis := unpark.Peer{Address: "127.0.0.1:6379", Connections: 8, PID: 12, Name: "redis-server"}
	self := unpark.Peer{Address: "127.0.0.1:2379", Connections: 2, PID: 7, Self: true}
	all := find(redis, self)
	if len(all) != 1 {
		t.Fatalf("%+v", all)
	}
	var text string
	for _, f := range all[0].Facts {
		text += f.Text + "\n"
	}
	if !strings.Contains(text, "connections to 127.0.0.1:6379 (redis-server, pid 12, on this machine)") || !strings.Contains(text, "(the service itself)") {
		t.Error(text)
	}
	if all := find(self); len(all) != 0 {
		t.Errorf("it asks itself: %+v", all)
	}
	profiles = []unpark.ProfileFile{{Kind: unpark.KindCPU, PID: 5, State: unpark.Present}}
	all = find(self)
	if len(all) != 1 || !strings.Contains(all[0].Facts[len(all[0].Facts)-1].Text, "pid 7, which the service started and which has no profile") {
		t.Errorf("it asks a process that it started and that has no profile: %+v", all)
	}
}
