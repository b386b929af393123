// Broker serves tasks that are created, claimed and completed: alone, with three
// ways to commit, or as one of the nodes of a cluster. See README.md in this folder.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/unpark-go/unpark/labs/broker/cluster"
	"github.com/unpark-go/unpark/labs/broker/store"
	"github.com/unpark-go/unpark/probe"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stderr))
}

type config struct {
	addr, grpc, dir string
	commit          string
	shards          int
	id              string
	peers           []cluster.Peer
	apply           string
}

// The ways to bring commands into a Raft log.
const (
	applySingle = "single"
	applyBatch  = "batch"
)

func parse(args []string, stderr io.Writer) (config, error) {
	var c config
	flags := flag.NewFlagSet("broker", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&c.addr, "addr", "127.0.0.1:8080", "host:port to serve HTTP on")
	flags.StringVar(&c.grpc, "grpc", "", "host:port to serve gRPC streams on as well; default none")
	flags.StringVar(&c.dir, "dir", "", "folder of the database; default a temporary one, removed at the end")
	flags.StringVar(&c.commit, "commit", store.Mutex, "how a single node commits: mutex, direct, coalesce")
	flags.IntVar(&c.shards, "shards", 8, "shards, by hash of the idempotency key; must stay as it is in a folder")
	flags.StringVar(&c.id, "id", "", "this node's name among -peers")
	flags.Func("peers", "nodes of the cluster, ID=RAFT=URL,…: RAFT is host:port, URL where the node serves; default a single node", func(s string) (err error) {
		c.peers, err = parsePeers(s)
		return err
	})
	flags.StringVar(&c.apply, "apply", applyBatch, "how a cluster's node applies: single (each command), batch (up to 128)")
	if err := flags.Parse(args); err != nil {
		return c, err
	}
	err := c.check(flags.Args())
	if err != nil {
		fmt.Fprintf(stderr, "broker: %v\n", err)
	}
	return c, err
}

func parsePeers(s string) ([]cluster.Peer, error) {
	var out []cluster.Peer
	for one := range strings.SplitSeq(s, ",") {
		part := strings.SplitN(one, "=", 3)
		if len(part) != 3 || part[0] == "" || part[1] == "" || part[2] == "" {
			return nil, fmt.Errorf("node %q: write it as n1=127.0.0.1:7001=http://127.0.0.1:8001", one)
		}
		out = append(out, cluster.Peer{ID: part[0], Raft: part[1], URL: part[2]})
	}
	return out, nil
}

func (c config) check(rest []string) error {
	switch {
	case len(rest) > 0:
		return fmt.Errorf("unexpected argument %q", rest[0])
	case c.shards < 1 || c.shards > 1024:
		return fmt.Errorf("-shards %d: give 1 to 1024", c.shards)
	case c.apply != applySingle && c.apply != applyBatch:
		return fmt.Errorf("-apply %s: choose %s or %s", c.apply, applySingle, applyBatch)
	case len(c.peers) == 0 && c.id != "":
		return fmt.Errorf("-id %s: name the cluster's nodes in -peers as well", c.id)
	case len(c.peers) > 0 && c.self() == nil:
		return fmt.Errorf("-id %q is not one of -peers", c.id)
	}
	return nil
}

// self is this node in the cluster, nil when it is not there.
func (c config) self() *cluster.Peer {
	for i := range c.peers {
		if c.peers[i].ID == c.id {
			return &c.peers[i]
		}
	}
	return nil
}

// run serves until ctx is done and returns the exit status.
func run(ctx context.Context, args []string, stderr io.Writer) int {
	c, err := parse(args, stderr)
	if err != nil {
		return 2
	}
	probe.Start()
	if err := serve(ctx, c, stderr); err != nil {
		fmt.Fprintf(stderr, "broker: %v\n", err)
		return 1
	}
	return 0
}
