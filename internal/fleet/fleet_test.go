package fleet

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/fleet/agent"
	"github.com/unpark-go/unpark/internal/fleet/hub"
	"github.com/unpark-go/unpark/internal/fleet/wire"
	"github.com/unpark-go/unpark/internal/measure/load/requests"
)

// asAgent has the test's binary be an agent that can be killed: its address, credential,
// name and the shift of its clock.
const asAgent = "UNPARK_FLEET_TEST_AGENT"

func TestMain(m *testing.M) {
	if f := strings.Fields(os.Getenv(asAgent)); len(f) == 4 {
		join, err := hub.ReadJoin(f[1])
		shift, wrong := time.ParseDuration(f[3])
		if err == nil && wrong == nil {
			err = agent.Run(context.Background(), agent.Options{Name: f[2], Join: join, Address: f[0], Shift: shift})
		}
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// open serves a fleet of its own on a port of its own.
func open(t testing.TB) (f *Fleet, join string) {
	t.Helper()
	id, join, made, err := hub.Open(t.TempDir())
	if err != nil || !made {
		t.Fatal(made, err)
	}
	f, err = Open(t.Context(), Options{Identity: id, Listen: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Close)
	return f, join
}

// start runs an agent in a process of its own, which ends with the test.
func start(t testing.TB, url, join, name string, shift time.Duration) *exec.Cmd {
	t.Helper()
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), asAgent+"="+strings.Join([]string{url, join, name, shift.String()}, " "))
	c.Stderr = os.Stderr
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Process.Kill() // it may be dead
		_ = c.Wait()
	})
	return c
}

// service counts the requests for each path, and notes when the last came.
type service struct {
	url  string
	mu   sync.Mutex
	seen map[string]int
	last atomic.Int64
}

func serve(t testing.TB) *service {
	s := &service{seen: map[string]int{}}
	h := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		s.last.Store(time.Now().UnixNano())
		s.mu.Lock()
		defer s.mu.Unlock()
		s.seen[r.URL.Path]++
	}))
	t.Cleanup(h.Close)
	s.url = h.URL
	return s
}

// plan sends the number of each request.
func plan(t testing.TB, url string, mode unpark.Mode, rate float64, length float64) unpark.Plan {
	t.Helper()
	path, err := requests.Compile([]byte("/{{counter}}"), requests.Values{})
	if err != nil {
		t.Fatal(err)
	}
	return unpark.Plan{
		Mode: mode, RateRPS: rate, Duration: length, Warmup: 0, Timeout: 5, Seed: 1,
		Requests: []unpark.Request{{URL: url + "/", Target: path, Header: map[string][]string{"X-Secret": {"s3cret"}}}},
	}
}

func order(agents []Agent, p unpark.Plan) Order {
	length := time.Duration(p.Duration * float64(time.Second))
	return Order{Agents: agents, Plan: p, Hosts: []string{"127.0.0.1"}, Window: "window-01", Phases: Phases(0, length, 0, 0, false)}
}

// TestLoadOfManyIsOne: agents whose clocks are seconds apart send every request of the plan
// once, and the merged record has all of them.
func TestLoadOfManyIsOne(t *testing.T) {
	t.Parallel()
	f, join := open(t)
	s := serve(t)
	for i, shift := range []time.Duration{2 * time.Second, -2 * time.Second, 0} {
		start(t, f.URL(), join, string(rune('a'+i)), shift)
	}
	agents, err := f.Choose(t.Context(), "3", 20*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []time.Duration{2 * time.Second, -2 * time.Second, 0} {
		if d := (agents[i].Clock.Ahead - want).Abs(); d > 50*time.Millisecond { // the processes' own starts lie between
			t.Errorf("agent %s is %v ahead, want %v", agents[i].Name, agents[i].Clock.Ahead, want)
		}
	}
	session, err := f.Begin(t.Context(), order(agents, plan(t, s.url, unpark.Constant, 150, 2)))
	if err != nil {
		t.Fatal(err)
	}
	r, err := session.Wait(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	n := len(s.seen)
	for k := range n - 6 { // the last are abandoned at the end, in any order
		want := 1
		if k == 0 {
			want += len(agents) // each has asked once whether the service answers
		}
		if got := s.seen["/"+strconv.Itoa(k)]; got != want {
			t.Errorf("request %d was sent %d times", k, got)
		}
	}
	if n < 290 || n > 330 {
		t.Errorf("%d requests, want 300 and what came while results were collected", n)
	}
	if len(r.Agents) != 3 {
		t.Fatalf("%d agents in the document", len(r.Agents))
	}
	if len(r.Void) == 0 { // a busy machine makes a generator the limit, and it says so
		l := r.Record.Load(r.Measured())
		if l.OfferedRPS < 145 || l.OfferedRPS > 155 || l.Response.N < 300 || l.Response.N > 310 {
			t.Errorf("offered %v/s, %d latencies", l.OfferedRPS, l.Response.N)
		}
	}
}

// TestRefusals: an agent loads only what both lists have, and nothing connects without the credential
// is an agent.
func TestRefusals(t *testing.T) {
	t.Parallel()
	f, join := open(t)
	s := serve(t)
	start(t, f.URL(), join, "a", 0)
	agents, err := f.Choose(t.Context(), "1", 20*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	o := order(agents, plan(t, s.url, unpark.Constant, 50, 1))
	o.Hosts = nil
	if _, err := f.Begin(t.Context(), o); err == nil || !strings.Contains(err.Error(), "has not named this host") {
		t.Errorf("a host that was not named: %v", err)
	}
	o = order(agents, plan(t, "http://192.0.2.1:9", unpark.Constant, 50, 1))
	o.Hosts = []string{"192.0.2.1"}
	if _, err := f.Begin(t.Context(), o); err == nil || !strings.Contains(err.Error(), "--allow 192.0.2.1") {
		t.Errorf("a public host: %v", err)
	}
	o = order(agents, plan(t, s.url, unpark.Constant, 50, 1))
	o.Capture = map[string][]string{"a": {"pid:1"}}
	if _, err := f.Begin(t.Context(), o); err == nil || !strings.Contains(err.Error(), "--allow-attach") {
		t.Errorf("a process by its number: %v", err)
	}
	s.mu.Lock()
	if len(s.seen) != 0 {
		t.Errorf("%d requests were sent although the load was refused", len(s.seen))
	}
	s.mu.Unlock()
	for _, o := range [][]nats.Option{nil, {nats.UserInfo("agent", "guess")}, {nats.UserInfo("coordinator", "")}} {
		if nc, err := nats.Connect(f.URL(), o...); err == nil {
			nc.Close()
			t.Error("connected without the credential")
		}
	}
	j, err := hub.ReadJoin(join)
	if err != nil {
		t.Fatal(err)
	}
	forbidden := make(chan error, 8)
	nc, err := j.DialAgent(f.URL(), nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { forbidden <- err }))
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	for _, subject := range []string{wire.Subject("a", "stop"), wire.Of("lease", "x"), "$JS.API.STREAM.DELETE.OBJ_" + hub.Artifacts, "$JS.API.CONSUMER.CREATE.OBJ_" + hub.Artifacts} {
		if err := nc.Publish(subject, nil); err != nil {
			t.Fatal(err)
		}
		_ = nc.Flush() // the answer is the error below
		select {
		case err := <-forbidden:
			if !strings.Contains(strings.ToLower(err.Error()), "permissions violation") {
				t.Errorf("%s: %v", subject, err)
			}
		case <-time.After(5 * time.Second):
			t.Errorf("an agent may publish to %s", subject)
		}
	}
}

// TestTwinsAreRefused: two machines may have one name, and then each would drive the share of both.
func TestTwinsAreRefused(t *testing.T) {
	t.Parallel()
	f, join := open(t)
	start(t, f.URL(), join, "a", 0)
	start(t, f.URL(), join, "twin", 0)
	if _, err := f.Choose(t.Context(), "a,twin", 20*time.Second); err != nil {
		t.Fatalf("each has a name of its own: %v", err)
	}
	start(t, f.URL(), join, "twin", 0)
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(100 * time.Millisecond) {
		_, err := f.Choose(t.Context(), "twin", 5*time.Second)
		if err != nil && strings.Contains(err.Error(), "agent twin is refused: several agents answer to this name") {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("two of one name are chosen: %v", err)
		}
	}
	if _, err := f.Choose(t.Context(), "a", 20*time.Second); err != nil {
		t.Errorf("the other one is refused: %v", err)
	}
}

// TestOthersAreRefused: an agent whose documents are of another version is listed and not
// used.
func TestOthersAreRefused(t *testing.T) {
	t.Parallel()
	f, _ := open(t)
	old := []byte(`{"name":"old","schema":"` + wire.Schema + `","run_schema":"unpark.run/v0"}`)
	if _, err := f.kv.Put(t.Context(), "old", old); err != nil {
		t.Fatal(err)
	}
	if _, err := f.kv.Put(t.Context(), "odd", []byte(`{"name":"other"}`)); err != nil {
		t.Fatal(err)
	}
	all, err := f.Agents(t.Context(), 0)
	if err != nil || len(all) != 2 {
		t.Fatal(all, err)
	}
	for _, a := range all {
		if a.Refused == "" {
			t.Errorf("%s is not refused", a.Name)
		}
	}
	// An agent that says no more leaves the register within seconds (hub.AgentTTL), which a crowded machine takes to come here.
	if _, err := f.kv.Put(t.Context(), "old", old); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Choose(t.Context(), "1", 3*time.Second); err == nil || !strings.Contains(err.Error(), "unpark.run/v0") {
		t.Errorf("chosen: %v", err)
	}
	for _, bad := range []string{"0", "a,,b", "a,a", "a.b", "*"} {
		if _, err := f.Choose(t.Context(), bad, time.Second); err == nil || !strings.Contains(err.Error(), "--agents") {
			t.Errorf("--agents %q: %v", bad, err)
		}
	}
}
