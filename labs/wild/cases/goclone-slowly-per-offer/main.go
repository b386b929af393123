// Offers of a travel agent: a tour of the catalogue is copied, its prices are those of the day and of the party, and the copy is sent.
package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/huandu/go-clone"

	"wild/service"
)

// tour is one of the catalogue.
type tour struct {
	ID     string            `json:"id"`
	Title  string            `json:"title"`
	Days   []*day            `json:"days"`
	Extras map[string]*extra `json:"extras"`
	Total  int               `json:"total"`
}

// day is one of a tour.
type day struct {
	Place  string   `json:"place"`
	Hotel  *hotel   `json:"hotel"`
	Visits []*visit `json:"visits"`
}

// hotel is where a day ends.
type hotel struct {
	Name  string `json:"name"`
	Stars int    `json:"stars"`
	Cents int    `json:"cents"`
}

// visit is what is seen.
type visit struct {
	Name  string   `json:"name"`
	Cents int      `json:"cents"`
	Tags  []string `json:"-"`
}

// extra is what can be had besides.
type extra struct {
	Cents int  `json:"cents"`
	Taken bool `json:"taken"`
}

// agent has tours.
type agent struct{ tours map[string]*tour }

func open() *agent {
	a := &agent{map[string]*tour{}}
	for i := range 20 {
		t := &tour{ID: "t" + strconv.Itoa(i), Title: fmt.Sprintf("Round tour %d", i), Extras: map[string]*extra{}}
		for d := range 12 {
			at := &day{Place: fmt.Sprintf("Town %d", d), Hotel: &hotel{fmt.Sprintf("Inn %d", d), d%3 + 2, 7000 + d*310}}
			for v := range 5 {
				at.Visits = append(at.Visits, &visit{fmt.Sprintf("Museum %d", v), 800 + v*150, []string{"indoor", "guided", "art"}})
			}
			t.Days = append(t.Days, at)
		}
		for e := range 6 {
			t.Extras[fmt.Sprintf("extra-%d", e)] = &extra{Cents: 1500 + e*500}
		}
		a.tours[t.ID] = t
	}
	return a
}

// copyOf is a tour that can be changed.
func copyOf(t *tour) *tour {
	if service.After() {
		return clone.Clone(t).(*tour)
	}
	return clone.Slowly(t).(*tour)
}

// offer has the prices for a party, on a day of the year.
func (a *agent) offer(t *tour, party, yearday int, extras []string) *tour {
	o := copyOf(t)
	for _, d := range o.Days {
		d.Hotel.Cents = d.Hotel.Cents * (party + 1) / 2
		if yearday > 170 && yearday < 250 {
			d.Hotel.Cents = d.Hotel.Cents * 5 / 4
		}
		o.Total += d.Hotel.Cents
		for _, v := range d.Visits {
			v.Cents *= party
			o.Total += v.Cents
		}
	}
	for _, name := range extras {
		if e := o.Extras[name]; e != nil {
			e.Taken = true
			o.Total += e.Cents * party
		}
	}
	return o
}

func (a *agent) serve(w http.ResponseWriter, r *http.Request) {
	t := a.tours[r.PathValue("tour")]
	party, err := strconv.Atoi(r.FormValue("party"))
	if t == nil || err != nil || party < 1 || party > 9 {
		http.Error(w, "which tour, for how many?", http.StatusBadRequest)
		return
	}
	o := a.offer(t, party, time.Now().YearDay(), r.Form["extra"])
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"tour": o.ID, "title": o.Title, "days": len(o.Days), "total": o.Total, "extras": o.Extras, "first": o.Days[0]})
}

func main() {
	a := open()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /tours/{tour}/offer", a.serve)
	mux.HandleFunc("GET /tours/{tour}", func(w http.ResponseWriter, r *http.Request) {
		json.NewEncoder(w).Encode(a.tours[r.PathValue("tour")])
	})
	service.Run(mux)
}
