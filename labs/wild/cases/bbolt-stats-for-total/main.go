// Orders of a shop's back office: pages of them, newest first, with how many there are, single ones, and new ones,
// which are in an embedded database.
package main

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"strconv"

	bolt "go.etcd.io/bbolt"

	"wild/service"
)

type order struct {
	ID       uint64 `json:"id"`
	Customer string `json:"customer"`
	Cents    int64  `json:"cents"`
	State    string `json:"state"`
}

// page is what is shown of them.
type page struct {
	Orders []order `json:"orders"`
	Total  int     `json:"total"`
	Pages  int     `json:"pages"`
}

// office keeps orders.
type office struct{ db *bolt.DB }

var (
	orders    = []byte("orders")
	counts    = []byte("counts")
	errAbsent = errors.New("no such order")
)

const perPage = 20

func key(id uint64) []byte { return binary.BigEndian.AppendUint64(nil, id) }

func open(dir string) (*office, error) {
	db, err := bolt.Open(filepath.Join(dir, "orders.db"), 0o600, nil)
	if err != nil {
		return nil, err
	}
	o := &office{db}
	for from := 0; from < 60000; from += 10000 {
		err = errors.Join(err, db.Update(func(tx *bolt.Tx) error {
			for i := range 10000 {
				if _, err := put(tx, order{Customer: fmt.Sprintf("customer %d", (from+i)%777), Cents: int64(100 + i), State: "paid"}); err != nil {
					return err
				}
			}
			return nil
		}))
	}
	return o, err
}

// put adds an order, and counts it.
func put(tx *bolt.Tx, o order) (order, error) {
	b, err := tx.CreateBucketIfNotExists(orders)
	if err != nil {
		return o, err
	}
	if o.ID, err = b.NextSequence(); err != nil {
		return o, err
	}
	data, err := json.Marshal(o)
	if err != nil {
		return o, err
	}
	if err := b.Put(key(o.ID), data); err != nil {
		return o, err
	}
	c, err := tx.CreateBucketIfNotExists(counts)
	if err != nil {
		return o, err
	}
	var n uint64
	if v := c.Get(orders); v != nil {
		n = binary.BigEndian.Uint64(v)
	}
	return o, c.Put(orders, key(n+1))
}

// total is how many orders there are.
func total(tx *bolt.Tx) int {
	if service.After() {
		return int(binary.BigEndian.Uint64(tx.Bucket(counts).Get(orders)))
	}
	return tx.Bucket(orders).Stats().KeyN
}

func (o *office) page(n int) (out page, err error) {
	err = o.db.View(func(tx *bolt.Tx) error {
		out.Total = total(tx)
		out.Pages = (out.Total + perPage - 1) / perPage
		c := tx.Bucket(orders).Cursor()
		last, _ := c.Last()
		if last == nil {
			return nil
		}
		top := binary.BigEndian.Uint64(last)
		if skip := uint64(n * perPage); skip < top {
			top -= skip
		}
		for k, v := c.Seek(key(top)); k != nil && len(out.Orders) < perPage; k, v = c.Prev() {
			var one order
			if err := json.Unmarshal(v, &one); err != nil {
				return err
			}
			out.Orders = append(out.Orders, one)
		}
		return nil
	})
	return out, err
}

func (o *office) one(id uint64) (out order, err error) {
	err = o.db.View(func(tx *bolt.Tx) error {
		v := tx.Bucket(orders).Get(key(id))
		if v == nil {
			return errAbsent
		}
		return json.Unmarshal(v, &out)
	})
	return out, err
}

func (o *office) add(in order) (out order, err error) {
	err = o.db.Batch(func(tx *bolt.Tx) error {
		out, err = put(tx, in)
		return err
	})
	return out, err
}

func answer(w http.ResponseWriter, out any, err error) {
	switch {
	case errors.Is(err, errAbsent):
		http.Error(w, err.Error(), http.StatusNotFound)
	case err != nil:
		http.Error(w, err.Error(), http.StatusInternalServerError)
	default:
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(out)
	}
}

func main() {
	dir, err := os.MkdirTemp("", "orders")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	o, err := open(dir)
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /orders", func(w http.ResponseWriter, r *http.Request) {
		n, err := strconv.Atoi(r.FormValue("page"))
		if err != nil || n < 0 {
			http.Error(w, "page is a number", http.StatusBadRequest)
			return
		}
		out, err := o.page(n)
		answer(w, out, err)
	})
	mux.HandleFunc("GET /orders/{id}", func(w http.ResponseWriter, r *http.Request) {
		id, err := strconv.ParseUint(r.PathValue("id"), 10, 64)
		if err != nil {
			http.Error(w, "id is a number", http.StatusBadRequest)
			return
		}
		out, err := o.one(id)
		answer(w, out, err)
	})
	mux.HandleFunc("POST /orders", func(w http.ResponseWriter, r *http.Request) {
		var in order
		if err := json.NewDecoder(io.LimitReader(r.Body, 8<<10)).Decode(&in); err != nil || in.Customer == "" || in.Cents <= 0 {
			http.Error(w, "an order has a customer and cents", http.StatusBadRequest)
			return
		}
		in.State = "new"
		out, err := o.add(in)
		answer(w, out, err)
	})
	service.Run(mux)
	o.db.Close()
}
