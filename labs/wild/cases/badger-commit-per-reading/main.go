// Readings of beehives: a scale under each hive is read each minute, and what it collected is sent once an hour. The
// readings are kept by hive and minute, and the last of a hive is shown to the beekeeper.
package main

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"math"
	"net/http"
	"os"
	"strconv"
	"time"

	"github.com/dgraph-io/badger/v4"

	"wild/service"
)

// reading is one of a hive.
type reading struct {
	Minute  uint32  `json:"minute"`
	Grams   uint32  `json:"grams"`
	Celsius float32 `json:"celsius"`
	Percent uint8   `json:"percent"`
}

// apiary keeps readings.
type apiary struct{ db *badger.DB }

const kept = 30 * 24 * time.Hour

func key(hive uint32, minute uint32) []byte {
	k := append(make([]byte, 0, 9), 'h')
	k = binary.BigEndian.AppendUint32(k, hive)
	return binary.BigEndian.AppendUint32(k, minute)
}

func (r reading) entry(hive uint32) *badger.Entry {
	v := binary.BigEndian.AppendUint32(make([]byte, 0, 9), r.Grams)
	v = binary.BigEndian.AppendUint32(v, math.Float32bits(r.Celsius))
	return badger.NewEntry(key(hive, r.Minute), append(v, r.Percent)).WithTTL(kept)
}

var errReading = errors.New("a reading has a minute and less than 200 kg")

func check(all []reading) error {
	for _, r := range all {
		if r.Minute == 0 || r.Grams > 200_000 {
			return errReading
		}
	}
	return nil
}

// keep keeps what a hive sent.
func (a *apiary) keep(hive uint32, all []reading) error {
	if err := check(all); err != nil {
		return err
	}
	if service.After() {
		batch := a.db.NewWriteBatch()
		defer batch.Cancel()
		for _, r := range all {
			if err := batch.SetEntry(r.entry(hive)); err != nil {
				return err
			}
		}
		return batch.Flush()
	}
	for _, r := range all {
		if err := a.db.Update(func(tx *badger.Txn) error { return tx.SetEntry(r.entry(hive)) }); err != nil {
			return err
		}
	}
	return nil
}

// last is the newest reading of a hive.
func (a *apiary) last(hive uint32) (r reading, ok bool, err error) {
	err = a.db.View(func(tx *badger.Txn) error {
		it := tx.NewIterator(badger.IteratorOptions{Reverse: true, Prefix: key(hive, 0)[:5]})
		defer it.Close()
		it.Seek(key(hive, math.MaxUint32))
		if ok = it.Valid(); !ok {
			return nil
		}
		r.Minute = binary.BigEndian.Uint32(it.Item().Key()[5:])
		return it.Item().Value(func(v []byte) error {
			r.Grams, r.Celsius, r.Percent = binary.BigEndian.Uint32(v), math.Float32frombits(binary.BigEndian.Uint32(v[4:])), v[8]
			return nil
		})
	})
	return r, ok, err
}

func number(w http.ResponseWriter, r *http.Request) (uint32, bool) {
	hive, err := strconv.ParseUint(r.PathValue("hive"), 10, 32)
	if err != nil {
		http.Error(w, "a hive is a number", http.StatusBadRequest)
	}
	return uint32(hive), err == nil
}

func (a *apiary) take(w http.ResponseWriter, r *http.Request) {
	hive, ok := number(w, r)
	if !ok {
		return
	}
	var all []reading
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<20)).Decode(&all); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	err := a.keep(hive, all)
	switch {
	case errors.Is(err, errReading):
		http.Error(w, err.Error(), http.StatusUnprocessableEntity)
	case err != nil:
		http.Error(w, err.Error(), http.StatusInternalServerError)
	default:
		w.WriteHeader(http.StatusCreated)
		fmt.Fprintln(w, len(all))
	}
}

func (a *apiary) show(w http.ResponseWriter, r *http.Request) {
	hive, ok := number(w, r)
	if !ok {
		return
	}
	last, ok, err := a.last(hive)
	switch {
	case err != nil:
		http.Error(w, err.Error(), http.StatusInternalServerError)
	case !ok:
		http.NotFound(w, r)
	default:
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(last)
	}
}

func main() {
	dir, err := os.MkdirTemp("", "apiary")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	db, err := badger.Open(badger.DefaultOptions(dir).WithLogger(nil).WithNumVersionsToKeep(1))
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	a := &apiary{db}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /hives/{hive}/readings", a.take)
	mux.HandleFunc("GET /hives/{hive}/last", a.show)
	service.Run(mux)
}
