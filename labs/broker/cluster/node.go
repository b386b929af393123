package cluster

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/raft"

	"github.com/unpark-go/unpark/labs/broker/store"
	"github.com/unpark-go/unpark/labs/broker/task"
)

// Peer is one node of the cluster.
type Peer struct {
	ID   string
	Raft string // host:port of its groups
	URL  string // of its API
}

// Config says what a node is.
type Config struct {
	ID     string // of this node, one of Peers
	Peers  []Peer // all nodes, the same list everywhere
	Shards int
	Dir    string // for snapshots
	Batch  bool   // one Raft apply for all commands that wait, else one for each
	// Listener is open at this node's Raft address; the node closes it.
	Listener net.Listener
	Counts   *store.Counts
	Log      io.Writer // what raft has to complain about; nil for nowhere
}

// The times of a group. A leader is missed after a second at most: short for a
// test, long for two processors that everybody shares.
const (
	heartbeat = 500 * time.Millisecond
	lease     = 400 * time.Millisecond
	rpc       = 5 * time.Second
)

// Node is one node: a member of every shard's group.
type Node struct {
	config Config
	mux    *mux
	groups []*group
}

var _ store.Engine = (*Node)(nil)

// group is this node's part in one shard.
type group struct {
	raft      *raft.Raft
	fsm       *fsm
	transport *raft.NetworkTransport
	proposer  proposer
}

// Start joins a node to its cluster. The store must be closed after the node.
func Start(s *store.Store, c Config) (*Node, error) {
	n := &Node{config: c, mux: newMux(c.Listener, c.Shards)}
	for shard := range c.Shards {
		g, err := n.join(s, shard)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("join shard %d as %s: %w", shard, c.ID, err), n.Close())
		}
		n.groups = append(n.groups, g)
	}
	return n, nil
}

func (n *Node) join(s *store.Store, shard int) (*group, error) {
	log := hclog.New(&hclog.LoggerOptions{Name: fmt.Sprintf("raft %s/%d", n.config.ID, shard), Output: n.config.Log, Level: hclog.Error})
	if n.config.Log == nil {
		log = hclog.NewNullLogger()
	}
	f, err := newFSM(s, shard)
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(n.config.Dir, "snapshots", fmt.Sprint(shard))
	snapshots, err := raft.NewFileSnapshotStoreWithLogger(dir, 1, log)
	if err != nil {
		return nil, fmt.Errorf("make %s: %w", dir, err)
	}
	g := &group{fsm: f, transport: raft.NewNetworkTransportWithConfig(&raft.NetworkTransportConfig{
		Stream: n.mux.groups[shard], MaxPool: 2, Timeout: rpc, Logger: log,
	})}
	logs := &logStore{s.DB(), store.Prefix(logSpace, shard)}
	stable := &stableStore{s.DB(), store.Prefix(stableSpace, shard)}
	config := n.raftConfig(log)
	err = raft.BootstrapCluster(config, logs, stable, snapshots, g.transport, n.members())
	if err == nil || errors.Is(err, raft.ErrCantBootstrap) { // it was, before a restart
		g.raft, err = raft.NewRaft(config, f, logs, stable, snapshots, g.transport)
	}
	if err != nil {
		g.transport.Close()
		return nil, err
	}
	g.proposer = &single{g.raft, n.config.Counts}
	if n.config.Batch {
		g.proposer = newBatcher(g.raft, n.config.Counts)
	}
	return g, nil
}

func (n *Node) raftConfig(log hclog.Logger) *raft.Config {
	c := raft.DefaultConfig()
	c.LocalID = raft.ServerID(n.config.ID)
	c.HeartbeatTimeout, c.ElectionTimeout, c.LeaderLeaseTimeout = heartbeat, heartbeat, lease
	c.BatchApplyCh = true
	c.NoSnapshotRestoreOnStart = true // the database has what was applied
	c.Logger = log
	return c
}

func (n *Node) members() raft.Configuration {
	var c raft.Configuration
	for _, p := range n.config.Peers {
		c.Servers = append(c.Servers, raft.Server{ID: raft.ServerID(p.ID), Address: raft.ServerAddress(p.Raft)})
	}
	return c
}

// Do implements store.Engine. With *store.Elsewhere the command may have been
// carried out nonetheless, if this node led the shard and lost that.
func (n *Node) Do(ctx context.Context, shard int, c task.Command) (task.Result, error) {
	g := n.groups[shard]
	if g.raft.State() != raft.Leader {
		return task.Result{}, n.elsewhere(shard)
	}
	r, err := g.proposer.propose(ctx, c)
	switch {
	case errors.Is(err, raft.ErrNotLeader), errors.Is(err, raft.ErrLeadershipLost),
		errors.Is(err, raft.ErrLeadershipTransferInProgress), errors.Is(err, raft.ErrEnqueueTimeout):
		return task.Result{}, n.elsewhere(shard)
	case errors.Is(err, raft.ErrRaftShutdown):
		return task.Result{}, store.ErrClosed
	case err != nil:
		return task.Result{}, fmt.Errorf("apply on shard %d: %w", shard, err)
	}
	return r, nil
}

func (n *Node) elsewhere(shard int) error {
	url, here := n.Leader(shard)
	if here { // only just: the next attempt will do
		url = ""
	}
	return &store.Elsewhere{Leader: url}
}

// Leader implements store.Engine.
func (n *Node) Leader(shard int) (url string, here bool) {
	_, id := n.groups[shard].raft.LeaderWithID()
	for _, p := range n.config.Peers {
		if p.ID == string(id) {
			return p.URL, p.ID == n.config.ID
		}
	}
	return "", false
}

// Waiting implements store.Engine.
func (n *Node) Waiting(shard int) bool {
	g := n.groups[shard]
	return g.raft.State() == raft.Leader && g.fsm.machine.Load().Waiting(time.Now().UnixNano())
}

// Close leaves the cluster without a word, as a crash would.
func (n *Node) Close() error {
	var all error
	for i, g := range n.groups {
		if err := g.raft.Shutdown().Error(); err != nil {
			all = errors.Join(all, fmt.Errorf("leave shard %d: %w", i, err))
		}
		g.proposer.close()
		g.transport.Close()
	}
	n.mux.close()
	return all
}
