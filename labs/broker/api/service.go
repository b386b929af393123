// Package api is the broker as its clients see it: Service, over HTTP with JSON and
// over gRPC streams.
package api

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/unpark-go/unpark/labs/broker/store"
	"github.com/unpark-go/unpark/labs/broker/task"
)

// The lengths of leases.
const (
	defaultLease = 30 * time.Second
	maxLease     = time.Hour
)

// ErrBadRequest is wrapped by errors that are the client's.
var ErrBadRequest = errors.New("bad request")

// Delivery is a claimed task, and the answer of POST /v1/claims. Attempt is its lease:
// complete with it.
type Delivery struct {
	ID      string `json:"id"`
	Payload []byte `json:"payload"`
	Attempt uint64 `json:"attempt"`
}

// Service is a node's tasks, by shard.
type Service struct {
	engine store.Engine
	shards int
	turn   atomic.Uint64
}

// NewService returns the service of an engine with n shards.
func NewService(engine store.Engine, n int) *Service { return &Service{engine: engine, shards: n} }

// shardOf is the shard of an idempotency key.
func shardOf(key string, shards int) int {
	h := fnv.New32a()
	_, _ = h.Write([]byte(key))
	return int(h.Sum32() % uint32(shards))
}

// parseID splits a task's id into its shard and its number there.
func parseID(id string) (shard int, number uint64, err error) {
	left, right, _ := strings.Cut(id, "-")
	s, err := strconv.ParseUint(left, 10, 16)
	if err == nil {
		number, err = strconv.ParseUint(right, 10, 64)
	}
	if err != nil {
		return 0, 0, fmt.Errorf("%w: id %q is not one that this broker gave", ErrBadRequest, id)
	}
	return int(s), number, nil
}

func idOf(shard int, number uint64) string {
	return strconv.Itoa(shard) + "-" + strconv.FormatUint(number, 10)
}

// Create makes a task. A key that was used before gives the task that was made
// then, and again is true; without a key the task goes to a shard of this node.
func (s *Service) Create(ctx context.Context, key string, payload []byte) (id string, again bool, err error) {
	shard := 0
	if key != "" {
		shard = shardOf(key, s.shards)
	} else if shard, err = s.local(); err != nil {
		return "", false, err
	}
	r, err := s.do(ctx, shard, task.Command{Op: task.Create, Key: key, Payload: payload})
	return idOf(shard, r.Task.ID), r.Again, err
}

// Claim gives a worker the oldest task that waits in one of this node's shards;
// false when there is none. Without a lease's length it is 30 s.
func (s *Service) Claim(ctx context.Context, worker string, lease time.Duration) (Delivery, bool, error) {
	if lease < 0 || lease > maxLease {
		return Delivery{}, false, fmt.Errorf("%w: a lease of %v: give more than nothing and at most %v", ErrBadRequest, lease, maxLease)
	}
	first := int(s.turn.Add(1) % uint64(s.shards))
	for i := range s.shards {
		shard := (first + i) % s.shards
		if !s.engine.Waiting(shard) {
			continue
		}
		d, ok, err := s.claim(ctx, shard, worker, lease)
		if _, elsewhere := errors.AsType[*store.Elsewhere](err); elsewhere {
			continue
		}
		if ok || err != nil {
			return d, ok, err
		}
	}
	return Delivery{}, false, nil
}

func (s *Service) claim(ctx context.Context, shard int, worker string, lease time.Duration) (Delivery, bool, error) {
	if lease == 0 {
		lease = defaultLease
	}
	r, err := s.do(ctx, shard, task.Command{Op: task.Claim, Worker: worker, Lease: lease})
	if err != nil || !r.Found {
		return Delivery{}, false, err
	}
	return Delivery{ID: idOf(shard, r.Task.ID), Payload: r.Task.Payload, Attempt: r.Task.Attempt}, true, nil
}

// Complete ends a task. It may be repeated.
func (s *Service) Complete(ctx context.Context, id string, attempt uint64) error {
	shard, number, err := parseID(id)
	if err != nil {
		return err
	}
	if shard >= s.shards {
		return fmt.Errorf("complete task %s: %w", id, task.ErrUnknown)
	}
	if _, err = s.do(ctx, shard, task.Command{Op: task.Complete, ID: number, Attempt: attempt}); err != nil {
		return fmt.Errorf("complete task %s: %w", id, err)
	}
	return nil
}

// Cycle creates a task on one of this node's shards, claims one there and completes
// that.
func (s *Service) Cycle(ctx context.Context, payload []byte) error {
	shard, err := s.local()
	if err != nil {
		return err
	}
	if _, err := s.do(ctx, shard, task.Command{Op: task.Create, Payload: payload}); err != nil {
		return fmt.Errorf("create: %w", err)
	}
	d, ok, err := s.claim(ctx, shard, "cycle", 0)
	if err != nil {
		return fmt.Errorf("claim: %w", err)
	}
	if !ok {
		return nil // another client took it
	}
	return s.Complete(ctx, d.ID, d.Attempt)
}

// do carries out a command now.
func (s *Service) do(ctx context.Context, shard int, c task.Command) (task.Result, error) {
	c.Now = time.Now().UnixNano()
	r, err := s.engine.Do(ctx, shard, c)
	if err == nil {
		err = r.Err
	}
	return r, err
}

// local is a shard that this node leads, in turn.
func (s *Service) local() (int, error) {
	first := int(s.turn.Add(1) % uint64(s.shards))
	leader := ""
	for i := range s.shards {
		shard := (first + i) % s.shards
		url, here := s.engine.Leader(shard)
		if here {
			return shard, nil
		}
		leader = url
	}
	return 0, &store.Elsewhere{Leader: leader}
}

// Shards lists the leader of each shard: self for those of this node.
func (s *Service) Shards(self string) Shards {
	out := Shards{Leaders: make([]string, s.shards)}
	for i := range out.Leaders {
		url, here := s.engine.Leader(i)
		if here {
			url = self
		}
		out.Leaders[i] = url
	}
	return out
}
