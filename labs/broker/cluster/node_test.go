package cluster

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/unpark-go/unpark/internal/rota"
	"github.com/unpark-go/unpark/labs/broker/store"
	"github.com/unpark-go/unpark/labs/broker/task"
)

// trio is a cluster of three nodes in this process.
type trio struct {
	t      *testing.T
	peers  []Peer
	dirs   []string
	batch  bool
	shards int
	nodes  []*Node // nil: stopped
	stores []*store.Store
	counts store.Counts
}

func startTrio(t *testing.T, shards int, batch bool) *trio {
	t.Helper()
	c := &trio{t: t, batch: batch, shards: shards, nodes: make([]*Node, 3), stores: make([]*store.Store, 3)}
	var listeners []net.Listener
	for i := range 3 {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		listeners = append(listeners, l)
		c.dirs = append(c.dirs, t.TempDir())
		c.peers = append(c.peers, Peer{ID: fmt.Sprint("n", i), Raft: l.Addr().String(), URL: fmt.Sprint("http://n", i)})
	}
	for i, l := range listeners {
		c.start(i, l)
	}
	t.Cleanup(func() {
		for i := range 3 {
			c.stop(i)
		}
	})
	return c
}

func (c *trio) start(i int, l net.Listener) {
	c.t.Helper()
	s, err := store.Open(c.dirs[i])
	if err != nil {
		c.t.Fatal(err)
	}
	n, err := Start(s, Config{
		ID: c.peers[i].ID, Peers: c.peers, Shards: c.shards, Dir: c.dirs[i], Batch: c.batch,
		Listener: l, Counts: &c.counts, Log: os.Stderr,
	})
	if err != nil {
		c.t.Fatal(err)
	}
	c.nodes[i], c.stores[i] = n, s
}

func (c *trio) stop(i int) {
	if c.nodes[i] == nil {
		return
	}
	if err := c.nodes[i].Close(); err != nil {
		c.t.Error(err)
	}
	if err := c.stores[i].Close(); err != nil {
		c.t.Error(err)
	}
	c.nodes[i] = nil
}

// do finds the shard's leader and repeats until it has an answer.
func (c *trio) do(ctx context.Context, shard int, command task.Command) (task.Result, error) {
	for i := 0; ; i++ {
		n := c.nodes[i%3]
		if n != nil {
			r, err := n.Do(ctx, shard, command)
			if _, elsewhere := errors.AsType[*store.Elsewhere](err); !elsewhere {
				return r, err
			}
		}
		select {
		case <-ctx.Done():
			return task.Result{}, ctx.Err()
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// leader is the number of the node that leads a shard.
func (c *trio) leader(ctx context.Context, shard int) int {
	c.t.Helper()
	for {
		for i, n := range c.nodes {
			if n != nil {
				if _, here := n.Leader(shard); here {
					return i
				}
			}
		}
		select {
		case <-ctx.Done():
			c.t.Fatal("no leader")
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// What was acknowledged is there after its leader has gone, once, on whoever leads
// then; and the one that was away catches up.
func TestLeaderGoes(t *testing.T) {
	for i, batch := range []bool{false, true} {
		if !rota.On(i, 2) {
			continue
		}
		t.Run(fmt.Sprint("batch ", batch), func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			const shards, each = 2, 25
			c := startTrio(t, shards, batch)
			ids := map[string]uint64{}
			create := func(again bool, from, to int) {
				t.Helper()
				var all sync.WaitGroup
				var mu sync.Mutex
				for i := from; i < to; i++ {
					all.Go(func() {
						key := fmt.Sprint(i)
						r, err := c.do(ctx, i%shards, task.Command{Op: task.Create, Key: key})
						mu.Lock()
						defer mu.Unlock()
						if err != nil || again && (!r.Again || ids[key] != r.Task.ID) {
							t.Errorf("create %s, which was %d: %+v, %v", key, ids[key], r.Task, err)
						}
						ids[key] = r.Task.ID
					})
				}
				all.Wait()
			}
			create(false, 0, each)
			gone := c.leader(ctx, 0)
			c.stop(gone)
			create(true, 0, each)
			create(false, each, 2*each)
			back, err := net.Listen("tcp", c.peers[gone].Raft)
			if err != nil {
				t.Fatal(err)
			}
			c.start(gone, back)
			// With another one gone the cluster needs the one that was away.
			c.stop((gone + 1) % 3)
			create(true, 0, 2*each)
			got := c.counts.Read()
			if got.Created < 2*each || batch && got.Commits > got.Operations || !batch && got.Commits != got.Operations {
				t.Errorf("%+v", got)
			}
		})
	}
}

// A node that was away for longer than the log remembers gets a snapshot.
func TestSnapshot(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	c := startTrio(t, 1, true)
	if _, err := c.do(ctx, 0, task.Command{Op: task.Create, Key: "first"}); err != nil {
		t.Fatal(err)
	}
	leader := c.leader(ctx, 0)
	away := (leader + 1) % 3
	c.stop(away)
	for i := range 50 {
		if _, err := c.do(ctx, 0, task.Command{Op: task.Create, Key: fmt.Sprint(i), Payload: []byte("p")}); err != nil {
			t.Fatal(err)
		}
	}
	g := c.nodes[leader].groups[0]
	config := g.raft.ReloadableConfig()
	config.TrailingLogs = 1
	if err := g.raft.ReloadConfig(config); err != nil {
		t.Fatal(err)
	}
	if err := g.raft.Snapshot().Error(); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", c.peers[away].Raft)
	if err != nil {
		t.Fatal(err)
	}
	c.start(away, l)
	want := g.fsm.machine.Load().Applied()
	for c.nodes[away].groups[0].fsm.machine.Load().Applied() < want {
		select {
		case <-ctx.Done():
			t.Fatal("it does not catch up")
		case <-time.After(5 * time.Millisecond):
		}
	}
	c.stop((leader + 2) % 3)
	r, err := c.do(ctx, 0, task.Command{Op: task.Create, Key: "first"})
	if err != nil || !r.Again || r.Task.ID != 1 {
		t.Errorf("%+v, %v", r, err)
	}
}
