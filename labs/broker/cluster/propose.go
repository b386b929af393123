package cluster

import (
	"context"
	"sync"
	"time"

	"github.com/hashicorp/raft"

	"github.com/unpark-go/unpark/labs/broker/store"
	"github.com/unpark-go/unpark/labs/broker/task"
)

const (
	// queueLength bounds the commands that wait for a group's owner.
	queueLength = 1024
	// batchSize bounds the commands of one Raft apply.
	batchSize = 128
	// enqueueTimeout bounds how long a proposal may wait to get into raft.
	enqueueTimeout = 5 * time.Second
)

// proposer brings commands into the log of a group that this node leads. Its error
// is one of raft's, or store.ErrClosed.
type proposer interface {
	propose(ctx context.Context, c task.Command) (task.Result, error)
	close()
}

// apply proposes commands as one entry and waits until they are applied.
func apply(r *raft.Raft, counts *store.Counts, commands []task.Command) ([]task.Result, error) {
	future := r.Apply(task.Encode(nil, commands), enqueueTimeout)
	if err := future.Error(); err != nil {
		return nil, err
	}
	results, _ := future.Response().([]task.Result)
	if len(results) != len(commands) {
		// Only entries from before this node's start have no results.
		return nil, raft.ErrLeadershipLost
	}
	counts.Committed(len(commands))
	for i, c := range commands {
		counts.Did(c.Op, results[i])
	}
	return results, nil
}

// single proposes each command for itself.
type single struct {
	raft   *raft.Raft
	counts *store.Counts
}

var _ proposer = (*single)(nil)

func (p *single) propose(_ context.Context, c task.Command) (task.Result, error) {
	results, err := apply(p.raft, p.counts, []task.Command{c})
	if err != nil {
		return task.Result{}, err
	}
	return results[0], nil
}

func (p *single) close() {}

// batcher has one goroutine that proposes all commands that wait as one entry.
type batcher struct {
	raft   *raft.Raft
	counts *store.Counts
	queue  chan *request
	closed chan struct{}
	owner  sync.WaitGroup
}

// request is one command on its way; its owner answers exactly once.
type request struct {
	command task.Command
	result  task.Result
	answer  chan error // has room for the answer
}

var _ proposer = (*batcher)(nil)

func newBatcher(r *raft.Raft, counts *store.Counts) *batcher {
	p := &batcher{raft: r, counts: counts, queue: make(chan *request, queueLength), closed: make(chan struct{})}
	p.owner.Add(1)
	go p.own()
	return p
}

func (p *batcher) propose(ctx context.Context, c task.Command) (task.Result, error) {
	r := &request{command: c, answer: make(chan error, 1)}
	select {
	case p.queue <- r:
	case <-ctx.Done():
		return task.Result{}, ctx.Err()
	case <-p.closed:
		return task.Result{}, store.ErrClosed
	}
	select {
	case err := <-r.answer:
		if err != nil {
			return task.Result{}, err
		}
		return r.result, nil
	case <-ctx.Done():
		return task.Result{}, ctx.Err()
	case <-p.closed:
		return task.Result{}, store.ErrClosed
	}
}

// own is the owner's life.
func (p *batcher) own() {
	defer p.owner.Done()
	for {
		var group []*request
		select {
		case r := <-p.queue:
			group = p.drain(r)
		case <-p.closed:
			return
		}
		commands := make([]task.Command, len(group))
		for i, r := range group {
			commands[i] = r.command
		}
		results, err := apply(p.raft, p.counts, commands)
		for i, r := range group {
			if err == nil {
				r.result = results[i]
			}
			r.answer <- err
		}
	}
}

// drain takes what waits already.
func (p *batcher) drain(first *request) []*request {
	group := append(make([]*request, 0, 16), first)
	for len(group) < batchSize {
		select {
		case r := <-p.queue:
			group = append(group, r)
		default:
			return group
		}
	}
	return group
}

// close ends the owner; raft must be shut down, so that it waits for nothing.
func (p *batcher) close() {
	close(p.closed)
	p.owner.Wait()
}
