package fleet

import (
	"net"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/fleet/hub"
	"github.com/unpark-go/unpark/internal/rota"
)

// cluster starts three servers of a realm that are one, and waits until they have a leader. again starts one that was ended.
func (r *realm) cluster(t *testing.T) (all []*server.Server, again func(i int)) {
	t.Helper()
	var routes []*url.URL
	var options []server.Options
	var held []net.Listener // until the addresses of all are known
	for i := range 3 {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		held = append(held, l)
		at, ok := l.Addr().(*net.TCPAddr)
		if !ok {
			t.Fatal(l.Addr())
		}
		routes = append(routes, &url.URL{Scheme: "nats-route", Host: at.String()})
		options = append(options, server.Options{
			ServerName: "n" + strconv.Itoa(i), StoreDir: t.TempDir(), Cluster: server.ClusterOpts{Name: "c", Host: "127.0.0.1", Port: at.Port},
		})
	}
	for _, l := range held {
		l.Close()
	}
	for i := range options {
		options[i].Routes = routes
		all = append(all, r.serve(t, options[i]))
	}
	holder(t, all, func(n *server.Server) bool {
		return n.JetStreamIsLeader() && len(n.JetStreamClusterPeers()) == len(all)
	})
	return all, func(i int) { all[i] = r.serve(t, options[i]) }
}

// holder waits for the server of which that is so.
func holder(t *testing.T, all []*server.Server, so func(*server.Server) bool) int {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		for i, n := range all {
			if so(n) {
				return i
			}
		}
	}
	t.Fatal("no server of the cluster has it")
	return 0
}

// TestCluster: coordinator and agents at three servers of a cluster are a whole load. The server of an agent ends in the middle of one: the agent
// goes on at another, of which the first has told it. The server ends that has the artifacts, of which there is one copy:
// the parts are void and say so, nothing waits for what does not come, and the next coordinator is told. When it is back, so is everything.
func TestCluster(t *testing.T) {
	if !rota.Long(3, 7) {
		t.Skip("not its day")
	}
	r := newRealm(t)
	all, again := r.cluster(t)
	own, _ := r.user(t, coordinatorMay)
	theirs, _ := r.user(t, agentsMay)
	f, err := openWith(t, all[0].ClientURL(), own)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	has := func(stream string) int {
		return holder(t, all, func(n *server.Server) bool { return n.JetStreamIsStreamLeader(r.claims.Subject, stream) })
	}
	store, register := has("OBJ_"+hub.Artifacts), has("KV_"+hub.Agents)
	neither := 0
	for neither == store || neither == register {
		neither++
	}
	a, b := telling(t, all[neither].ClientURL(), theirs, "a"), telling(t, all[(neither+1)%3].ClientURL(), theirs, "b")
	whole(t, f, 1)

	got, took := without(t, f, all[neither])
	t.Logf("%v after the load: %+v\na: %s\nb: %s", took, got.Void, a(), b())
	came(t, got)
	if !strings.Contains(a(), "connected again") {
		t.Error("the agent of the server that ended went nowhere")
	}
	again(neither)
	holder(t, all, (*server.Server).JetStreamIsLeader)

	got, took = without(t, f, all[store])
	t.Logf("%v after the load: %+v\na: %s\nb: %s", took, got.Void, a(), b())
	for _, one := range got.Agents {
		if !strings.Contains(one.Void, "of a cluster, the server that had it may be away") {
			t.Errorf("agent %s without a store: %q", one.Name, one.Void)
		}
	}
	if took > 20*time.Second {
		t.Errorf("it took %v", took)
	}
	from := time.Now()
	next, err := openWith(t, all[neither].ClientURL(), own)
	if err == nil {
		next.Close()
	}
	t.Logf("the next coordinator after %v: %v", time.Since(from), err)
	if err == nil || !strings.Contains(err.Error(), "of a cluster") || time.Since(from) > 20*time.Second {
		t.Errorf("without the server of the artifacts: %v, after %v", err, time.Since(from))
	}
	again(store)
	has("OBJ_" + hub.Artifacts)
	whole(t, f, 1)
}

// without drives a load from a and b, in the middle of which a server ends, and returns how long after the load the result was there.
func without(t *testing.T, f *Fleet, ends *server.Server) (Result, time.Duration) {
	t.Helper()
	agents, err := f.Choose(t.Context(), "a,b", 20*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	session, err := f.Begin(t.Context(), order(agents, plan(t, serve(t).url, unpark.Constant, 50, 5)))
	if err != nil {
		t.Fatal(err)
	}
	time.Sleep(time.Until(session.Start().Add(2 * time.Second)))
	ends.Shutdown()
	ends.WaitForShutdown()
	got, err := session.Wait(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return got, time.Since(session.Start().Add(5 * time.Second))
}
