package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/unpark-go/unpark/labs/broker/task"
)

// ErrClosed is the error of an engine that was closed.
var ErrClosed = errors.New("the broker is shutting down: ask another node, or later")

// Elsewhere is the error of an engine that does not lead the shard of a command.
type Elsewhere struct {
	Leader string // URL of the node that does; empty when nobody is known to
}

func (e *Elsewhere) Error() string {
	if e.Leader == "" {
		return "nobody leads the shard: ask again in a moment"
	}
	return "another node leads the shard: ask " + e.Leader
}

// Engine carries out commands. Its methods may be called by many goroutines.
type Engine interface {
	// Do carries out a command on a shard. When it returns without error, what the
	// command changed is durable. After an error the command may have been carried
	// out nonetheless.
	Do(ctx context.Context, shard int, c task.Command) (task.Result, error)
	// Waiting reports whether a claim on a shard is likely to find a task here.
	Waiting(shard int) bool
	// Leader says who carries out commands on a shard: this node, or the one with the
	// URL, which is empty when it is not known.
	Leader(shard int) (url string, here bool)
	Close() error
}

// The kinds of engine.
const (
	Mutex    = "mutex"    // one mutex, held across each command's commit
	Direct   = "direct"   // each command commits for itself
	Coalesce = "coalesce" // one goroutine commits for all that wait
)

// New returns an engine over the first n shards of a store. Counts is told of every
// commit.
func New(kind string, s *Store, n int, counts *Counts) (Engine, error) {
	machines, err := s.machines(n)
	if err != nil {
		return nil, err
	}
	b := base{store: s, machines: machines, counts: counts}
	switch kind {
	case Mutex:
		return &serial{base: b}, nil
	case Direct:
		return newDirect(b), nil
	case Coalesce:
		return newCoalescer(b), nil
	default:
		return nil, fmt.Errorf("commit %q is unknown: choose one of %s, %s, %s", kind, Mutex, Direct, Coalesce)
	}
}

// base is what engines have in common.
type base struct {
	store    *Store
	machines []*task.Machine
	counts   *Counts
}

// Waiting implements Engine.
func (b *base) Waiting(shard int) bool {
	return b.machines[shard].Waiting(time.Now().UnixNano())
}

// Leader implements Engine: alone, a node leads.
func (b *base) Leader(int) (url string, here bool) { return "", true }

// broken is the error after a commit that failed: memory is ahead of the disk, and
// a sync that failed once may succeed the next time without having written
// anything.
func broken(err error) error {
	return fmt.Errorf("commit: %w: restart the broker when the disk is well again", err)
}
