package store

import (
	"context"
	"sync"

	"github.com/cockroachdb/pebble/v2"

	"github.com/unpark-go/unpark/labs/broker/task"
)

// direct commits each command for itself. Under a shard's lock a command only gets
// its place in the write-ahead log; it waits for the sync without the lock, and
// Pebble syncs once for all that wait.
//
// Others see a change before it is durable. Whatever they make of it comes later
// in the same log, so nothing is acknowledged that rests on something lost.
type direct struct {
	base
	locks []lane
}

// lane is the lock of one shard.
type lane struct {
	mu     sync.Mutex
	failed error
	_      [96]byte // its own cache lines
}

var _ Engine = (*direct)(nil)

func newDirect(b base) *direct { return &direct{base: b, locks: make([]lane, len(b.machines))} }

// Do implements Engine.
func (e *direct) Do(_ context.Context, shard int, c task.Command) (task.Result, error) {
	batch := e.store.db.NewBatch()
	r, err := e.stage(shard, c, batch)
	if err == nil && !batch.Empty() {
		if err = batch.SyncWait(); err != nil {
			err = e.fail(shard, broken(err))
		} else {
			e.counts.Committed(1)
		}
	}
	batch.Close()
	if err != nil {
		return task.Result{}, err
	}
	e.counts.Did(c.Op, r)
	return r, nil
}

// stage carries a command out and gives its records their place in the log.
func (e *direct) stage(shard int, c task.Command, batch *pebble.Batch) (task.Result, error) {
	l := &e.locks[shard]
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.failed != nil {
		return task.Result{}, l.failed
	}
	r := e.machines[shard].Apply(c, 0, Writer{batch, shard})
	if batch.Empty() {
		return r, nil
	}
	if err := e.store.db.ApplyNoSyncWait(batch, pebble.Sync); err != nil {
		l.failed = broken(err)
	}
	return r, l.failed
}

func (e *direct) fail(shard int, err error) error {
	l := &e.locks[shard]
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.failed == nil {
		l.failed = err
	}
	return l.failed
}

// Close implements Engine.
func (e *direct) Close() error {
	for i := range e.locks {
		_ = e.fail(i, ErrClosed)
	}
	return nil
}
