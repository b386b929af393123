package lookup

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"
)

// ErrNotFound says that the store has no row with the key.
var ErrNotFound = errors.New("no such product")

// Row is one product as the store keeps it. Body is JSON and is shared: do not
// write to it.
type Row struct {
	Key     string
	Version uint64
	Body    []byte
}

// Store stands for the database behind the service: every read is one round
// trip of about the same length. It serves any number of reads at once.
type Store struct {
	trip time.Duration
	mu   sync.RWMutex
	rows map[string]Row
}

// NewStore returns a store of n products, the same ones each time, that answers
// after trip.
func NewStore(n int, trip time.Duration) *Store {
	s := &Store{trip: trip, rows: make(map[string]Row, n)}
	for i := range n {
		key := keyOf(i)
		s.rows[key] = Row{Key: key, Version: 1, Body: encode(makeProduct(i))}
	}
	return s
}

// Read returns the latest row of a key. It returns have itself when that is the
// latest already; the round trip is the same, the body is not sent again.
func (s *Store) Read(key string, have Row) (Row, error) {
	time.Sleep(s.trip)
	s.mu.RLock()
	defer s.mu.RUnlock()
	row, ok := s.rows[key]
	if !ok {
		return Row{}, fmt.Errorf("read %q: %w", key, ErrNotFound)
	}
	if row.Version == have.Version {
		return have, nil
	}
	return row, nil
}

// Reprice sets the list price of a product.
func (s *Store) Reprice(key string, cents int64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	row, ok := s.rows[key]
	if !ok {
		return fmt.Errorf("reprice %q: %w", key, ErrNotFound)
	}
	var p product
	if err := json.Unmarshal(row.Body, &p); err != nil {
		return fmt.Errorf("reprice %q: %w", key, err)
	}
	p.ListCents = cents
	s.rows[key] = Row{Key: key, Version: row.Version + 1, Body: encode(p)}
	return nil
}

func keyOf(id int) string { return fmt.Sprintf("sku-%04d", id) }

// product is the body of a row.
type product struct {
	Key       string  `json:"key"`
	Name      string  `json:"name"`
	Currency  string  `json:"currency"`
	ListCents int64   `json:"list_cents"`
	Quotes    []quote `json:"quotes"` // oldest first
	Shelves   []shelf `json:"shelves"`
}

type quote struct {
	Day   string `json:"day"`
	Cents int64  `json:"cents"`
}

type shelf struct {
	Warehouse string `json:"warehouse"`
	City      string `json:"city"`
	Units     int    `json:"units"`
	Reserved  int    `json:"reserved"`
}

func makeProduct(id int) product {
	r := rand.New(rand.NewPCG(uint64(id), 7))
	adjectives := []string{"brushed", "folding", "insulated", "cordless", "compact", "stackable"}
	nouns := []string{"kettle", "lamp", "chair", "drill", "toolbox", "speaker", "heater"}
	cities := []string{"Leipzig", "Lyon", "Gdansk", "Porto", "Turin", "Ghent", "Malmo", "Brno"}
	p := product{
		Key:       keyOf(id),
		Name:      adjectives[r.IntN(len(adjectives))] + " " + nouns[r.IntN(len(nouns))],
		Currency:  "EUR",
		ListCents: 500 + r.Int64N(50_000),
	}
	first := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for d := range 120 {
		day := first.AddDate(0, 0, d).Format(time.DateOnly)
		p.Quotes = append(p.Quotes, quote{Day: day, Cents: p.ListCents - r.Int64N(p.ListCents/4)})
	}
	for i, city := range cities {
		units := r.IntN(400)
		p.Shelves = append(p.Shelves, shelf{
			Warehouse: fmt.Sprintf("W%02d", i), City: city, Units: units, Reserved: r.IntN(units + 1),
		})
	}
	return p
}

// encode is json.Marshal for this package's own types, which cannot fail: they
// hold strings, numbers and slices of such.
func encode(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic("lookup: encode: " + err.Error())
	}
	return b
}
