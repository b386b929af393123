package hub

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

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
