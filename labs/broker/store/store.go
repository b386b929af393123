// Package store keeps the broker's shards in Pebble and carries commands out on
// them: New has three engines, which differ in how they commit and in nothing else.
// A command is acknowledged when its records are synced.
package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
	dto "github.com/prometheus/client_model/go"

	"github.com/unpark-go/unpark/labs/broker/task"
)

// Store is one database with all shards of a node.
type Store struct{ db *pebble.DB }

// Open opens or makes the database in a folder.
func Open(dir string) (*Store, error) { return open(dir, vfs.Default) }

func open(dir string, fs vfs.FS) (*Store, error) {
	db, err := pebble.Open(dir, &pebble.Options{FS: fs, Logger: quiet{}, FormatMajorVersion: pebble.FormatNewest})
	if err != nil {
		return nil, fmt.Errorf("open the database in %s: %w: name a folder in -dir that this user may write and no other process uses", dir, err)
	}
	return &Store{db: db}, nil
}

// DB is the database, for what a node keeps beside its shards.
func (s *Store) DB() *pebble.DB { return s.db }

// Close closes the database; engines must be closed before.
func (s *Store) Close() error {
	if err := s.db.Close(); err != nil {
		return fmt.Errorf("close the database: %w", err)
	}
	return nil
}

// Syncs is how often the write-ahead log was synced since Open.
func (s *Store) Syncs() uint64 {
	h := s.db.Metrics().LogWriter.FsyncLatency
	var m dto.Metric
	if h == nil || h.Write(&m) != nil {
		return 0
	}
	return m.GetHistogram().GetSampleCount()
}

// Prefix is what the keys of a shard begin with in one space of keys.
func Prefix(space byte, shard int) []byte {
	return binary.BigEndian.AppendUint16([]byte{space}, uint16(shard))
}

// Bounds are those of the keys with a prefix.
func Bounds(prefix []byte) *pebble.IterOptions {
	upper := append([]byte(nil), prefix...)
	for i := len(upper) - 1; i >= 0; i-- {
		upper[i]++
		if upper[i] != 0 {
			break
		}
	}
	return &pebble.IterOptions{LowerBound: prefix, UpperBound: upper}
}

// State is the space of keys in which shards have their tasks.
const State = 's'

// Load makes the machine of a shard from its records.
func (s *Store) Load(shard int) (*task.Machine, error) {
	m := task.NewMachine(task.Keep)
	prefix := Prefix(State, shard)
	it, err := s.db.NewIter(Bounds(prefix))
	if err != nil {
		return nil, fmt.Errorf("read shard %d: %w", shard, err)
	}
	for it.First(); it.Valid() && err == nil; it.Next() {
		err = m.Load(it.Key()[len(prefix):], it.Value())
	}
	if err := errors.Join(err, it.Close()); err != nil {
		return nil, fmt.Errorf("read shard %d: %w", shard, err)
	}
	return m, nil
}

// machines loads the first n shards.
func (s *Store) machines(n int) ([]*task.Machine, error) {
	var out []*task.Machine
	for i := range n {
		m, err := s.Load(i)
		if err != nil {
			return nil, err
		}
		out = append(out, m)
	}
	return out, nil
}

// Writer adds a shard's records to a batch.
type Writer struct {
	Batch *pebble.Batch
	Shard int
}

var _ task.Writer = Writer{}

// Set implements task.Writer. An open batch in memory takes everything: the error
// of a batch is that of its commit.
func (w Writer) Set(key, value []byte) {
	_ = w.Batch.Set(append(Prefix(State, w.Shard), key...), value, nil)
}

// Delete implements task.Writer.
func (w Writer) Delete(key []byte) {
	_ = w.Batch.Delete(append(Prefix(State, w.Shard), key...), nil)
}

// quiet keeps what Pebble says in the ordinary course of things to itself.
type quiet struct{}

var _ pebble.Logger = quiet{}

func (quiet) Infof(string, ...any) {}

func (quiet) Errorf(string, ...any) {} // comes back from the call that failed

// Fatalf must not return: the write-ahead log cannot be relied on any more.
func (quiet) Fatalf(format string, args ...any) {
	panic("broker: database: " + strings.TrimSpace(fmt.Sprintf(format, args...)))
}
