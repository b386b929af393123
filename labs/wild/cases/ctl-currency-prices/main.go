// Prices of a museum's shop, as a visitor reads them at home: amounts are kept as they are, and are written in the visitor's language by a
// formatter that is made once for each.
package main

import (
	"encoding/json"
	"log"
	"net/http"

	"github.com/bojanz/currency"

	"wild/service"
)

// museum has a shop.
type museum struct {
	prices  map[string]currency.Amount
	writers map[string]*currency.Formatter
}

func open() (*museum, error) {
	m := &museum{map[string]currency.Amount{}, map[string]*currency.Formatter{}}
	for thing, number := range map[string]string{"postcard": "1.20", "poster": "14.50", "catalogue": "39.00", "mug": "11.90", "replica": "1249.00"} {
		var err error
		if m.prices[thing], err = currency.NewAmount(number, "EUR"); err != nil {
			return nil, err
		}
	}
	for _, language := range []string{"de", "fr", "en", "sv", "pl"} {
		m.writers[language] = currency.NewFormatter(currency.NewLocale(language))
	}
	return m, nil
}

func (m *museum) serve(w http.ResponseWriter, r *http.Request) {
	price, sold := m.prices[r.PathValue("thing")]
	writer, spoken := m.writers[r.URL.Query().Get("language")]
	if !sold || !spoken {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]string{"thing": r.PathValue("thing"), "price": writer.Format(price)})
}

func main() {
	m, err := open()
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /things/{thing}", m.serve)
	service.Run(mux)
}
