package cluster

import (
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/hashicorp/raft"

	"github.com/unpark-go/unpark/labs/broker/store"
)

// The spaces of keys of a group's log and of its votes.
const (
	logSpace    = 'l'
	stableSpace = 'v'
)

// logStore is the log of one group. Every write is synced: raft counts on it.
type logStore struct {
	db     *pebble.DB
	prefix []byte
}

var _ raft.LogStore = (*logStore)(nil)

func (l *logStore) key(index uint64) []byte {
	return binary.BigEndian.AppendUint64(append([]byte(nil), l.prefix...), index)
}

// FirstIndex implements raft.LogStore.
func (l *logStore) FirstIndex() (uint64, error) { return l.end((*pebble.Iterator).First) }

// LastIndex implements raft.LogStore.
func (l *logStore) LastIndex() (uint64, error) { return l.end((*pebble.Iterator).Last) }

func (l *logStore) end(seek func(*pebble.Iterator) bool) (index uint64, err error) {
	it, err := l.db.NewIter(store.Bounds(l.prefix))
	if err != nil {
		return 0, fmt.Errorf("read the log: %w", err)
	}
	if seek(it) {
		index = binary.BigEndian.Uint64(it.Key()[len(l.prefix):])
	}
	return index, it.Close()
}

// GetLog implements raft.LogStore.
func (l *logStore) GetLog(index uint64, into *raft.Log) error {
	b, closer, err := l.db.Get(l.key(index))
	if errors.Is(err, pebble.ErrNotFound) {
		return raft.ErrLogNotFound
	}
	if err != nil {
		return fmt.Errorf("read log entry %d: %w", index, err)
	}
	defer closer.Close()
	return decodeLog(index, b, into)
}

// StoreLog implements raft.LogStore.
func (l *logStore) StoreLog(log *raft.Log) error { return l.StoreLogs([]*raft.Log{log}) }

// StoreLogs implements raft.LogStore.
func (l *logStore) StoreLogs(logs []*raft.Log) error {
	batch := l.db.NewBatch()
	defer batch.Close()
	for _, log := range logs {
		if err := batch.Set(l.key(log.Index), encodeLog(log), nil); err != nil {
			return fmt.Errorf("write log entry %d: %w", log.Index, err)
		}
	}
	if err := batch.Commit(pebble.Sync); err != nil {
		return fmt.Errorf("write %d log entries: %w", len(logs), err)
	}
	return nil
}

// DeleteRange implements raft.LogStore; both ends are deleted.
func (l *logStore) DeleteRange(low, high uint64) error {
	end := store.Bounds(l.prefix).UpperBound
	if high+1 != 0 {
		end = l.key(high + 1)
	}
	if err := l.db.DeleteRange(l.key(low), end, pebble.Sync); err != nil {
		return fmt.Errorf("delete log entries %d to %d: %w", low, high, err)
	}
	return nil
}

// encodeLog writes type, term, time and two byte strings, the first with its length.
func encodeLog(log *raft.Log) []byte {
	b := append(make([]byte, 0, 32+len(log.Data)+len(log.Extensions)), byte(log.Type))
	b = binary.AppendUvarint(b, log.Term)
	at := int64(0)
	if !log.AppendedAt.IsZero() {
		at = log.AppendedAt.UnixNano()
	}
	b = binary.AppendVarint(b, at)
	b = binary.AppendUvarint(b, uint64(len(log.Extensions)))
	return append(append(b, log.Extensions...), log.Data...)
}

func decodeLog(index uint64, b []byte, into *raft.Log) error {
	bad := fmt.Errorf("decode log entry %d: the record ends too early", index)
	if len(b) == 0 {
		return bad
	}
	kind, b := b[0], b[1:]
	term, n := binary.Uvarint(b)
	if n <= 0 {
		return bad
	}
	at, m := binary.Varint(b[n:])
	if m <= 0 {
		return bad
	}
	size, k := binary.Uvarint(b[n+m:])
	rest := b[n+m+max(k, 0):]
	if k <= 0 || size > uint64(len(rest)) {
		return bad
	}
	*into = raft.Log{Index: index, Term: term, Type: raft.LogType(kind)}
	if at != 0 {
		into.AppendedAt = time.Unix(0, at)
	}
	// The bytes belong to the database.
	into.Extensions = append([]byte(nil), rest[:size]...)
	into.Data = append([]byte(nil), rest[size:]...)
	return nil
}

// stableStore is what one member of a group must not forget: its term and vote.
type stableStore struct {
	db     *pebble.DB
	prefix []byte
}

var _ raft.StableStore = (*stableStore)(nil)

func (s *stableStore) key(k []byte) []byte { return append(append([]byte(nil), s.prefix...), k...) }

// Set implements raft.StableStore.
func (s *stableStore) Set(k, v []byte) error {
	if err := s.db.Set(s.key(k), v, pebble.Sync); err != nil {
		return fmt.Errorf("write %s: %w", k, err)
	}
	return nil
}

// Get implements raft.StableStore.
func (s *stableStore) Get(k []byte) ([]byte, error) {
	b, closer, err := s.db.Get(s.key(k))
	if errors.Is(err, pebble.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", k, err)
	}
	defer closer.Close()
	return append([]byte(nil), b...), nil
}

// SetUint64 implements raft.StableStore.
func (s *stableStore) SetUint64(k []byte, v uint64) error {
	return s.Set(k, binary.BigEndian.AppendUint64(nil, v))
}

// GetUint64 implements raft.StableStore.
func (s *stableStore) GetUint64(k []byte) (uint64, error) {
	b, err := s.Get(k)
	if err != nil || len(b) == 0 {
		return 0, err
	}
	if len(b) != 8 {
		return 0, fmt.Errorf("read %s: %d bytes, want 8", k, len(b))
	}
	return binary.BigEndian.Uint64(b), nil
}
