// Street names of a delivery firm: what a customer typed is compared with every street of the town, and those that differ by two letters at
// most are offered.
package main

import (
	"encoding/json"
	"log"
	"net/http"
	"strings"

	"github.com/agext/levenshtein"

	"wild/service"
)

// far is how many letters may differ.
const far = 2

// town has its streets.
type town struct {
	streets []string
	measure *levenshtein.Params
}

func open() *town {
	t := &town{measure: levenshtein.NewParams()}
	if service.After() {
		t.measure.MaxCost(far)
	}
	first := []string{"Anna", "Berta", "Clara", "Dora", "Erika", "Frida", "Grete", "Hanna", "Ida", "Johanna", "Karla", "Lotte"}
	second := []string{"Zimmermann", "Lindenberg", "Schumacher", "Hohenstein", "Wagenknecht", "Rosenthal", "Falkenhorst", "Brandenburg"}
	third := []string{"strasse", "allee", "gasse", "platz", "ufer", "promenade"}
	for _, a := range first {
		for _, b := range second {
			for _, c := range third {
				t.streets = append(t.streets, strings.ToLower(a+"-"+b+"-"+c))
			}
		}
	}
	return t
}

// near are the streets that may be meant.
func (t *town) near(typed string) []string {
	out := []string{}
	for _, street := range t.streets {
		if levenshtein.Distance(typed, street, t.measure) > far {
			continue
		}
		if levenshtein.Distance(typed, street, nil) <= far { // what is said below a maximum may be a bound
			out = append(out, street)
		}
	}
	return out
}

func (t *town) serve(w http.ResponseWriter, r *http.Request) {
	typed := strings.ToLower(r.URL.Query().Get("q"))
	if typed == "" || len(typed) > 60 {
		http.Error(w, "which street?", http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"typed": typed, "streets": t.near(typed)})
}

func main() {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /streets", open().serve)
	p := new(http.Protocols)
	p.SetHTTP1(true)
	p.SetUnencryptedHTTP2(true)
	srv := &http.Server{Handler: mux, Protocols: p}
	ln := service.Listen()
	go func() { log.Println(srv.Serve(ln)) }()
	service.Wait()
	srv.Close()
}
