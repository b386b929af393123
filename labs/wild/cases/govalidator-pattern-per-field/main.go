// Declarations of parcels that leave the country: what is in a parcel, for whom, and under which tariff. A declaration is
// checked, and gets the duty that is expected of it.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"regexp"
	"strings"

	"github.com/asaskevich/govalidator"
	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"

	"wild/service"
)

// item is something in a parcel.
type item struct {
	Tariff  string `json:"tariff"`
	Article string `json:"article"`
	Text    string `json:"text"`
	Count   int    `json:"count"`
	Cents   int    `json:"cents"`
}

// parcel is what is declared.
type parcel struct {
	Number   string `json:"number"`
	Country  string `json:"country"`
	Postcode string `json:"postcode"`
	Phone    string `json:"phone"`
	Mail     string `json:"mail"`
	Items    []item `json:"items"`
}

// fields say how things are written.
var fields = map[string]string{
	"number":      `^[A-Z]{2}[0-9]{9}[A-Z]{2}$`,
	"tariff":      `^[0-9]{4}\.[0-9]{2}(\.[0-9]{2}(\.[0-9]{2})?)?$`,
	"article":     `^[A-Z]{1,4}-[0-9]{3,8}(/[A-Z0-9]{1,6})?$`,
	"phone":       `^\+[1-9][0-9]{0,2}( ?[0-9]{1,5}){2,5}$`,
	"postcode NO": `^[0-9]{4}$`,
	"postcode GB": `^([A-Z]{1,2}[0-9][A-Z0-9]?) ?([0-9][A-Z]{2})$`,
	"postcode CH": `^[1-9][0-9]{3}$`,
	"postcode CA": `^[ABCEGHJ-NPRSTVXY][0-9][ABCEGHJ-NPRSTV-Z] ?[0-9][ABCEGHJ-NPRSTV-Z][0-9]$`,
	"postcode US": `^[0-9]{5}(-[0-9]{4})?$`,
}

var prepared = map[string]*regexp.Regexp{}

// written reports whether a field is written as it should be.
func written(field, value string) bool {
	if re, ok := prepared[field]; ok {
		return re.MatchString(value)
	}
	pattern, ok := fields[field]
	return ok && govalidator.Matches(value, pattern)
}

// check says what is wrong with a parcel.
func (p parcel) check() (wrong []string) {
	said := func(ok bool, name, value string) {
		if !ok {
			wrong = append(wrong, fmt.Sprintf("%s: %q", name, value))
		}
	}
	said(written("number", p.Number), "number", p.Number)
	said(govalidator.IsISO3166Alpha2(p.Country), "country", p.Country)
	said(written("postcode "+p.Country, p.Postcode), "postcode", p.Postcode)
	said(written("phone", p.Phone), "phone", p.Phone)
	said(strings.Contains(p.Mail, "@") && govalidator.IsDNSName(p.Mail[strings.IndexByte(p.Mail, '@')+1:]), "mail", p.Mail)
	for i, it := range p.Items {
		name := fmt.Sprintf("items[%d]", i)
		said(written("tariff", it.Tariff), name+".tariff", it.Tariff)
		said(written("article", it.Article), name+".article", it.Article)
		said(govalidator.InRangeInt(it.Count, 1, 999), name+".count", fmt.Sprint(it.Count))
		said(it.Text != "", name+".text", it.Text)
	}
	return wrong
}

// duty is what is expected of a parcel, in cents.
func (p parcel) duty() (all int) {
	rates := map[byte]int{'0': 9, '1': 12, '2': 0, '3': 4, '4': 6, '5': 8, '6': 12, '7': 2, '8': 3, '9': 5}
	for _, it := range p.Items {
		all += it.Count * it.Cents * rates[it.Tariff[0]] / 100
	}
	return all
}

func declare(w http.ResponseWriter, r *http.Request) {
	var p parcel
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<20)).Decode(&p); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	if wrong := p.check(); len(wrong) > 0 {
		w.WriteHeader(http.StatusUnprocessableEntity)
		json.NewEncoder(w).Encode(map[string]any{"wrong": wrong})
		return
	}
	json.NewEncoder(w).Encode(map[string]any{"number": p.Number, "duty_cents": p.duty(), "items": len(p.Items)})
}

func main() {
	if service.After() {
		for field, pattern := range fields {
			prepared[field] = regexp.MustCompile(pattern)
		}
	}
	log.SetFlags(0)
	r := chi.NewRouter()
	r.Use(middleware.Recoverer)
	r.Post("/declarations", declare)
	r.Get("/fields", func(w http.ResponseWriter, _ *http.Request) { json.NewEncoder(w).Encode(fields) })
	service.Run(r)
}
