package lookup

import (
	"encoding/json"
	"fmt"
	"sync"
)

// answer is what a client gets: a product with the figures computed from it.
type answer struct {
	Key       string  `json:"key"`
	Name      string  `json:"name"`
	Currency  string  `json:"currency"`
	Version   uint64  `json:"version"`
	ListCents int64   `json:"list_cents"`
	LowCents  int64   `json:"low_cents"`  // lowest quote
	HighCents int64   `json:"high_cents"` // highest quote
	MeanCents int64   `json:"mean_cents"` // mean quote
	Available int     `json:"available"`  // units less reserved, all warehouses
	Steps     []step  `json:"steps"`      // price by quantity
	Trend     []quote `json:"trend"`      // seven-day means, oldest first
	Shelves   []shelf `json:"shelves"`
}

type step struct {
	From  int   `json:"from"` // units
	Cents int64 `json:"cents"`
}

// answers turns a row into the bytes that are sent.
type answers interface {
	For(Row) ([]byte, error)
}

var (
	_ answers = fresh{}
	_ answers = (*kept)(nil)
)

// fresh decodes, computes and encodes for every request.
type fresh struct{}

func (fresh) For(row Row) ([]byte, error) {
	var p product
	if err := json.Unmarshal(row.Body, &p); err != nil {
		return nil, fmt.Errorf("decode row %s: %w", row.Key, err)
	}
	return encode(newAnswer(p, row.Version)), nil
}

// kept encodes once for each version of a row and keeps the final bytes.
type kept struct {
	byKey sync.Map // string → encoded
}

type encoded struct {
	version uint64
	body    []byte
}

func (k *kept) For(row Row) ([]byte, error) {
	if v, ok := k.byKey.Load(row.Key); ok {
		if e := v.(encoded); e.version == row.Version {
			return e.body, nil
		}
	}
	body, err := fresh{}.For(row)
	if err != nil {
		return nil, err
	}
	k.byKey.Store(row.Key, encoded{version: row.Version, body: body})
	return body, nil
}

func newAnswer(p product, version uint64) answer {
	a := answer{
		Key: p.Key, Name: p.Name, Currency: p.Currency, Version: version,
		ListCents: p.ListCents, LowCents: p.ListCents, Shelves: p.Shelves,
	}
	var sum int64
	for _, q := range p.Quotes {
		a.LowCents = min(a.LowCents, q.Cents)
		a.HighCents = max(a.HighCents, q.Cents)
		sum += q.Cents
	}
	if n := int64(len(p.Quotes)); n > 0 {
		a.MeanCents = sum / n
	}
	for _, s := range p.Shelves {
		a.Available += s.Units - s.Reserved
	}
	for _, from := range []int{1, 10, 50, 200, 1000} {
		a.Steps = append(a.Steps, step{From: from, Cents: p.ListCents * int64(1000-from/10) / 1000})
	}
	a.Trend = trend(p.Quotes)
	return a
}

// trend returns the mean of each seven days that end at a quote.
func trend(quotes []quote) []quote {
	const days = 7
	var out []quote
	var sum int64
	for i, q := range quotes {
		sum += q.Cents
		if i >= days {
			sum -= quotes[i-days].Cents
		}
		if i >= days-1 {
			out = append(out, quote{Day: q.Day, Cents: sum / days})
		}
	}
	return out
}
