// Package client talks to a broker of one node or more: a Client finds the leader
// of each shard, follows it when it changes, and repeats what had no answer, which
// is safe for tasks with an idempotency key. Ledger counts what a broker
// acknowledged and what became of it.
package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/unpark-go/unpark/labs/broker/api"
	"github.com/unpark-go/unpark/labs/broker/rpc"
	"github.com/unpark-go/unpark/labs/broker/task"
)

// Node is one connection to one node. An error says that there was no answer: the
// call may have been carried out.
type Node interface {
	Do(ctx context.Context, call *rpc.Call) (*rpc.Reply, error)
	io.Closer
}

// Dial makes the Node of a node's URL; connecting may come later.
type Dial func(url string) (Node, error)

// Client is for one goroutine.
type Client struct {
	urls    []string
	dial    Dial
	nodes   map[string]Node
	shards  api.Shards // with the leaders, as far as they are known
	turn    int
	Retries int // calls that were repeated
}

const (
	// attempt bounds one call: a node that is gone may leave its connection open.
	attempt = 5 * time.Second
	// pause is before a call is repeated.
	pause = 20 * time.Millisecond
)

// New returns a client of the nodes with these URLs, which must be those that the
// nodes call themselves. It asks them for their shards until ctx ends.
func New(ctx context.Context, urls []string, dial Dial) (*Client, error) {
	c := &Client{urls: urls, dial: dial, nodes: map[string]Node{}}
	for i := 0; ; i++ {
		shards, err := shardsOf(ctx, urls[i%len(urls)])
		if err == nil && len(shards.Leaders) > 0 {
			c.shards = shards
			return c, nil
		}
		if e := sleep(ctx, pause); e != nil {
			return nil, fmt.Errorf("ask for the shards: %w", errors.Join(e, err))
		}
	}
}

func shardsOf(ctx context.Context, url string) (out api.Shards, err error) {
	ctx, cancel := context.WithTimeout(ctx, attempt)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url+"/v1/shards", nil)
	if err != nil {
		return out, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return out, err
	}
	defer resp.Body.Close()
	return out, json.NewDecoder(resp.Body).Decode(&out)
}

// Create makes a task and returns its id. The key must not be empty.
func (c *Client) Create(ctx context.Context, key string, payload []byte) (string, error) {
	shard := c.shards.OfKey(key)
	call := &rpc.Call{Call: &rpc.Call_Create{Create: &rpc.Create{Key: key, Payload: payload}}}
	r, err := c.do(ctx, shard, call)
	return r.GetCreated().GetId(), err
}

// Complete ends a task.
func (c *Client) Complete(ctx context.Context, d api.Delivery) error {
	shard, err := c.shards.OfID(d.ID)
	if err != nil {
		return err
	}
	call := &rpc.Call{Call: &rpc.Call_Complete{Complete: &rpc.Complete{Id: d.ID, Attempt: d.Attempt}}}
	_, err = c.do(ctx, shard, call)
	return err
}

// Claim asks each node once, in turn; false when none has a task. What a node
// claimed whose answer was lost comes again when the lease ends.
func (c *Client) Claim(ctx context.Context, worker string, lease time.Duration) (api.Delivery, bool, error) {
	call := &rpc.Call{Call: &rpc.Call_Claim{Claim: &rpc.Claim{Worker: worker, LeaseMs: lease.Milliseconds()}}}
	for range c.urls {
		url := c.urls[c.turn%len(c.urls)]
		r, err := c.ask(ctx, url, call)
		if ctx.Err() != nil {
			return api.Delivery{}, false, ctx.Err()
		}
		if f := r.GetFailure(); f != nil && f.GetKind() == rpc.Failure_INVALID {
			return api.Delivery{}, false, fmt.Errorf("%w: %s", api.ErrBadRequest, f.GetText())
		}
		if got := r.GetClaimed(); err == nil && got.GetFound() {
			return api.Delivery{ID: got.GetId(), Payload: got.GetPayload(), Attempt: got.GetAttempt()}, true, nil
		}
		c.turn++ // stay with a node that has tasks, leave one that has none
	}
	return api.Delivery{}, false, nil
}

// do brings a call to the leader of a shard, until there is an answer or ctx ends.
func (c *Client) do(ctx context.Context, shard int, call *rpc.Call) (*rpc.Reply, error) {
	for i := 0; ; i++ {
		url := c.shards.Leaders[shard]
		if url == "" {
			url = c.urls[i%len(c.urls)]
		}
		r, err := c.ask(ctx, url, call)
		f := r.GetFailure()
		switch {
		case err == nil && f == nil:
			c.shards.Leaders[shard] = url
			return r, nil
		case err == nil && f.GetKind() == rpc.Failure_LEASE_LOST:
			return nil, task.ErrLeaseLost
		case err == nil && f.GetKind() == rpc.Failure_UNKNOWN:
			return nil, task.ErrUnknown
		case err == nil && f.GetKind() != rpc.Failure_ELSEWHERE && f.GetKind() != rpc.Failure_UNAVAILABLE:
			return nil, fmt.Errorf("%s: %s", url, f.GetText())
		}
		c.Retries++
		c.shards.Leaders[shard] = f.GetLeader() // of nothing: ""
		if e := sleep(ctx, pause); e != nil {
			return nil, fmt.Errorf("no answer: %w", errors.Join(e, err))
		}
	}
}

// ask makes one attempt at one node.
func (c *Client) ask(ctx context.Context, url string, call *rpc.Call) (*rpc.Reply, error) {
	n := c.nodes[url]
	if n == nil {
		var err error
		if n, err = c.dial(url); err != nil {
			return nil, err
		}
		c.nodes[url] = n
	}
	ctx, cancel := context.WithTimeout(ctx, attempt)
	defer cancel()
	r, err := n.Do(ctx, call)
	if err != nil {
		n.Close()
		delete(c.nodes, url)
	}
	return r, err
}

// Close closes what the client opened.
func (c *Client) Close() error {
	for url, n := range c.nodes {
		n.Close()
		delete(c.nodes, url)
	}
	return nil
}

// sleep returns after d, or with the error of ctx when that ends first.
func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}
