package main

import (
	"fmt"
	"hash/maphash"
	"maps"
	"sync"
	"sync/atomic"

	"github.com/unpark-go/unpark/internal/lookup"
)

// cache keeps rows in front of the store. Every Get asks the store whether the row
// is the latest, every Put changes a price and keeps the row that results.
type cache interface {
	Get(key string) (lookup.Row, error)
	Put(key string, cents int64) error
}

var (
	_ cache = (*underMutex)(nil)
	_ cache = (*underRWMutex)(nil)
	_ cache = (*sharded)(nil)
	_ cache = (*copied)(nil)
)

// newCache returns a cache by its name.
func newCache(name string, s *lookup.Store) (cache, error) {
	switch name {
	case "mutex":
		return &underMutex{store: s, rows: map[string]lookup.Row{}}, nil
	case "rwmutex":
		return &underRWMutex{store: s, rows: map[string]lookup.Row{}}, nil
	case "sharded":
		return newSharded(s), nil
	case "copy":
		c := &copied{store: s}
		c.rows.Store(&map[string]lookup.Row{})
		return c, nil
	default:
		return nil, fmt.Errorf("-cache %q: it is mutex, rwmutex, sharded or copy", name)
	}
}

// underMutex holds one mutex across the store's answer.
type underMutex struct {
	store *lookup.Store
	mu    sync.Mutex
	rows  map[string]lookup.Row
}

func (c *underMutex) Get(key string) (lookup.Row, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return refresh(c.store, c.rows, key)
}

func (c *underMutex) Put(key string, cents int64) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return change(c.store, c.rows, key, cents)
}

// refresh reads a row, and keeps it if it is new.
func refresh(s *lookup.Store, rows map[string]lookup.Row, key string) (lookup.Row, error) {
	have := rows[key]
	row, err := s.Read(key, have)
	if err == nil && row.Version != have.Version {
		rows[key] = row
	}
	return row, err
}

// change writes through: it takes a round trip as reading does.
func change(s *lookup.Store, rows map[string]lookup.Row, key string, cents int64) error {
	if err := s.Reprice(key, cents); err != nil {
		return err
	}
	_, err := refresh(s, rows, key)
	return err
}

// underRWMutex lets those read together who find their row unchanged. Who changes
// one keeps everybody out for a round trip.
type underRWMutex struct {
	store *lookup.Store
	mu    sync.RWMutex
	rows  map[string]lookup.Row
}

func (c *underRWMutex) Get(key string) (lookup.Row, error) {
	have, row, err := c.look(key)
	if err != nil || row.Version == have.Version {
		return row, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if row.Version > c.rows[key].Version {
		c.rows[key] = row
	}
	return row, nil
}

func (c *underRWMutex) look(key string) (have, row lookup.Row, err error) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	have = c.rows[key]
	row, err = c.store.Read(key, have)
	return have, row, err
}

func (c *underRWMutex) Put(key string, cents int64) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return change(c.store, c.rows, key, cents)
}

// shards is many times the number of requests that are under way at once.
const shards = 64

// sharded holds the mutex of a key's shard across the store's answer: two keys
// seldom meet.
type sharded struct {
	seed   maphash.Seed
	shards [shards]underMutex
}

func newSharded(s *lookup.Store) *sharded {
	c := &sharded{seed: maphash.MakeSeed()}
	for i := range c.shards {
		c.shards[i].store, c.shards[i].rows = s, map[string]lookup.Row{}
	}
	return c
}

func (c *sharded) of(key string) *underMutex {
	return &c.shards[maphash.String(c.seed, key)%shards]
}

func (c *sharded) Get(key string) (lookup.Row, error) { return c.of(key).Get(key) }
func (c *sharded) Put(key string, cents int64) error  { return c.of(key).Put(key, cents) }

// copied is read without a lock. A change copies the map, and the lock of those who
// change is held for the copy alone.
type copied struct {
	store *lookup.Store
	rows  atomic.Pointer[map[string]lookup.Row]
	mu    sync.Mutex // of changes
}

func (c *copied) Get(key string) (lookup.Row, error) {
	have := (*c.rows.Load())[key]
	row, err := c.store.Read(key, have)
	if err == nil && row.Version != have.Version {
		c.keep(row)
	}
	return row, err
}

func (c *copied) Put(key string, cents int64) error {
	if err := c.store.Reprice(key, cents); err != nil {
		return err
	}
	_, err := c.Get(key)
	return err
}

// keep ignores a row that is older than the one kept.
func (c *copied) keep(row lookup.Row) {
	c.mu.Lock()
	defer c.mu.Unlock()
	old := *c.rows.Load()
	if row.Version <= old[row.Key].Version {
		return
	}
	rows := maps.Clone(old)
	rows[row.Key] = row
	c.rows.Store(&rows)
}
