// Offers of a shop: what a customer is offered, and at what discount, depends on flags that LaunchDarkly has for customers
// of their country and plan. In place of its service the flags come from memory.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"log"
	"net/http"
	"time"

	"github.com/launchdarkly/go-sdk-common/v3/ldcontext"
	"github.com/launchdarkly/go-sdk-common/v3/ldlog"
	"github.com/launchdarkly/go-sdk-common/v3/ldvalue"
	ld "github.com/launchdarkly/go-server-sdk/v7"
	"github.com/launchdarkly/go-server-sdk/v7/ldcomponents"
	"github.com/launchdarkly/go-server-sdk/v7/testhelpers/ldtestdata"

	"wild/service"
)

// customer is the one that looks at the shop.
type customer struct {
	ID      string `json:"id"`
	Country string `json:"country"`
	Plan    string `json:"plan"`
}

// offer is what is shown.
type offer struct {
	SKU   int    `json:"sku"`
	Cents int    `json:"cents"`
	Note  string `json:"note,omitempty"`
}

// shop has flags.
type shop struct{ flags *ld.LDClient }

const (
	discount = "offers-discount"
	bundle   = "offers-bundle"
)

func open() (*shop, error) {
	source := ldtestdata.DataSource()
	countries := []string{"se", "no", "dk", "fi", "de", "nl", "fr", "pl"}
	add := func(key string, i int) {
		flag := source.Flag(key).On(true).Variations(ldvalue.Int(0), ldvalue.Int(5), ldvalue.Int(10)).FallthroughVariationIndex(0).
			IfMatch("plan", ldvalue.String("gold")).AndMatch("country", ldvalue.String(countries[i%8]), ldvalue.String(countries[(i+3)%8])).ThenReturnIndex(2).
			IfMatch("country", ldvalue.String(countries[(i+1)%8])).ThenReturnIndex(1)
		source.Update(flag)
	}
	for i := range 240 {
		add(fmt.Sprintf("team%d-feature%d", i%12, i), i)
	}
	add(discount, 0)
	add(bundle, 2)
	config := ld.Config{DataSource: source, Events: ldcomponents.NoEvents(), DiagnosticOptOut: true, Logging: ldcomponents.Logging().MinLevel(ldlog.Error)}
	c, err := ld.MakeCustomClient("sdk-of-the-shop", config, 5*time.Second)
	return &shop{c}, err
}

// settings are the discount and the kind of bundle for a customer.
func (s *shop) settings(c customer) (percent, kind int, err error) {
	context := ldcontext.NewBuilder(c.ID).SetString("country", c.Country).SetString("plan", c.Plan).Build()
	if !service.After() {
		all := s.flags.AllFlagsState(context)
		if !all.IsValid() {
			return 0, 0, errors.New("the flags are not there yet")
		}
		return all.GetValue(discount).IntValue(), all.GetValue(bundle).IntValue(), nil
	}
	percent, err = s.flags.IntVariation(discount, context, 0)
	if err != nil {
		return 0, 0, err
	}
	kind, err = s.flags.IntVariation(bundle, context, 0)
	return percent, kind, err
}

func (s *shop) offers(c customer) ([]offer, error) {
	percent, kind, err := s.settings(c)
	if err != nil {
		return nil, err
	}
	h := fnv.New32a()
	io.WriteString(h, c.ID)
	out := make([]offer, 8)
	for i := range out {
		sku := int(h.Sum32()%900) + i*113
		out[i] = offer{SKU: sku, Cents: (sku*37%9000 + 500) * (100 - percent) / 100}
		if kind > 0 && i%3 == 0 {
			out[i].Note = fmt.Sprintf("%d for the price of %d", kind+1, kind)
		}
	}
	return out, nil
}

func main() {
	s, err := open()
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /offers", func(w http.ResponseWriter, r *http.Request) {
		var c customer
		if err := json.NewDecoder(io.LimitReader(r.Body, 4<<10)).Decode(&c); err != nil || c.ID == "" {
			http.Error(w, "a customer has an id", http.StatusBadRequest)
			return
		}
		out, err := s.offers(c)
		if err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(out)
	})
	service.Run(mux)
	s.flags.Close()
}
