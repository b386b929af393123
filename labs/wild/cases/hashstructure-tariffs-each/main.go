// Tariffs of a power company: meters ask now and then whether theirs is another than they know, and say the tag of the one that they know.
// A tariff is changed by the office, rarely, and has another version then.
package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"sync"

	"github.com/mitchellh/hashstructure/v2"

	"wild/service"
)

// step is what an hour costs.
type step struct {
	Hour, Millicents int
	Labels           map[string]string
}

// day has steps.
type day struct {
	Name  string
	Steps []step
}

// tariff is what meters go by.
type tariff struct {
	ID      string
	Version uint64
	Days    []day
}

// versioned is a tariff that is known by its version.
type versioned struct{ *tariff }

// Hash is that of the version, which is another after each change.
func (v versioned) Hash() (uint64, error) {
	return v.Version*0x9E3779B97F4A7C15 + uint64(len(v.ID)), nil
}

// company has tariffs.
type company struct {
	mu      sync.RWMutex
	tariffs []*tariff
}

func open() *company {
	c := &company{}
	for i := range 24 {
		t := &tariff{ID: "tariff-" + strconv.Itoa(i), Version: uint64(i + 1)}
		for _, name := range []string{"workday", "saturday", "sunday"} {
			d := day{Name: name}
			for h := range 8 {
				d.Steps = append(d.Steps, step{3 * h, 21000 + i*250 + h*h*40, map[string]string{"zone": "z" + strconv.Itoa(i%5), "kind": name}})
			}
			t.Days = append(t.Days, d)
		}
		c.tariffs = append(c.tariffs, t)
	}
	return c
}

// tag is what a tariff is known by.
func tag(t *tariff) (string, error) {
	var of any = t
	if service.After() {
		of = versioned{t}
	}
	sum, err := hashstructure.Hash(of, hashstructure.FormatV2, nil)
	return fmt.Sprintf(`"%x"`, sum), err
}

func (c *company) serve(w http.ResponseWriter, r *http.Request) {
	n, err := strconv.Atoi(r.PathValue("tariff"))
	if err != nil || n < 0 || n >= len(c.tariffs) {
		http.NotFound(w, r)
		return
	}
	c.mu.RLock()
	defer c.mu.RUnlock()
	t := c.tariffs[n]
	now, err := tag(t)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("ETag", now)
	if r.URL.Query().Get("known") != "" {
		json.NewEncoder(w).Encode(map[string]any{"tariff": t.ID, "changed": r.URL.Query().Get("known") != now})
		return
	}
	json.NewEncoder(w).Encode(t)
}

// change sets what an hour costs.
func (c *company) change(w http.ResponseWriter, r *http.Request) {
	n, err := strconv.Atoi(r.PathValue("tariff"))
	if err != nil || n < 0 || n >= len(c.tariffs) {
		http.NotFound(w, r)
		return
	}
	cost, err := strconv.Atoi(r.URL.Query().Get("millicents"))
	if err != nil {
		http.Error(w, "how much?", http.StatusBadRequest)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	t := c.tariffs[n]
	t.Days[0].Steps[0].Millicents = cost
	t.Version++
	fmt.Fprintln(w, "version", t.Version)
}

func main() {
	c := open()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /tariffs/{tariff}", c.serve)
	mux.HandleFunc("PUT /tariffs/{tariff}", c.change)
	service.Run(mux)
}
