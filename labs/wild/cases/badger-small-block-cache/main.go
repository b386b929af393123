// Profiles of customers in Badger, compressed with Zstandard, which an offer engine asks for some of
// and scores. The database was given little memory.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"strconv"
	"time"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/options"
	"github.com/valyala/fasthttp"

	"wild/service"
)

const customers = 40_000

// profile is what is known of a customer.
type profile struct {
	Name   string    `json:"name"`
	City   string    `json:"city"`
	Visits []int64   `json:"visits"`
	Spent  []float64 `json:"spent"`
}

type profiles struct{ db *badger.DB }

func key(n int) []byte { return fmt.Appendf(nil, "customer/%08d", n) }

func (p profiles) fill() error {
	batch := p.db.NewWriteBatch()
	defer batch.Cancel()
	r := rand.New(rand.NewPCG(1, 2))
	cities := []string{"Bergen", "Porto", "Graz", "Lyon", "Turku"}
	for n := range customers {
		c := profile{Name: "customer " + strconv.Itoa(n), City: cities[n%len(cities)]}
		for range 6 {
			c.Visits = append(c.Visits, 1_700_000_000+r.Int64N(1e7))
			c.Spent = append(c.Spent, float64(r.IntN(20_000))/100)
		}
		b, err := json.Marshal(c)
		if err != nil {
			return err
		}
		if err := batch.Set(key(n), b); err != nil {
			return err
		}
	}
	if err := batch.Flush(); err != nil {
		return err
	}
	return p.db.Flatten(1)
}

// read returns the profiles of some customers.
func (p profiles) read(ids []int) ([]profile, error) {
	found := make([]profile, 0, len(ids))
	err := p.db.View(func(txn *badger.Txn) error {
		for _, id := range ids {
			item, err := txn.Get(key(id))
			if errors.Is(err, badger.ErrKeyNotFound) {
				continue
			}
			if err != nil {
				return err
			}
			var c profile
			if err := item.Value(func(v []byte) error { return json.Unmarshal(v, &c) }); err != nil {
				return err
			}
			found = append(found, c)
		}
		return nil
	})
	return found, err
}

// score says how much an offer may be worth to a customer: what was spent of late.
func score(c profile, now time.Time) float64 {
	s := 0.0
	for i, at := range c.Visits {
		days := now.Sub(time.Unix(at, 0)).Hours() / 24
		s += c.Spent[i] / (1 + days/30)
	}
	return s
}

func main() {
	dir, err := os.MkdirTemp("", "profiles-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	opts := badger.DefaultOptions(dir).WithLoggingLevel(badger.ERROR).WithCompression(options.ZSTD).WithZSTDCompressionLevel(1)
	// Written once, and then opened as what is served from.
	p := profiles{open(opts)}
	if err := p.fill(); err != nil {
		log.Fatal(err)
	}
	if err := p.db.Close(); err != nil {
		log.Fatal(err)
	}
	if !service.After() {
		opts = opts.WithBlockCacheSize(1 << 20)
	}
	p.db = open(opts)
	defer p.db.Close()
	srv := &fasthttp.Server{Handler: func(ctx *fasthttp.RequestCtx) {
		var ids []int
		for _, part := range bytes.Split(ctx.QueryArgs().Peek("ids"), []byte(",")) {
			id, err := strconv.Atoi(string(part))
			if err != nil {
				ctx.Error(err.Error(), fasthttp.StatusBadRequest)
				return
			}
			ids = append(ids, id)
		}
		found, err := p.read(ids)
		if err != nil {
			ctx.Error(err.Error(), fasthttp.StatusInternalServerError)
			return
		}
		now := time.Unix(1_720_000_000, 0)
		for _, c := range found {
			fmt.Fprintf(ctx, "%s (%s): %.2f\n", c.Name, c.City, score(c, now))
		}
	}}
	ln := service.Listen()
	go func() { log.Println(srv.Serve(ln)) }()
	service.Wait()
	srv.Shutdown()
}

func open(opts badger.Options) *badger.DB {
	db, err := badger.Open(opts)
	if err != nil {
		log.Fatal(err)
	}
	return db
}
