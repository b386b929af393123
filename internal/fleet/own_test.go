package fleet

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/jwt/v2"
	"github.com/nats-io/nats-server/v2/server"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/fleet/agent"
	"github.com/unpark-go/unpark/internal/fleet/hub"
	"github.com/unpark-go/unpark/internal/rota"
)

// agentsMay are the rights that docs/fleet.md names for the users of agents.
func agentsMay(c *jwt.UserClaims) {
	c.Pub.Allow.Add("_INBOX.coordinator.>", "unpark.beat.>", "unpark.done.>", "$KV.unpark-agents.>", "$O.unpark-artifacts.>", "$JS.API.INFO",
		"$JS.API.STREAM.INFO.KV_unpark-agents", "$JS.API.STREAM.INFO.OBJ_unpark-artifacts", "$JS.API.STREAM.PURGE.OBJ_unpark-artifacts")
	c.Sub.Allow.Add("_INBOX.agent.>", "unpark.agent.>", "unpark.lease.>")
}

// coordinatorMay are those of the coordinator's.
func coordinatorMay(c *jwt.UserClaims) {
	c.Pub.Allow.Add("_INBOX.agent.>", "unpark.>", "$JS.API.>", "$JS.FC.>", "$O.unpark-artifacts.>")
	c.Sub.Allow.Add("_INBOX.coordinator.>", "unpark.beat.>", "unpark.done.>")
}

// openWith connects a coordinator with a credentials file.
func openWith(t *testing.T, url, creds string) (*Fleet, error) {
	t.Helper()
	join, err := hub.ReadJoin(creds)
	if err != nil {
		t.Fatal(err)
	}
	return Open(t.Context(), Options{Address: url, Join: join})
}

// telling runs an agent here, and returns what it says.
func telling(t *testing.T, url, creds, name string) (said func() string) {
	t.Helper()
	join, err := hub.ReadJoin(creds)
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var lines []string
	ctx, cancel := context.WithCancel(t.Context())
	over := make(chan struct{})
	go func() {
		defer close(over)
		if err := agent.Run(ctx, agent.Options{Name: name, Join: join, Address: url, Say: func(line string) {
			mu.Lock()
			defer mu.Unlock()
			lines = append(lines, line)
		}}); err != nil {
			t.Error(err)
		}
	}()
	t.Cleanup(func() {
		cancel()
		<-over
	})
	return func() string {
		mu.Lock()
		defer mu.Unlock()
		return strings.Join(lines, "\n")
	}
}

// TestOwnNATSWithCredentials: a server in operator mode, a user for the coordinator and one for the agents, each with the rights that are documented
// and a file as nsc writes it, are a whole load, and nothing is said of rights.
func TestOwnNATSWithCredentials(t *testing.T) {
	if !rota.Long(0, 3) {
		t.Skip("not its day")
	}
	t.Parallel()
	r := newRealm(t)
	n := r.serve(t, server.Options{})
	own, _ := r.user(t, coordinatorMay)
	theirs, _ := r.user(t, agentsMay)
	f, err := openWith(t, n.ClientURL(), own)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	a, b := telling(t, n.ClientURL(), theirs, "a"), telling(t, n.ClientURL(), theirs, "b")
	whole(t, f, 2)
	for _, said := range []string{a(), b()} {
		if strings.Contains(said, "violation") || !strings.Contains(said, "is over") {
			t.Errorf("an agent with its rights says %s", said)
		}
	}
	if err := f.nc.LastError(); err != nil {
		t.Errorf("the coordinator was refused: %v", err)
	}
}

// whole drives a load from two agents, and wants all of it.
func whole(t *testing.T, f *Fleet, length float64) {
	t.Helper()
	s := serve(t)
	agents, err := f.Choose(t.Context(), "2", 20*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	session, err := f.Begin(t.Context(), order(agents, plan(t, s.url, unpark.Constant, 100, length)))
	if err != nil {
		t.Fatal(err)
	}
	got, err := session.Wait(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	came(t, got)
	if len(got.Void) > 0 { // by a busy machine, and that is said
		return
	}
	if l := got.Record.Load(got.Measured()); float64(l.Requests) < 95*length {
		t.Errorf("%d requests in %g s", l.Requests, length)
	}
}

// came wants that both agents have handed in their parts, whatever the machine did to these.
func came(t *testing.T, r Result) {
	t.Helper()
	if len(r.Agents) != 2 {
		t.Errorf("%d agents", len(r.Agents))
	}
	for _, a := range r.Agents {
		for _, why := range []string{"said nothing", "hand in", "be fetched", "no result", "the coordinator"} {
			if strings.Contains(a.Void, why) {
				t.Errorf("agent %s: %s", a.Name, a.Void)
			}
		}
	}
}

// TestOwnNATSRefuses: users without rights, with another's, whose credential has expired, and who are revoked: coordinator and agent say what cannot
// be done, where, why and what helps, and the coordinator does not wait for long.
func TestOwnNATSRefuses(t *testing.T) {
	if !rota.Long(1, 3) {
		t.Skip("not its day")
	}
	t.Parallel()
	r := newRealm(t)
	nothing, _ := r.user(t, func(c *jwt.UserClaims) { c.Pub.Allow.Add("other") })
	agents, _ := r.user(t, agentsMay)
	expired, _ := r.user(t, func(c *jwt.UserClaims) { c.Expires = time.Now().Add(-time.Hour).Unix() })
	revoked, public := r.user(t, nil)
	r.claims.Revoke(public)
	r.store(t, r.claims)
	n := r.serve(t, server.Options{})
	for name, c := range map[string]struct{ creds, coordinator, agent string }{
		"without rights": {nothing, `make the register of agents: nats: permissions violation: Permissions Violation for Publish to "$JS.API.`, "the rights of an agent"},
		"an agent's":     {agents, "make the register of agents: nats: permissions violation: Permissions Violation for ", ""},
		"expired":        {expired, "Authorization Violation: is it another coordinator's?", "credential has expired or was revoked"},
		"revoked":        {revoked, "Authorization Violation: is it another coordinator's?", "credential has expired or was revoked"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			said := telling(t, n.ClientURL(), c.creds, "a")
			from := time.Now()
			f, err := openWith(t, n.ClientURL(), c.creds)
			if err == nil {
				f.Close()
			}
			if err == nil || !strings.Contains(err.Error(), c.coordinator) || time.Since(from) > 20*time.Second {
				t.Errorf("after %v: %v", time.Since(from), err)
			}
			for deadline := time.Now().Add(20 * time.Second); !strings.Contains(said(), c.agent) && time.Now().Before(deadline); {
				time.Sleep(10 * time.Millisecond)
			}
			if !strings.Contains(said(), c.agent) || c.agent == "" && strings.Contains(said(), "violation") {
				t.Errorf("the agent says %q", said())
			}
		})
	}
}

// TestOwnNATSEndsAUser in the middle of a load, because its credential expires or is revoked: the part is void, with the side that has lost
// its link as the reason, and what an agent says it says once.
func TestOwnNATSEndsAUser(t *testing.T) {
	if !rota.Long(2, 3) {
		t.Skip("not its day")
	}
	for _, c := range []struct {
		name            string
		ended           int // 0: the coordinator, 1: the agent
		revoked         bool
		coordinator, is string
	}{
		{"agent expires", 1, false, "a: it has said nothing for", "credential has expired or was revoked"},
		{"agent is revoked", 1, true, "a: it has said nothing for", "credential has expired or was revoked"},
		{"coordinator expires", 0, false, "the coordinator's own link to the NATS server is cut", "the coordinator was not heard of for 5s"},
		{"coordinator is revoked", 0, true, "the coordinator's own link to the NATS server is cut", "the coordinator was not heard of for 5s"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := newRealm(t)
			n := r.serve(t, server.Options{})
			own, _ := r.user(t, nil)
			creds := [2]string{own, own}
			var public string
			creds[c.ended], public = r.user(t, func(u *jwt.UserClaims) {
				if !c.revoked {
					u.Expires = time.Now().Add(8 * time.Second).Unix()
				}
			})
			f, err := openWith(t, n.ClientURL(), creds[0])
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			said := telling(t, n.ClientURL(), creds[1], "a")
			agents, err := f.Choose(t.Context(), "1", 20*time.Second)
			if err != nil {
				t.Fatal(err)
			}
			session, err := f.Begin(t.Context(), order(agents, plan(t, serve(t).url, unpark.Constant, 50, 10)))
			if err != nil {
				t.Fatal(err)
			}
			if c.revoked {
				time.Sleep(time.Until(session.Start().Add(time.Second)))
				r.revoke(t, n, public)
			}
			got, err := session.Wait(t.Context())
			if err != nil || len(got.Void) != 1 || !strings.Contains(got.Void[0].Message, c.coordinator) {
				t.Errorf("%+v, %v", got.Void, err)
			}
			if took := time.Since(session.Start()); took > 30*time.Second {
				t.Errorf("it took %v", took)
			}
			for deadline := time.Now().Add(10 * time.Second); !strings.Contains(said(), c.is) && time.Now().Before(deadline); {
				time.Sleep(10 * time.Millisecond)
			}
			if !strings.Contains(said(), c.is) || strings.Count(said(), "its load ends") > 1 {
				t.Errorf("the agent says %q", said())
			}
		})
	}
}
