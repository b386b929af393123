package store

import (
	"context"
	"sync"

	"github.com/cockroachdb/pebble/v2"

	"github.com/unpark-go/unpark/labs/broker/task"
)

// serial is the beginner's engine: the machines are not safe for many goroutines,
// so one mutex protects them, and it is still held while the disk syncs.
type serial struct {
	base
	mu     sync.Mutex
	failed error
}

var _ Engine = (*serial)(nil)

// Do implements Engine.
func (e *serial) Do(_ context.Context, shard int, c task.Command) (task.Result, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.failed != nil {
		return task.Result{}, e.failed
	}
	batch := e.store.db.NewBatch()
	defer batch.Close()
	r := e.machines[shard].Apply(c, 0, Writer{batch, shard})
	if !batch.Empty() {
		if err := batch.Commit(pebble.Sync); err != nil {
			e.failed = broken(err)
			return task.Result{}, e.failed
		}
		e.counts.Committed(1)
	}
	e.counts.Did(c.Op, r)
	return r, nil
}

// Close implements Engine.
func (e *serial) Close() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.failed = ErrClosed
	return nil
}
