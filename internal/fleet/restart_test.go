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

// TestRestart: the user's NATS server is restarted in the middle of a load. Agents go on,
// find it again and hand in what they have; the run ends, whole or with void parts.
func TestRestart(t *testing.T) {
	if !rota.Long(1, 3) {
		t.Skip("not its day")
	}
	dir, port := t.TempDir(), server.RANDOM_PORT
	serveNATS := func() *server.Server {
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
	n := serveNATS()
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
	port = at.Port
	n.Shutdown()
	n.WaitForShutdown()
	n = serveNATS()
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
