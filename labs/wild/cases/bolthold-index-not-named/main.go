// Bookings of a hotel, kept in a Bolt file with bolthold: a guest is shown those that are still
// to come.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"sort"
	"sync/atomic"

	"github.com/timshannon/bolthold"
	"go.etcd.io/bbolt"

	"wild/service"
)

const (
	bookings = 240
	guests   = 40
)

// booking is a room for some nights.
type booking struct {
	ID        uint64 `boltholdKey:"ID" json:"id"`
	Guest     string `boltholdIndex:"Guest" json:"guest"`
	Room      string `json:"room"`
	Day       int    `json:"day"`
	Nights    int    `json:"nights"`
	Cents     int    `json:"cents"`
	Cancelled bool   `json:"-"`
	Note      string `json:"note,omitempty"`
}

func main() {
	dir, err := os.MkdirTemp("", "hotel-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	store, err := bolthold.Open(filepath.Join(dir, "hotel.db"), 0o600, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer store.Close()
	if err := store.Bolt().Update(func(tx *bbolt.Tx) error { return fill(store, tx) }); err != nil {
		log.Fatal(err)
	}
	of := func(guest string) *bolthold.Query {
		q := bolthold.Where("Guest").Eq(guest)
		if service.After() {
			q = q.Index("Guest")
		}
		return q.And("Cancelled").Eq(false).And("Day").Ge(180)
	}
	var turn atomic.Int64
	http.HandleFunc("/bookings", func(w http.ResponseWriter, r *http.Request) {
		var found []booking
		if err := store.Find(&found, of(guest(int(turn.Add(1))))); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		sort.Slice(found, func(i, j int) bool { return found[i].Day < found[j].Day })
		total := 0
		for _, b := range found {
			total += b.Cents
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"bookings": found, "total": total})
	})
	service.Run(http.DefaultServeMux)
}

func guest(n int) string { return fmt.Sprintf("guest-%03d", n%guests) }

func fill(store *bolthold.Store, tx *bbolt.Tx) error {
	for i := range bookings {
		b := &booking{
			Guest: guest(i), Room: fmt.Sprintf("room %d", i%120), Day: i * 131 % 365, Nights: i%6 + 1,
			Cents: (i%6 + 1) * 8900, Cancelled: i%9 == 0, Note: "arrives late, please keep the room",
		}
		if err := store.TxInsert(tx, bolthold.NextSequence(), b); err != nil {
			return err
		}
	}
	return nil
}
