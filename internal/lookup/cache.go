package lookup

import "sync"

// rows finds the latest row of a key.
type rows interface {
	Get(key string) (Row, error)
}

var (
	_ rows = (*Cache)(nil)
	_ rows = (*OpenCache)(nil)
)

// Cache keeps the rows that were read. It holds its mutex while it asks the
// store, so requests for different products wait for one another.
type Cache struct {
	store *Store
	mu    sync.Mutex
	rows  map[string]Row
}

// NewCache returns an empty cache in front of s.
func NewCache(s *Store) *Cache {
	return &Cache{store: s, rows: make(map[string]Row)}
}

// Get returns the latest row of a key.
func (c *Cache) Get(key string) (Row, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	row, err := c.store.Read(key, c.rows[key])
	if err != nil {
		return Row{}, err
	}
	c.rows[key] = row
	return row, nil
}

// OpenCache is Cache with the mutex held for the map alone: the store is asked
// outside it.
type OpenCache struct {
	store *Store
	mu    sync.Mutex
	rows  map[string]Row
}

// NewOpenCache returns an empty cache in front of s.
func NewOpenCache(s *Store) *OpenCache {
	return &OpenCache{store: s, rows: make(map[string]Row)}
}

// Get returns the latest row of a key.
func (c *OpenCache) Get(key string) (Row, error) {
	have := c.kept(key)
	row, err := c.store.Read(key, have)
	if err != nil {
		return Row{}, err
	}
	if row.Version != have.Version {
		c.keep(row)
	}
	return row, nil
}

func (c *OpenCache) kept(key string) Row {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.rows[key]
}

// keep ignores a row that is older than the one kept: two reads of one key can
// end in the other order.
func (c *OpenCache) keep(row Row) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if row.Version > c.rows[row.Key].Version {
		c.rows[row.Key] = row
	}
}
