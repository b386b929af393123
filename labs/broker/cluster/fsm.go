package cluster

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sync/atomic"

	"github.com/cockroachdb/pebble/v2"
	"github.com/hashicorp/raft"

	"github.com/unpark-go/unpark/labs/broker/store"
	"github.com/unpark-go/unpark/labs/broker/task"
)

// maxRecord bounds a record of a snapshot, in bytes.
const maxRecord = 1 << 26

// fsm is the tasks of one group. What it commits is not synced: the log is, and
// what the database lost is applied again from it.
type fsm struct {
	store   *store.Store
	shard   int
	machine atomic.Pointer[task.Machine] // replaced by Restore
}

var _ raft.BatchingFSM = (*fsm)(nil)

func newFSM(s *store.Store, shard int) (*fsm, error) {
	m, err := s.Load(shard)
	if err != nil {
		return nil, err
	}
	f := &fsm{store: s, shard: shard}
	f.machine.Store(m)
	return f, nil
}

// Apply implements raft.FSM.
func (f *fsm) Apply(log *raft.Log) any { return f.ApplyBatch([]*raft.Log{log})[0] }

// ApplyBatch implements raft.BatchingFSM. The response of an entry with commands
// is []task.Result.
func (f *fsm) ApplyBatch(logs []*raft.Log) []any {
	batch := f.store.DB().NewBatch()
	defer batch.Close()
	out := make([]any, len(logs))
	for i, log := range logs {
		if log.Type == raft.LogCommand {
			out[i] = f.apply(log, batch)
		}
	}
	if err := batch.Commit(pebble.NoSync); err != nil {
		// Going on would make this replica another one than the rest.
		panic(fmt.Sprintf("broker: shard %d: commit: %v", f.shard, err))
	}
	return out
}

func (f *fsm) apply(log *raft.Log, batch *pebble.Batch) []task.Result {
	m := f.machine.Load()
	if log.Index <= m.Applied() {
		return nil // applied before a restart; nobody waits for the response
	}
	commands, err := task.Decode(log.Data)
	if err != nil {
		panic(fmt.Sprintf("broker: shard %d, log entry %d: %v", f.shard, log.Index, err))
	}
	results := make([]task.Result, len(commands))
	for i, c := range commands {
		results[i] = m.Apply(c, log.Index, store.Writer{Batch: batch, Shard: f.shard})
	}
	return results
}

// Snapshot implements raft.FSM.
func (f *fsm) Snapshot() (raft.FSMSnapshot, error) {
	db := f.store.DB()
	return &snapshot{db: db, at: db.NewSnapshot(), prefix: store.Prefix(store.State, f.shard)}, nil
}

// Restore implements raft.FSM: the snapshot replaces all tasks, or nothing changes.
func (f *fsm) Restore(from io.ReadCloser) error {
	defer from.Close()
	batch := f.store.DB().NewBatch()
	defer batch.Close()
	all := store.Bounds(store.Prefix(store.State, f.shard))
	if err := batch.DeleteRange(all.LowerBound, all.UpperBound, nil); err != nil {
		return fmt.Errorf("restore shard %d: %w", f.shard, err)
	}
	m, w := task.NewMachine(task.Keep), store.Writer{Batch: batch, Shard: f.shard}
	r := bufio.NewReader(from)
	for {
		key, value, err := readRecord(r)
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil {
			err = m.Load(key, value)
		}
		if err != nil {
			return fmt.Errorf("restore shard %d: %w", f.shard, err)
		}
		w.Set(key, value)
	}
	if err := batch.Commit(pebble.Sync); err != nil {
		return fmt.Errorf("restore shard %d: %w", f.shard, err)
	}
	f.machine.Store(m)
	return nil
}

// snapshot is a shard's records as they were.
type snapshot struct {
	db     *pebble.DB
	at     *pebble.Snapshot
	prefix []byte
}

// Persist implements raft.FSMSnapshot: length and bytes of each key and value.
func (s *snapshot) Persist(sink raft.SnapshotSink) error {
	// After a restart the log is applied from the snapshot on, to what the database
	// has: it must not have less.
	err := s.db.LogData(nil, pebble.Sync)
	if err == nil {
		err = s.write(sink)
	}
	if err != nil {
		_ = sink.Cancel() // the first error says why
		return fmt.Errorf("write a snapshot: %w", err)
	}
	return sink.Close()
}

func (s *snapshot) write(sink io.Writer) error {
	it, err := s.at.NewIter(store.Bounds(s.prefix))
	if err != nil {
		return err
	}
	w := bufio.NewWriter(sink)
	var head []byte
	for it.First(); it.Valid() && err == nil; it.Next() {
		key := it.Key()[len(s.prefix):]
		head = binary.AppendUvarint(binary.AppendUvarint(head[:0], uint64(len(key))), uint64(len(it.Value())))
		_, err = w.Write(append(append(head, key...), it.Value()...))
	}
	return errors.Join(err, it.Close(), w.Flush())
}

// Release implements raft.FSMSnapshot.
func (s *snapshot) Release() { s.at.Close() }

// readRecord reads one record; io.EOF when there is none left.
func readRecord(r *bufio.Reader) (key, value []byte, err error) {
	k, err := binary.ReadUvarint(r)
	if err != nil {
		return nil, nil, err
	}
	v, err := binary.ReadUvarint(r)
	if err == nil && (k > maxRecord || v > maxRecord) {
		err = fmt.Errorf("a record of %d and %d bytes: the snapshot is damaged", k, v)
	}
	if err == nil {
		key, value = make([]byte, k), make([]byte, v)
		if _, err = io.ReadFull(r, key); err == nil {
			_, err = io.ReadFull(r, value)
		}
	}
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return key, value, err
}
