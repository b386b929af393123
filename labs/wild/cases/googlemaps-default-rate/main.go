// Quotes of a courier: the addresses that a parcel goes from and to are looked up with a maps service, which is a
// process of its own, and what the way costs follows from how far they are apart. Depots are known.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"log"
	"math"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"googlemaps.github.io/maps"

	"wild/service"
)

// parcel is what is sent.
type parcel struct {
	From  string `json:"from"`
	To    string `json:"to"`
	Grams int    `json:"grams"`
}

// quote is what it costs.
type quote struct {
	Metres int    `json:"metres"`
	Cents  int    `json:"cents"`
	Zone   string `json:"zone"`
	Near   string `json:"near"`
}

type depot struct {
	Name     string  `json:"name"`
	Lat, Lng float64 `json:"-"`
}

// desk makes quotes.
type desk struct {
	places *maps.Client
	depots []depot
}

var errUnknown = errors.New("no such address")

func open(base string) (*desk, error) {
	kept := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}, Timeout: 5 * time.Second}
	options := []maps.ClientOption{maps.WithAPIKey("AIza-of-the-courier"), maps.WithBaseURL("http://" + base), maps.WithHTTPClient(kept)}
	if service.After() {
		options = append(options, maps.WithRateLimit(2000)) // what was agreed on
	}
	c, err := maps.NewClient(options...)
	if err != nil {
		return nil, err
	}
	d := &desk{places: c}
	for i, name := range []string{"north", "harbour", "east", "hill", "market"} {
		d.depots = append(d.depots, depot{name, 59 + float64(i)/7, 17.5 + float64(i*i%5)/6})
	}
	return d, nil
}

func (d *desk) place(ctx context.Context, address string) (maps.LatLng, error) {
	found, err := d.places.Geocode(ctx, &maps.GeocodingRequest{Address: address, Region: "se"})
	if err != nil {
		return maps.LatLng{}, err
	}
	if len(found) == 0 {
		return maps.LatLng{}, errUnknown
	}
	return found[0].Geometry.Location, nil
}

func (d *desk) quote(ctx context.Context, p parcel) (quote, error) {
	to, err := d.place(ctx, p.To)
	if err != nil {
		return quote{}, fmt.Errorf("to %q: %w", p.To, err)
	}
	from, near := maps.LatLng{}, ""
	for _, depot := range d.depots {
		if strings.EqualFold(depot.Name, p.From) {
			from, near = maps.LatLng{Lat: depot.Lat, Lng: depot.Lng}, depot.Name
		}
	}
	if near == "" {
		if from, err = d.place(ctx, p.From); err != nil {
			return quote{}, fmt.Errorf("from %q: %w", p.From, err)
		}
		near = d.nearest(from).Name
	}
	m := int(metres(from, to))
	q := quote{Metres: m, Near: near, Zone: "city", Cents: 390 + m/60 + p.Grams/20}
	if m > 30000 {
		q.Zone, q.Cents = "country", q.Cents*13/10
	}
	return q, nil
}

func (d *desk) nearest(at maps.LatLng) depot {
	best, least := depot{}, math.Inf(1)
	for _, depot := range d.depots {
		if m := metres(at, maps.LatLng{Lat: depot.Lat, Lng: depot.Lng}); m < least {
			best, least = depot, m
		}
	}
	return best
}

// metres is how far two places are apart, on a ball.
func metres(a, b maps.LatLng) float64 {
	rad := math.Pi / 180
	s, t := math.Sin((b.Lat-a.Lat)*rad/2), math.Sin((b.Lng-a.Lng)*rad/2)
	return 2 * 6371000 * math.Asin(math.Sqrt(s*s+math.Cos(a.Lat*rad)*math.Cos(b.Lat*rad)*t*t))
}

func main() {
	if os.Getenv("ROLE") == "maps" {
		serveMaps()
		return
	}
	d, err := open(service.Beside("maps"))
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /quotes", func(w http.ResponseWriter, r *http.Request) {
		var p parcel
		if err := json.NewDecoder(io.LimitReader(r.Body, 4<<10)).Decode(&p); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		if p.To == "" || p.From == "" || p.Grams <= 0 || p.Grams > 30000 {
			http.Error(w, "a parcel has a from, a to, and up to 30 kg", http.StatusUnprocessableEntity)
			return
		}
		q, err := d.quote(r.Context(), p)
		switch {
		case errors.Is(err, errUnknown):
			http.Error(w, err.Error(), http.StatusUnprocessableEntity)
			return
		case err != nil:
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(q)
	})
	mux.HandleFunc("GET /depots", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(d.depots)
	})
	service.Run(mux)
}

// serveMaps is the maps service: it takes 6 ms for an address.
func serveMaps() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("GET /maps/api/geocode/json", func(w http.ResponseWriter, r *http.Request) {
		h := fnv.New32a()
		io.WriteString(h, r.FormValue("address"))
		n := float64(h.Sum32()%10000) / 10000
		time.Sleep(6 * time.Millisecond)
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"status":"OK","results":[{"formatted_address":%q,"place_id":"p%d","types":["street_address"],"geometry":{"location_type":"ROOFTOP","location":{"lat":%f,"lng":%f}}}]}`,
			r.FormValue("address"), h.Sum32(), 59+n, 17.5+n/2)
	})
	go func() { log.Println(http.Serve(ln, nil)) }()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
