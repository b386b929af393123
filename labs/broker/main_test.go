package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/unpark-go/unpark/internal/rota"
	"github.com/unpark-go/unpark/labs/broker/api"
	"github.com/unpark-go/unpark/labs/broker/client"
)

// envNode makes the test binary a broker: a node that is killed must be a process.
const envNode = "BROKER_TEST_NODE"

func TestMain(m *testing.M) {
	if os.Getenv(envNode) != "" {
		main()
	}
	os.Exit(m.Run())
}

// process is a broker of its own.
type process struct {
	cmd *exec.Cmd
	url string
}

// launch starts a broker and waits until it serves. It is killed with the test.
func launch(t testing.TB, args ...string) *process {
	t.Helper()
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), envNode+"=1")
	said, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	p := &process{cmd: cmd}
	t.Cleanup(p.kill)
	lines := bufio.NewReader(said)
	for p.url == "" {
		line, err := lines.ReadString('\n')
		if err != nil {
			t.Fatalf("%v does not serve: %v: %s", args, err, line)
		}
		if _, url, ok := strings.Cut(strings.TrimSpace(line), "serving on "); ok {
			p.url = url
		}
	}
	go io.Copy(io.Discard, lines)
	return p
}

// kill ends it as a power cut would, as far as the process is concerned.
func (p *process) kill() {
	if p.cmd.ProcessState == nil {
		_ = p.cmd.Process.Kill()
		_ = p.cmd.Wait() // says that it was killed
	}
}

// free returns addresses on which nothing listens. Their ports lie below those that
// Linux gives to clients (ip_local_port_range), so that no connection of another test
// takes one before the node listens.
func free(t testing.TB, n int) []string {
	t.Helper()
	var out []string
	for tries := 0; len(out) < n; tries++ {
		l, err := net.Listen("tcp", fmt.Sprint("127.0.0.1:", 10_000+rand.IntN(20_000)))
		if err != nil {
			if tries > 100 {
				t.Fatal(err)
			}
			continue
		}
		defer l.Close()
		out = append(out, l.Addr().String())
	}
	return out
}

// nodes are the three processes of a cluster.
type nodes struct {
	args    [][]string
	urls    []string
	streams map[string]string // gRPC address by URL
	running []*process
}

func launchCluster(t testing.TB, more ...string) *nodes {
	t.Helper()
	addrs := free(t, 9)
	c := &nodes{streams: map[string]string{}}
	var peers []string
	for i := range 3 {
		url := "http://" + addrs[i]
		c.urls = append(c.urls, url)
		c.streams[url] = addrs[6+i]
		peers = append(peers, fmt.Sprintf("n%d=%s=%s", i, addrs[3+i], url))
	}
	for i := range 3 {
		c.args = append(c.args, append([]string{
			"-addr", addrs[i], "-grpc", addrs[6+i], "-dir", t.TempDir(), "-shards", "3",
			"-id", fmt.Sprint("n", i), "-peers", strings.Join(peers, ","),
		}, more...))
		c.running = append(c.running, launch(t, c.args[i]...))
	}
	return c
}

// leader is the number of the node that leads the first shard.
func (c *nodes) leader(t testing.TB) int {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		for i, p := range c.running {
			var s api.Shards
			if p != nil && get(p.url+"/v1/shards", &s) == nil && s.Leaders[0] == c.urls[i] {
				return i
			}
		}
	}
	t.Fatal("no leader")
	return 0
}

func get(url string, into any) error {
	resp, err := (&http.Client{Timeout: 5 * time.Second}).Get(url)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	return json.NewDecoder(resp.Body).Decode(into)
}

// The leader is killed twice while workers create, claim and complete: every task
// that was acknowledged is completed in the end, over HTTP and over streams.
func TestLeaderIsKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("starts three processes and kills some")
	}
	for i, transport := range []string{"http", "grpc"} {
		for j, apply := range []string{applySingle, applyBatch} {
			if !rota.On(2*i+j, 4) {
				continue
			}
			t.Run(transport+" "+apply, func(t *testing.T) {
				c := launchCluster(t, "-apply", apply)
				dial, stop := dialer(t, transport, c)
				defer stop()
				account := killed(t, c, dial)
				t.Logf("%d created, %d deliveries, %d of them repeated", account.Created, account.Deliveries, account.Repeated)
				if len(account.Missing) > 0 || len(account.Errors) > 0 || account.Created == 0 {
					t.Errorf("of %d tasks that were acknowledged %d are missing: %.3q, errors %.3q",
						account.Created, len(account.Missing), account.Missing, account.Errors)
				}
			})
		}
	}
}

func dialer(t *testing.T, transport string, c *nodes) (client.Dial, func()) {
	t.Helper()
	if transport == "grpc" {
		s, err := client.GRPC(c.streams)
		if err != nil {
			t.Fatal(err)
		}
		return s.Dial, func() { s.Close() }
	}
	dial, _, err := client.HTTP(client.Tuned, 8)
	if err != nil {
		t.Fatal(err)
	}
	return dial, func() {}
}

// killed loads a cluster, kills its leader, brings it back and kills the next.
func killed(t *testing.T, c *nodes, dial client.Dial) client.Account {
	t.Helper()
	const workers, lease = 8, time.Second
	ctx, cancel := context.WithTimeout(t.Context(), 90*time.Second)
	defer cancel()
	var ledger client.Ledger
	working, stop := context.WithCancel(ctx)
	defer stop()
	var all sync.WaitGroup
	for w := range workers {
		one, err := client.New(ctx, c.urls, dial)
		if err != nil {
			t.Fatal(err)
		}
		all.Go(func() {
			defer one.Close()
			for i := 0; working.Err() == nil; i++ {
				ledger.Cycle(ctx, one, fmt.Sprintf("%d/%d", w, i), lease)
			}
		})
	}
	// more waits for another n tasks.
	more := func(n int) {
		for want := ledger.Account().Created + n; ledger.Account().Created < want; time.Sleep(5 * time.Millisecond) {
			if ctx.Err() != nil {
				t.Fatal("nothing is created any more")
			}
		}
	}
	more(200)
	for range 2 {
		i := c.leader(t)
		c.running[i].kill()
		c.running[i] = nil
		more(200)
		c.running[i] = launch(t, c.args[i]...)
		more(100)
	}
	stop()
	all.Wait()
	one, err := client.New(ctx, c.urls, dial)
	if err != nil {
		t.Fatal(err)
	}
	defer one.Close()
	ledger.Drain(ctx, one, lease)
	return ledger.Account()
}

// A single node that is killed has every acknowledged task when it comes back.
func TestNodeIsKilled(t *testing.T) {
	for _, commit := range []string{"mutex", "direct", "coalesce"} {
		t.Run(commit, func(t *testing.T) {
			args := []string{"-addr", "127.0.0.1:0", "-dir", t.TempDir(), "-commit", commit}
			dial, _, err := client.HTTP(client.Tuned, 4)
			if err != nil {
				t.Fatal(err)
			}
			p := launch(t, args...)
			acknowledged := creations(t, p, dial)
			p = launch(t, args...)
			defer p.kill()
			one, err := client.New(t.Context(), []string{p.url}, dial)
			if err != nil {
				t.Fatal(err)
			}
			for key, id := range acknowledged {
				if again, err := one.Create(t.Context(), key, nil); err != nil || again != id {
					t.Errorf("task %s was %s and is %s, %v", key, id, again, err)
				}
			}
		})
	}
}

// creations creates tasks until the node is killed under way, and returns those that
// were acknowledged.
func creations(t *testing.T, p *process, dial client.Dial) map[string]string {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	out := map[string]string{}
	var mu sync.Mutex
	var all sync.WaitGroup
	enough := make(chan struct{})
	for w := range 4 {
		one, err := client.New(ctx, []string{p.url}, dial)
		if err != nil {
			t.Fatal(err)
		}
		all.Go(func() {
			for i := 0; ctx.Err() == nil; i++ {
				key := fmt.Sprintf("%d/%d", w, i)
				id, err := one.Create(ctx, key, []byte("payload"))
				if err != nil {
					return
				}
				mu.Lock()
				if out[key] = id; len(out) == 50 {
					close(enough)
				}
				mu.Unlock()
			}
		})
	}
	<-enough
	p.kill()
	cancel()
	all.Wait()
	return out
}

func TestBadArguments(t *testing.T) {
	for _, tt := range []struct {
		args   []string
		status int
		says   string
	}{
		{[]string{"-commit", "hope"}, 1, `commit "hope" is unknown`},
		{[]string{"-shards", "0"}, 2, "-shards 0"},
		{[]string{"-apply", "never"}, 2, "-apply never"},
		{[]string{"-id", "n1"}, 2, "-peers"},
		{[]string{"-id", "n9", "-peers", "n1=127.0.0.1:1=http://127.0.0.1:2"}, 2, "is not one of"},
		{[]string{"-peers", "n1"}, 2, "write it as"},
		{[]string{"-addr", "nowhere:at:all"}, 1, "another -addr"},
		{[]string{"now"}, 2, `unexpected argument "now"`},
	} {
		var said strings.Builder
		if got := run(t.Context(), tt.args, &said); got != tt.status || !strings.Contains(said.String(), tt.says) {
			t.Errorf("%v: status %d, said %q; want %d and %q", tt.args, got, said.String(), tt.status, tt.says)
		}
	}
}
