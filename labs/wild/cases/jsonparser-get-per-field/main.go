// Parcels of many shops: each shop's platform tells of an order in JSON of its own making, with much that a carrier has no use
// for. What a label needs is taken out, and the parcel goes onto the list of its depot.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"

	"github.com/buger/jsonparser"

	"wild/service"
)

// parcel is what the carrier needs of an order.
type parcel struct {
	Order, Shop, Name, Street, Town, Postcode, Country string
	Phone, Email, Locker, Slot, Note, Insurance        string
	Grams, Width, Height, Depth, Cents                 int64
	Fragile                                            bool
}

// text has the fields of a parcel that are words, and where an order has them; the others are numbers.
var (
	text = [][]string{
		{"id"}, {"shop", "name"}, {"delivery", "address", "name"}, {"delivery", "address", "street"},
		{"delivery", "address", "town"}, {"delivery", "address", "postcode"}, {"delivery", "address", "country"},
		{"delivery", "contact", "phone"}, {"delivery", "contact", "email"}, {"delivery", "locker"},
		{"delivery", "slot"}, {"delivery", "note"}, {"insurance", "policy"},
	}
	numbers = [][]string{
		{"parcel", "grams"}, {"parcel", "size", "width"}, {"parcel", "size", "height"}, {"parcel", "size", "depth"}, {"insurance", "cents"},
	}
	fragile = []string{"parcel", "fragile"}
	paths   = append(append(append([][]string{}, text...), numbers...), fragile)
)

var errOrder = errors.New("an order has an id, an address and a weight")

func (p *parcel) texts() []*string {
	return []*string{
		&p.Order, &p.Shop, &p.Name, &p.Street, &p.Town, &p.Postcode, &p.Country,
		&p.Phone, &p.Email, &p.Locker, &p.Slot, &p.Note, &p.Insurance,
	}
}

func (p *parcel) numbers() []*int64 {
	return []*int64{&p.Grams, &p.Width, &p.Height, &p.Depth, &p.Cents}
}

// read takes a parcel out of an order. What an order lacks is left empty.
func read(order []byte) (*parcel, error) {
	p := new(parcel)
	words, sums := p.texts(), p.numbers()
	if service.After() {
		jsonparser.EachKey(order, func(i int, value []byte, _ jsonparser.ValueType, err error) {
			switch {
			case err != nil:
			case i < len(text):
				*words[i], _ = jsonparser.ParseString(value)
			case i < len(text)+len(numbers):
				*sums[i-len(text)], _ = jsonparser.ParseInt(value)
			default:
				p.Fragile, _ = jsonparser.ParseBoolean(value)
			}
		}, paths...)
	} else {
		for i, path := range text {
			*words[i], _ = jsonparser.GetString(order, path...)
		}
		for i, path := range numbers {
			*sums[i], _ = jsonparser.GetInt(order, path...)
		}
		p.Fragile, _ = jsonparser.GetBoolean(order, fragile...)
	}
	if p.Order == "" || p.Street == "" || p.Grams == 0 {
		return nil, errOrder
	}
	return p, nil
}

// depots have the parcels that they wait for.
type depots struct {
	mu    sync.Mutex
	lists map[string][]*parcel
}

// add puts a parcel onto a list, and drops the oldest of a list that is long.
func (d *depots) add(depot string, p *parcel) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	list := append(d.lists[depot], p)
	if len(list) > 500 {
		list = append(list[:0:0], list[250:]...)
	}
	d.lists[depot] = list
	return len(list)
}

func (d *depots) take(w http.ResponseWriter, r *http.Request) {
	order, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 64<<10))
	if err != nil {
		http.Error(w, err.Error(), http.StatusRequestEntityTooLarge)
		return
	}
	p, err := read(order)
	if err != nil {
		http.Error(w, err.Error(), http.StatusUnprocessableEntity)
		return
	}
	depot := p.Country + "-" + p.Postcode[:min(2, len(p.Postcode))]
	volume := p.Width * p.Height * p.Depth / 1000
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{
		"label": fmt.Sprintf("%s-%s", depot, p.Order), "waiting": d.add(depot, p), "charged_grams": max(p.Grams, volume*200), "by_hand": p.Fragile,
	})
}

func main() {
	d := &depots{lists: map[string][]*parcel{}}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /orders", d.take)
	service.Run(mux)
}
