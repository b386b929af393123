// Stops of a bus network: what a traveller has typed so far is looked for in the names of all stops, in whatever case, and the nearest
// ten are answered.
package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"sort"

	"github.com/lithammer/fuzzysearch/fuzzy"

	"wild/service"
)

// network has stops.
type network struct{ stops []string }

func open() *network {
	n := &network{}
	places := []string{"Market", "Harbour", "Old Mill", "Saint Anne", "North Gate", "Castle", "Orchard", "Brewery", "Lighthouse", "Library"}
	roads := []string{"Street", "Square", "Lane", "Hill", "Bridge", "Station", "Park", "School", "Hospital", "Crossing"}
	sides := []string{"East", "West", "Upper", "Lower", "Platform A", "Platform B", "Terminus", "Request Stop"}
	for _, p := range places {
		for _, r := range roads {
			for _, s := range sides {
				n.stops = append(n.stops, fmt.Sprintf("%s %s (%s)", p, r, s))
			}
		}
	}
	return n
}

// look finds the stops nearest to what was typed.
func (n *network) look(typed string) []string {
	found := fuzzy.RankFindFold(typed, n.stops)
	sort.Stable(found)
	out := []string{}
	for _, f := range found[:min(10, len(found))] {
		out = append(out, f.Target)
	}
	return out
}

func (n *network) serve(w http.ResponseWriter, r *http.Request) {
	typed := r.URL.Query().Get("typed")
	if typed == "" {
		http.Error(w, "where to?", http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(n.look(typed))
}

func main() {
	n := open()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /stops", n.serve)
	service.Run(mux)
}
