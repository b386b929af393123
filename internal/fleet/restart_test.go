package fleet

import (
	"net"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/fleet/hub"
	"github.com/unpark-go/unpark/internal/rota"
)

// serveNATS starts a server as users have one, to which any user may connect.
func serveNATS(t *testing.T, dir string, port int) *server.Server {
	t.Helper()
	n, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: port, JetStream: true, StoreDir: dir, NoLog: true, NoSigs: true})
	if err != nil {
		t.Fatal(err)
	}
	n.Start()
	if !n.ReadyForConnections(10 * time.Second) {
		t.Fatal("the server does not listen")
	}
	return n
}

// TestNewRegister: an agent is connected to the user's server before any coordinator was, so that it is in
// no register. It is listed nonetheless, and once it is listed the list does not wait.
func TestNewRegister(t *testing.T) {
	t.Parallel()
	n := serveNATS(t, t.TempDir(), server.RANDOM_PORT)
	defer n.Shutdown()
	_, join, _, err := hub.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	start(t, n.ClientURL(), join, "a", 0)
	for deadline := time.Now().Add(20 * time.Second); n.NumClients() == 0; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the agent has not connected")
		}
	}
	f, err := Open(t.Context(), Options{Address: n.ClientURL()})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if all, err := f.Agents(t.Context(), 10*time.Second); err != nil || len(all) != 1 || all[0].Name != "a" {
		t.Fatalf("%+v, %v", all, err)
	}
	from := time.Now()
	if all, err := f.Agents(t.Context(), time.Minute); err != nil || len(all) != 1 {
		t.Fatalf("%+v, %v", all, err)
	}
	if took := time.Since(from); took > 30*time.Second {
		t.Errorf("waited %v for an agent that was there", took)
	}
}

// TestRestart: the user's NATS server is restarted in the middle of a load. Agents go on,
// find it again and hand in what they have; the run ends, whole or with void parts.
func TestRestart(t *testing.T) {
	if !rota.Long(1, 3) {
		t.Skip("not its day")
	}
	dir := t.TempDir()
	n := serveNATS(t, dir, server.RANDOM_PORT)
	_, join, _, err := hub.Open(t.TempDir()) // any user may connect to this server
	if err != nil {
		t.Fatal(err)
	}
	url := n.ClientURL()
	f, err := Open(t.Context(), Options{Address: url})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s := serve(t)
	start(t, url, join, "a", 0)
	agents, err := f.Choose(t.Context(), "1", 30*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	session, err := f.Begin(t.Context(), order(agents, plan(t, s.url, unpark.Constant, 50, 6)))
	if err != nil {
		t.Fatal(err)
	}
	time.Sleep(time.Until(session.Start().Add(2 * time.Second)))
	at, ok := n.Addr().(*net.TCPAddr)
	if !ok {
		t.Fatal(n.Addr())
	}
	n.Shutdown()
	n.WaitForShutdown()
	n = serveNATS(t, dir, at.Port)
	defer n.Shutdown()
	r, err := session.Wait(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%+v", r.Void)
	if r.Record == nil && r.Agents[0].Void == "" {
		t.Error("there is neither a record nor a reason")
	}
}
