// Package hub is the NATS server between a coordinator and its agents: unpark's own, which
// is embedded, or the user's.
//
// Of the embedded one there are two users. The coordinator's secret never leaves the
// process: it connects within it. What agents need is a [Join]: a token and the fingerprint
// of the server's certificate, in a file of mode 0600. With it one can be an agent, hear what
// other agents are told and hand in artifacts; it gives no orders and reads no artifact.
package hub

import (
	"context"
	"crypto/rand"
	"fmt"
	"net"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// The bounds of the embedded server.
const (
	maxPayload = 1 << 20  // bytes of one message; files go in chunks of 128 kB
	maxMemory  = 64 << 20 // bytes of streams in memory
	maxStore   = 8 << 30  // bytes of artifacts on the disk, which are deleted as they are fetched
	maxBuffer  = 32 << 20 // bytes that a stream may be behind its disk; what comes then is refused (Put)
)

// The buckets.
const (
	Agents    = "unpark-agents"    // key-value: the register
	Artifacts = "unpark-artifacts" // objects: files of runs
	// AgentTTL is how long an agent that says no more stays in the register.
	AgentTTL = 10 * time.Second
	keep     = time.Hour // of artifacts that are not fetched
)

// Server is an embedded server that runs.
type Server struct {
	s      *server.Server
	secret string
	remove func() // its folder
	url    string
	TLS    bool
}

const (
	coordinator = "coordinator"
	agent       = "agent"
)

// Serve starts a server at host:port, port 0 for any, that agents reach with the identity's
// Join. Beyond loopback it speaks TLS alone. Artifacts are in a temporary folder, which
// Close removes.
func Serve(id Identity, listen string) (*Server, error) {
	host, port, err := net.SplitHostPort(listen)
	if err != nil {
		return nil, fmt.Errorf("serve agents at %q: %w: write an address such as 127.0.0.1:7422 or 0.0.0.0:7422", listen, err)
	}
	number, err := strconv.Atoi(port)
	if err != nil {
		return nil, fmt.Errorf("serve agents at %q: the port is no number: write an address such as 127.0.0.1:7422", listen)
	}
	// The server tries for as long as it is waited for, and its reason is in no log.
	if l, err := net.Listen("tcp", listen); err != nil {
		return nil, fmt.Errorf("serve agents: %w: is another coordinator there? name another address of this machine with --listen, or port 0 for any", err)
	} else if err := l.Close(); err != nil {
		return nil, fmt.Errorf("serve agents at %s: %w", listen, err)
	}
	if number == 0 {
		number = server.RANDOM_PORT
	}
	dir, remove, err := TempFolder("unpark-fleet-")
	if err != nil {
		return nil, err
	}
	s := &Server{secret: rand.Text(), remove: remove, TLS: !loopback(host)}
	o := &server.Options{
		ServerName: "unpark", Host: host, Port: number, NoLog: true, NoSigs: true, MaxPayload: maxPayload,
		JetStream: true, StoreDir: dir, JetStreamMaxMemory: maxMemory, JetStreamMaxStore: maxStore, StreamMaxBufferedSize: maxBuffer,
		PingInterval: 2 * time.Second, MaxPingsOut: 2, WriteDeadline: 10 * time.Second,
		Users: []*server.User{{Username: coordinator, Password: s.secret}, {Username: agent, Password: id.token, Permissions: agentMay()}},
	}
	if s.TLS {
		o.TLSConfig, o.TLSTimeout = id.tls(), 10
	}
	if s.s, err = server.NewServer(o); err != nil {
		remove()
		return nil, fmt.Errorf("make the embedded NATS server: %w", err)
	}
	go s.s.Start()
	if !s.s.ReadyForConnections(10 * time.Second) {
		s.Close()
		return nil, fmt.Errorf("serve agents at %s: it does not listen after 10 s: start it again", listen)
	}
	s.url = "nats://" + reached(s.s.Addr().String())
	return s, nil
}

// reached is where others find what listens at an address: that of all interfaces is none.
func reached(address string) string {
	host, port, err := net.SplitHostPort(address)
	if ip := net.ParseIP(host); err != nil || ip == nil || !ip.IsUnspecified() {
		return address
	}
	name, err := os.Hostname()
	if err != nil {
		return address
	}
	return net.JoinHostPort(name, port)
}

// agentMay is what the holder of a Join may do.
func agentMay() *server.Permissions {
	return &server.Permissions{
		Publish: &server.SubjectPermission{Allow: []string{
			"_INBOX.coordinator.>", "unpark.beat.>", "unpark.done.>",
			"$KV." + Agents + ".>", "$O." + Artifacts + ".>", "$JS.API.INFO",
			"$JS.API.STREAM.INFO.KV_" + Agents, "$JS.API.STREAM.INFO.OBJ_" + Artifacts,
			"$JS.API.DIRECT.GET.OBJ_" + Artifacts + ".$O." + Artifacts + ".M.>",
			"$JS.API.STREAM.PURGE.OBJ_" + Artifacts,
		}},
		Subscribe: &server.SubjectPermission{Allow: []string{"_INBOX.agent.>", "unpark.agent.>", "unpark.lease.>"}},
	}
}

// URL is where agents reach the server.
func (s *Server) URL() string { return s.url }

// Close ends it and removes its folder.
func (s *Server) Close() {
	s.s.Shutdown()
	s.s.WaitForShutdown()
	s.remove()
}

// Connect connects the coordinator within the process.
func (s *Server) Connect() (*nats.Conn, error) {
	return nats.Connect("", append(patient("coordinator"), nats.InProcessServer(s.s), nats.UserInfo(coordinator, s.secret))...)
}

// patient are the options of every connection: a link that was cut is sought again for as
// long as the process runs, and what is said meanwhile is said late, not lost.
func patient(who string) []nats.Option {
	return []nats.Option{
		nats.Name("unpark " + who), nats.CustomInboxPrefix("_INBOX." + who),
		nats.MaxReconnects(-1), nats.ReconnectWait(200 * time.Millisecond), nats.ReconnectJitter(100*time.Millisecond, 300*time.Millisecond),
		nats.PingInterval(time.Second), nats.MaxPingsOutstanding(2), nats.Timeout(5 * time.Second),
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}),
	}
}

// Buckets makes what coordinator and agents share, where it is not there yet.
func Buckets(ctx context.Context, nc *nats.Conn) (jetstream.KeyValue, jetstream.ObjectStore, error) {
	js, err := jetstream.New(nc)
	if err != nil {
		return nil, nil, err
	}
	kv, err := js.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: Agents, TTL: AgentTTL, Storage: jetstream.MemoryStorage, MaxBytes: 4 << 20, Description: "agents of unpark"})
	if err != nil {
		return nil, nil, fmt.Errorf("make the register of agents: %w: the NATS server needs JetStream (of a cluster, the server that has the bucket, and most of the others), and the user the rights of a coordinator, which docs/fleet.md lists", refused(nc, err))
	}
	objects, err := js.CreateOrUpdateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: Artifacts, TTL: keep, Storage: jetstream.FileStorage, Description: "files of unpark's runs"})
	if err != nil {
		return nil, nil, fmt.Errorf("make the store for artifacts: %w: the NATS server needs JetStream with a file store (of a cluster, the server that has the bucket)", refused(nc, err))
	}
	return kv, objects, nil
}

func loopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

// hostOf is the host of a nats:// URL.
func hostOf(address string) string {
	if u, err := url.Parse(address); err == nil && u.Host != "" {
		return u.Hostname()
	}
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return address
	}
	return host
}
