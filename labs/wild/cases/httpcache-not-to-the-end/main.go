// Baskets of a shop that sells abroad: what is in one is shown in the customer's currency, with the duty of the
// country. Rates and duties are a partner's, which says that they may be kept for ten minutes, and the client of it
// has a cache that does so.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"time"

	"github.com/gregjones/httpcache"

	"wild/service"
)

// sheet is what the partner says of a currency or a country.
type sheet struct {
	Name    string             `json:"name"`
	Values  map[string]float64 `json:"values"`
	Remarks []string           `json:"remarks"`
}

type article struct {
	SKU   string `json:"sku"`
	Group string `json:"group"`
	Cents int64  `json:"cents"`
	N     int64  `json:"n"`
}

type total struct {
	Basket   int    `json:"basket"`
	Currency string `json:"currency"`
	Goods    int64  `json:"goods"`
	Duty     int64  `json:"duty"`
	Lines    int    `json:"lines"`
}

// shop shows baskets.
type shop struct {
	partner string
	client  *http.Client
	baskets [64][]article
}

func open(partner string) *shop {
	direct := &http.Transport{Protocols: new(http.Protocols)}
	direct.Protocols.SetUnencryptedHTTP2(true)
	cached := httpcache.NewMemoryCacheTransport()
	cached.Transport = direct
	s := &shop{partner: partner, client: &http.Client{Transport: cached, Timeout: 5 * time.Second}}
	groups := []string{"cloth", "books", "tools", "toys"}
	for i := range s.baskets {
		for j := range 3 + i%6 {
			s.baskets[i] = append(s.baskets[i], article{fmt.Sprintf("a-%d-%d", i, j), groups[(i+j)%4], int64(990 + 77*j), int64(1 + j%3)})
		}
	}
	return s
}

func (s *shop) sheet(ctx context.Context, path string) (out sheet, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+s.partner+path, nil)
	if err != nil {
		return out, err
	}
	resp, err := s.client.Do(req)
	if err != nil {
		return out, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return out, fmt.Errorf("%s: %s", path, resp.Status)
	}
	return out, read(resp.Body, &out)
}

// read has the answer of the partner.
func read(body io.Reader, out *sheet) error {
	if !service.After() {
		return json.NewDecoder(body).Decode(out)
	}
	data, err := io.ReadAll(body)
	if err != nil {
		return err
	}
	return json.Unmarshal(data, out)
}

var errBasket = errors.New("no such basket")

func (s *shop) total(ctx context.Context, id int, currency, country string) (total, error) {
	if id < 0 || id >= len(s.baskets) {
		return total{}, errBasket
	}
	rates, err := s.sheet(ctx, "/rates/"+currency)
	if err != nil {
		return total{}, err
	}
	duties, err := s.sheet(ctx, "/duties/"+country)
	if err != nil {
		return total{}, err
	}
	t := total{Basket: id, Currency: currency, Lines: len(s.baskets[id])}
	for _, a := range s.baskets[id] {
		cents := float64(a.Cents*a.N) * rates.Values["EUR"]
		t.Goods += int64(cents)
		t.Duty += int64(cents * duties.Values[a.Group] / 100)
	}
	return t, nil
}

func main() {
	if os.Getenv("ROLE") == "partner" {
		servePartner()
		return
	}
	s := open(service.Beside("partner"))
	mux := http.NewServeMux()
	mux.HandleFunc("GET /baskets/{id}/total", func(w http.ResponseWriter, r *http.Request) {
		id, err := strconv.Atoi(r.PathValue("id"))
		currency, country := r.FormValue("currency"), r.FormValue("country")
		if err != nil || len(currency) != 3 || len(country) != 2 {
			http.Error(w, "a basket, a currency of three letters, a country of two", http.StatusBadRequest)
			return
		}
		t, err := s.total(r.Context(), id, currency, country)
		switch {
		case errors.Is(err, errBasket):
			http.Error(w, err.Error(), http.StatusNotFound)
			return
		case err != nil:
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(t)
	})
	mux.HandleFunc("GET /baskets/{id}", func(w http.ResponseWriter, r *http.Request) {
		id, err := strconv.Atoi(r.PathValue("id"))
		if err != nil || id < 0 || id >= len(s.baskets) {
			http.Error(w, errBasket.Error(), http.StatusNotFound)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(s.baskets[id])
	})
	service.Run(mux)
}

// servePartner says rates and duties over HTTP/2, in 4 ms.
func servePartner() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("GET /{kind}/{name}", func(w http.ResponseWriter, r *http.Request) {
		out := sheet{Name: r.PathValue("name"), Values: map[string]float64{}}
		for i, of := range []string{"EUR", "SEK", "NOK", "DKK", "GBP", "CHF", "PLN", "cloth", "books", "tools", "toys"} {
			out.Values[of] = 1 + float64(i)*1.7
			out.Remarks = append(out.Remarks, "of the "+out.Name+" table, "+of+" as of this morning")
		}
		time.Sleep(4 * time.Millisecond)
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "public, max-age=600")
		json.NewEncoder(w).Encode(out)
	})
	srv := &http.Server{Protocols: new(http.Protocols)}
	srv.Protocols.SetUnencryptedHTTP2(true)
	go func() { log.Println(srv.Serve(ln)) }()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
