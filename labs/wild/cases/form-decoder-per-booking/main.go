// Bookings of a campsite: guests fill in a form on its pages, and what they wrote is read into a booking, with a decoder that knows how the
// site writes days.
package main

import (
	"encoding/json"
	"net/http"
	"net/url"
	"sync/atomic"
	"time"

	"github.com/go-playground/form/v4"

	"wild/service"
)

// guest, pitch and booking are what the form asks for.
type guest struct {
	First   string `form:"first"`
	Last    string `form:"last"`
	Mail    string `form:"mail"`
	Phone   string `form:"phone"`
	Street  string `form:"street"`
	Town    string `form:"town"`
	Country string `form:"country"`
	Born    int    `form:"born"`
}

type pitch struct {
	Row      string `form:"row"`
	Shade    bool   `form:"shade"`
	Power    bool   `form:"power"`
	Water    bool   `form:"water"`
	Metres   int    `form:"metres"`
	Dogs     int    `form:"dogs"`
	Awning   bool   `form:"awning"`
	Vehicle  string `form:"vehicle"`
	Licence  string `form:"licence"`
	Comments string `form:"comments"`
}

// partner is the other who stays, if any.
type partner struct {
	First    string `form:"first"`
	Last     string `form:"last"`
	Mail     string `form:"mail"`
	Phone    string `form:"phone"`
	Street   string `form:"street"`
	Town     string `form:"town"`
	Country  string `form:"country"`
	Born     int    `form:"born"`
	Passport string `form:"passport"`
	Issued   string `form:"issued"`
	Expires  string `form:"expires"`
	Language string `form:"language"`
}

// invoice is for firms.
type invoice struct {
	Firm      string `form:"firm"`
	Street    string `form:"street"`
	Town      string `form:"town"`
	Country   string `form:"country"`
	Tax       string `form:"tax"`
	Order     string `form:"order"`
	Reference string `form:"reference"`
	Mail      string `form:"mail"`
	Copies    int    `form:"copies"`
	Terms     string `form:"terms"`
}

// rental is what can be had for the stay.
type rental struct {
	Bikes    int    `form:"bikes"`
	Canoes   int    `form:"canoes"`
	Boards   int    `form:"boards"`
	Grills   int    `form:"grills"`
	Fridges  int    `form:"fridges"`
	Sauna    bool   `form:"sauna"`
	Helmets  int    `form:"helmets"`
	Trailers int    `form:"trailers"`
	Size     string `form:"size"`
	Remarks  string `form:"remarks"`
}

type booking struct {
	Guest   guest    `form:"guest"`
	Pitch   pitch    `form:"pitch"`
	Partner *partner `form:"partner"`
	Invoice *invoice `form:"invoice"`
	Rental  *rental  `form:"rental"`

	From   time.Time `form:"from"`
	Nights int       `form:"nights"`
	Adults int       `form:"adults"`
	Extras []string  `form:"extras"`
}

// newDecoder makes what reads a form.
func newDecoder() *form.Decoder {
	d := form.NewDecoder()
	d.RegisterCustomTypeFunc(func(values []string) (any, error) { return time.Parse("02.01.2006", values[0]) }, time.Time{})
	return d
}

// campsite has bookings.
type campsite struct {
	decoder *form.Decoder
	booked  atomic.Int64
}

func (c *campsite) read(values url.Values) (booking, error) {
	d := c.decoder
	if !service.After() {
		d = newDecoder()
	}
	var b booking
	err := d.Decode(&b, values)
	return b, err
}

func (c *campsite) serve(w http.ResponseWriter, r *http.Request) {
	if err := r.ParseForm(); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	b, err := c.read(r.PostForm)
	if err != nil || b.Nights < 1 || b.Guest.Last == "" {
		http.Error(w, "who stays for how long?", http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"number": c.booked.Add(1), "until": b.From.AddDate(0, 0, b.Nights).Format(time.DateOnly), "name": b.Guest.Last})
}

func main() {
	c := &campsite{decoder: newDecoder()}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /bookings", c.serve)
	service.Run(mux)
}
