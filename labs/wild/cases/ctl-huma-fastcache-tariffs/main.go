// Tariffs of a parcel service: what a parcel costs from one zone to another, by its weight and its size. Answers are kept for
// as long as a price list is valid.
package main

import (
	"context"
	"encoding/binary"
	"log"
	"net/http"

	"github.com/VictoriaMetrics/fastcache"
	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"wild/service"
)

// asked is what is asked for.
type asked struct {
	From  int `query:"from" minimum:"1" maximum:"40" required:"true"`
	To    int `query:"to" minimum:"1" maximum:"40" required:"true"`
	Grams int `query:"grams" minimum:"1" maximum:"30000" required:"true"`
	Side  int `query:"side" minimum:"1" maximum:"150" default:"30" doc:"the longest side in centimetres"`
}

// offer is what a parcel costs.
type offer struct {
	Cents int    `json:"cents"`
	Days  int    `json:"days"`
	Class string `json:"class"`
}

type told struct{ Body offer }

// tariff is a price list.
type tariff struct{ kept *fastcache.Cache }

var classes = []string{"letter", "small", "medium", "large", "bulky"}

func (t *tariff) price(in *asked) (cents, days, class int) {
	class = min(in.Grams/2500+in.Side/45, len(classes)-1)
	apart := max(in.From-in.To, in.To-in.From)
	return 390 + class*210 + apart*14 + in.Grams/100*3, 1 + apart/9, class
}

func (t *tariff) ask(_ context.Context, in *asked) (*told, error) {
	var key [16]byte
	for i, n := range []int{in.From, in.To, in.Grams, in.Side} {
		binary.LittleEndian.PutUint32(key[4*i:], uint32(n))
	}
	var room [12]byte
	v, ok := t.kept.HasGet(room[:0], key[:])
	if !ok {
		cents, days, class := t.price(in)
		for _, n := range []int{cents, days, class} {
			v = binary.LittleEndian.AppendUint32(v, uint32(n))
		}
		t.kept.Set(key[:], v)
	}
	return &told{offer{int(binary.LittleEndian.Uint32(v)), int(binary.LittleEndian.Uint32(v[4:])), classes[binary.LittleEndian.Uint32(v[8:])]}}, nil
}

func main() {
	t := &tariff{fastcache.New(32 << 20)}
	mux := http.NewServeMux()
	config := huma.DefaultConfig("Tariffs", "1.4.0")
	config.CreateHooks = nil // answers without links to their schema
	api := humago.New(mux, config)
	huma.Get(api, "/offers", t.ask)
	log.SetFlags(0)
	service.Run(mux)
}
