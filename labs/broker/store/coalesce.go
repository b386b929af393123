package store

import (
	"context"
	"sync"

	"github.com/cockroachdb/pebble/v2"

	"github.com/unpark-go/unpark/labs/broker/task"
)

const (
	// queueLength bounds the commands that wait; who comes then waits to get in.
	queueLength = 1024
	// groupSize bounds the commands of one commit.
	groupSize = 64
)

// coalescer has one goroutine that owns the machines: it takes what waits, up to
// groupSize commands, carries them out, commits once and answers each.
type coalescer struct {
	base
	queue  chan *request
	closed chan struct{}
	once   sync.Once
	owner  sync.WaitGroup
}

// request is one command on its way; its owner answers exactly once.
type request struct {
	shard   int
	command task.Command
	result  task.Result
	answer  chan error // has room for the answer
}

var _ Engine = (*coalescer)(nil)

func newCoalescer(b base) *coalescer {
	e := &coalescer{base: b, queue: make(chan *request, queueLength), closed: make(chan struct{})}
	e.owner.Add(1)
	go e.own()
	return e
}

// Do implements Engine.
func (e *coalescer) Do(ctx context.Context, shard int, c task.Command) (task.Result, error) {
	r := &request{shard: shard, command: c, answer: make(chan error, 1)}
	select {
	case e.queue <- r:
	case <-ctx.Done():
		return task.Result{}, ctx.Err()
	case <-e.closed:
		return task.Result{}, ErrClosed
	}
	select {
	case err := <-r.answer:
		if err != nil {
			return task.Result{}, err
		}
		return r.result, nil
	case <-ctx.Done():
		return task.Result{}, ctx.Err()
	case <-e.closed:
		return task.Result{}, ErrClosed
	}
}

// own is the owner's life.
func (e *coalescer) own() {
	defer e.owner.Done()
	group := make([]*request, 0, groupSize)
	var failed error
	for {
		select {
		case r := <-e.queue:
			group = e.drain(append(group[:0], r))
		case <-e.closed:
			return
		}
		if failed == nil {
			failed = e.commit(group)
		}
		for _, r := range group {
			r.answer <- failed
		}
	}
}

// drain takes what waits already: nobody is kept waiting for a group to fill.
func (e *coalescer) drain(group []*request) []*request {
	for len(group) < groupSize {
		select {
		case r := <-e.queue:
			group = append(group, r)
		default:
			return group
		}
	}
	return group
}

// commit carries a group out and syncs once for it. Its error is everybody's.
func (e *coalescer) commit(group []*request) error {
	batch := e.store.db.NewBatch()
	defer batch.Close()
	changed := 0
	for _, r := range group {
		before := batch.Count()
		r.result = e.machines[r.shard].Apply(r.command, 0, Writer{batch, r.shard})
		if batch.Count() > before {
			changed++
		}
	}
	if changed > 0 {
		if err := batch.Commit(pebble.Sync); err != nil {
			return broken(err)
		}
		e.counts.Committed(changed)
	}
	for _, r := range group {
		e.counts.Did(r.command.Op, r.result)
	}
	return nil
}

// Close implements Engine. Commands that still wait end with ErrClosed.
func (e *coalescer) Close() error {
	e.once.Do(func() { close(e.closed) })
	e.owner.Wait()
	return nil
}
