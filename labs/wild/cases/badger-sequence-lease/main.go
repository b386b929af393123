// Numbers of tickets: a request buys some tickets, each of which gets the next number of its
// event and a signature. The numbers come from Badger, which syncs what it writes, so that none
// is given out twice after a loss of power.
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"log"
	"net/http"
	"os"
	"strconv"

	"github.com/dgraph-io/badger/v4"

	"wild/service"
)

var events = []string{"opera", "football"}

type ticket struct {
	Number    uint64 `json:"number"`
	Signature string `json:"signature"`
}

type office struct {
	numbers map[string]*badger.Sequence
	key     []byte
}

func (o *office) sell(event string, count int) ([]ticket, error) {
	out := make([]ticket, 0, count)
	for range count {
		n, err := o.numbers[event].Next()
		if err != nil {
			return nil, err
		}
		mac := hmac.New(sha256.New, o.key)
		mac.Write(binary.BigEndian.AppendUint64([]byte(event), n))
		out = append(out, ticket{n, base64.RawURLEncoding.EncodeToString(mac.Sum(nil))})
	}
	return out, nil
}

func main() {
	dir, err := os.MkdirTemp("", "tickets-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	db, err := badger.Open(badger.DefaultOptions(dir).WithLogger(nil).WithMemTableSize(16 << 20).WithNumMemtables(2).
		WithSyncWrites(true))
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	var lease uint64 = 1
	if service.After() {
		lease = 10_000
	}
	o := &office{numbers: make(map[string]*badger.Sequence), key: []byte("not the one of production")}
	for _, event := range events {
		seq, err := db.GetSequence([]byte("number/"+event), lease)
		if err != nil {
			log.Fatal(err)
		}
		defer seq.Release()
		o.numbers[event] = seq
	}
	http.HandleFunc("/buy", func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		count, err := strconv.Atoi(q.Get("count"))
		if err != nil || o.numbers[q.Get("event")] == nil {
			http.Error(w, "which event, and how many?", http.StatusBadRequest)
			return
		}
		tickets, err := o.sell(q.Get("event"), count)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(tickets)
	})
	service.Run(http.DefaultServeMux)
}
