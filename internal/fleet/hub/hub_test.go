package hub

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// TestIdentityIsKept: it is made once, readable by its owner alone, and read again.
func TestIdentityIsKept(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "fleet")
	a, join, made, err := Open(dir)
	if err != nil || !made {
		t.Fatal(made, err)
	}
	b, _, made, err := Open(dir)
	if err != nil || made || a.token != b.token || a.token == "" {
		t.Errorf("made %v, %v", made, err)
	}
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != 3 {
		t.Fatal(files, err)
	}
	for _, f := range files {
		info, err := f.Info()
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", f.Name(), info.Mode(), err)
		}
	}
	if err := os.WriteFile(join, []byte("something else"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, _, err := Open(dir); err == nil || !strings.Contains(err.Error(), "join credential") || strings.Contains(err.Error(), a.token) {
		t.Errorf("a file with something else: %v", err)
	}
}

// TestTLSIsPinned: beyond loopback the server speaks TLS alone, to those who know its
// certificate.
func TestTLSIsPinned(t *testing.T) {
	address := outside(t)
	id, join, _, err := Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s, err := Serve(id, net.JoinHostPort(address, "0"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if !s.TLS {
		t.Fatal("no TLS beyond loopback")
	}
	j, err := ReadJoin(join)
	if err != nil {
		t.Fatal(err)
	}
	nc, err := j.dial(s.URL(), agent, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := nc.TLSConnectionState(); err != nil {
		t.Errorf("the connection has no TLS: %v", err)
	}
	nc.Close()
	if plain, err := nats.Connect(s.URL(), nats.UserInfo(agent, j.token)); err == nil {
		plain.Close()
		t.Error("connected without TLS, or to a certificate that is not the pinned one")
	}
	j.sum = strings.Repeat("0", len(j.sum))
	if nc, err := j.dial(s.URL(), agent, []nats.Option{nats.MaxReconnects(0), nats.Timeout(2 * time.Second)}); err == nil {
		nc.Close()
		t.Error("connected to another certificate")
	}
}

// TestNoTLSIsTold: a server that offers no TLS beyond loopback is refused, with what can be done, by coordinator and agents.
func TestNoTLSIsTold(t *testing.T) {
	n, err := server.NewServer(&server.Options{Host: outside(t), Port: server.RANDOM_PORT, NoLog: true, NoSigs: true})
	if err != nil {
		t.Fatal(err)
	}
	n.Start()
	defer n.Shutdown()
	if !n.ReadyForConnections(10 * time.Second) {
		t.Fatal("the server does not listen")
	}
	if nc, err := (Join{}).DialCoordinator(n.ClientURL()); err == nil || !strings.Contains(err.Error(), "tls block") {
		if nc != nil {
			nc.Close()
		}
		t.Errorf("a coordinator: %v", err)
	}
	nc, err := Join{}.DialAgent(n.ClientURL())
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	within(t, "its reason", func() bool {
		err := Trouble(nc, n.ClientURL())
		return err != nil && strings.Contains(err.Error(), "tls block")
	})
}

// TestAgentGoesOnTrying: an agent may be started before its coordinator is, so where no server answers it asks
// nothing about credentials. Refused by another coordinator at that address it says so, and joins when its own is there.
func TestAgentGoesOnTrying(t *testing.T) {
	id, join, _, err := Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	other, _, _, err := Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	j, err := ReadJoin(join)
	if err != nil {
		t.Fatal(err)
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := free.Addr().String()
	free.Close()
	nc, err := j.DialAgent("nats://" + address)
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	time.Sleep(time.Second)
	if err := Trouble(nc, address); err != nil {
		t.Errorf("no server is no fault: %v", err)
	}
	s, err := Serve(other, address)
	if err != nil {
		t.Fatal(err)
	}
	within(t, "its reason", func() bool { return errors.Is(Trouble(nc, address), nats.ErrAuthorization) })
	time.Sleep(1500 * time.Millisecond) // three tries and more
	s.Close()
	if s, err = Serve(id, address); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	within(t, "a connection", nc.IsConnected)
	if err := Trouble(nc, address); err != nil {
		t.Errorf("it has joined: %v", err)
	}
}

func within(t *testing.T, what string, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !done(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("the agent does not have %s", what)
		}
	}
}

// outside is an address of this machine that is not loopback.
func outside(t *testing.T) string {
	t.Helper()
	all, err := net.InterfaceAddrs()
	if err != nil {
		t.Skip(err)
	}
	for _, a := range all {
		if n, ok := a.(*net.IPNet); ok && !n.IP.IsLoopback() && n.IP.To4() != nil {
			return n.IP.String()
		}
	}
	t.Skip("this machine has no address but loopback")
	return ""
}

// TestRefusedIsToldWithTheCure: another coordinator's credential is told as such, by its certificate and by its token, and a server that
// is no NATS server is not.
func TestRefusedIsToldWithTheCure(t *testing.T) {
	for name, c := range map[string]struct {
		err  error
		cure bool
	}{
		"certificate": {fmt.Errorf("nats: tls error: %w", errOther), true},
		"token":       {nats.ErrAuthorization, true},
		"said by it":  {errors.New("nats: Authorization Violation"), true},
		"no server":   {errors.New("nats: no INFO"), false},
		"nothing":     {nats.ErrNoServers, false},
	} {
		if got := explained("nats://10.0.0.5:7422", c.err).Error(); strings.Contains(got, "copy the credential again") != c.cure {
			t.Errorf("%s: %s", name, got)
		} else if strings.Contains(got, "nothing answers there") != errors.Is(c.err, nats.ErrNoServers) {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// TestRightsAreTold: a server says of a right that is missing beside the request, which has no answer. It is told to coordinator and agent, and of users
// that have their rights nothing is.
func TestRightsAreTold(t *testing.T) {
	few := &server.Permissions{Publish: &server.SubjectPermission{Allow: []string{"other"}}}
	n, err := server.NewServer(&server.Options{
		Host: "127.0.0.1", Port: server.RANDOM_PORT, NoLog: true, NoSigs: true, JetStream: true, StoreDir: t.TempDir(),
		Users: []*server.User{{Username: agent, Password: "few", Permissions: few}, {Username: "all", Password: "all"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	n.Start()
	defer n.Shutdown()
	if !n.ReadyForConnections(10 * time.Second) {
		t.Fatal("the server does not listen")
	}
	for user, denied := range map[string]bool{agent + ":few": true, "all:all": false} {
		url := strings.Replace(n.ClientURL(), "//", "//"+user+"@", 1)
		nc, err := Join{}.DialCoordinator(url)
		if err != nil {
			t.Fatal(err)
		}
		defer nc.Close()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if !denied { // a machine that is busy has its time
			ctx = t.Context()
		}
		_, _, err = Buckets(ctx, nc)
		if (err != nil) != denied || denied && !strings.Contains(err.Error(), "make the register of agents: nats: permissions violation") {
			t.Errorf("%s: %v", user, err)
		}
		if err := Trouble(nc, url); (err != nil) != denied || denied && (!strings.Contains(err.Error(), "the rights of an agent") || strings.Contains(err.Error(), "few@")) {
			t.Errorf("%s: %v", user, err)
		}
	}
}

// TestPortIsTaken: a second coordinator at an address is told so at once, and one on an address that is no machine's of here.
func TestPortIsTaken(t *testing.T) {
	id, _, _, err := Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s, err := Serve(id, "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	began := time.Now()
	for address, want := range map[string]string{strings.TrimPrefix(s.URL(), "nats://"): "is another coordinator there?", "192.0.2.1:7422": "another address of this machine"} {
		second, err := Serve(id, address)
		if err == nil {
			second.Close()
		}
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "--listen") {
			t.Errorf("%s: %v", address, err)
		}
	}
	if took := time.Since(began); took > 8*time.Second { // it was 10 s for each
		t.Errorf("it took %v", took)
	}
}
