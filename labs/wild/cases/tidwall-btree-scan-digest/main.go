// Offers of a market, in order of their price: a request changes the price of one and gets the
// cheapest ones from there on. Replicas compare themselves by a digest of all offers, which is
// taken afresh a few times a second.
package main

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/tidwall/btree"

	"wild/service"
)

const offers = 200_000

type offer struct {
	Cents  int    `json:"cents"`
	ID     int    `json:"id"`
	Seller string `json:"seller"`
}

func cheaper(a, b offer) bool {
	if a.Cents != b.Cents {
		return a.Cents < b.Cents
	}
	return a.ID < b.ID
}

func main() {
	market := btree.NewBTreeG(cheaper)
	for i := range offers {
		market.Set(offer{Cents: price(i), ID: i, Seller: fmt.Sprint("seller ", i%997)})
	}
	var current atomic.Value
	current.Store("")
	go func() {
		for range time.Tick(300 * time.Millisecond) {
			current.Store(digest(market))
		}
	}()
	var turn atomic.Int64
	http.HandleFunc("/offer", func(w http.ResponseWriter, r *http.Request) {
		id := int(turn.Add(1)) % offers
		o := offer{Cents: price(id), ID: id, Seller: fmt.Sprint("seller ", id%997)}
		market.Set(o) // a seller confirms the price
		page := make([]offer, 0, 300)
		market.Ascend(offer{Cents: o.Cents}, func(o offer) bool {
			page = append(page, o)
			return len(page) < cap(page)
		})
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"offers": page, "state": current.Load()})
	})
	service.Run(http.DefaultServeMux)
}

func price(id int) int { return id*7919%90_000 + 100 }

// digest is a sum over all offers in their order.
func digest(market *btree.BTreeG[offer]) string {
	if service.After() {
		market = market.Copy()
	}
	sum := fnv.New128a()
	line := make([]byte, 0, 64)
	market.Scan(func(o offer) bool {
		line = strconv.AppendInt(line[:0], int64(o.Cents), 10)
		line = strconv.AppendInt(append(line, ' '), int64(o.ID), 10)
		sum.Write(append(append(line, ' '), o.Seller...))
		return true
	})
	return hex.EncodeToString(sum.Sum(nil))
}
