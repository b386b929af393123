// Papers of a notary: what is handed in, a folder at a time, says when it was signed. Most papers have a date in figures, which is
// read as such; those that have it in words, in the language of where they come from, go to a parser of dates.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	dps "github.com/markusmobius/go-dateparser"

	"wild/service"
)

// paper is what is handed in.
type paper struct {
	Number string `json:"number"`
	Signed string `json:"signed"`
	From   string `json:"from"` // DE, FR, ...
}

// the languages of where papers come from.
var languages = map[string][]string{
	"DE": {"de"}, "FR": {"fr"}, "NL": {"nl"}, "ES": {"es"}, "PL": {"pl"}, "DK": {"da"}, "CH": {"de", "fr", "it"}, "BE": {"nl", "fr", "de"},
	"FI": {"fi"}, "EE": {"et"}, "HR": {"hr"}, "IS": {"is"}, "RO": {"ro"},
}

// notary reads dates.
type notary struct{ parser *dps.Parser }

// signed is when a paper was.
func (n *notary) signed(p paper) (time.Time, error) {
	for _, layout := range []string{"2006-01-02", "02.01.2006", "02/01/2006"} {
		if t, err := time.Parse(layout, p.Signed); err == nil {
			return t, nil
		}
	}
	config := &dps.Configuration{DefaultTimezone: time.UTC, PreferredDateSource: dps.Past}
	if service.After() {
		config.Languages = languages[p.From]
	}
	d, err := n.parser.Parse(config, p.Signed)
	return d.Time, err
}

// shelved is where a paper is kept, and until when.
type shelved struct {
	Number string `json:"number"`
	Signed string `json:"signed"`
	Shelf  string `json:"shelf"`
	Until  int    `json:"until"`
}

func (n *notary) take(w http.ResponseWriter, r *http.Request) {
	var folder []paper
	if err := json.NewDecoder(io.LimitReader(r.Body, 32<<10)).Decode(&folder); err != nil || len(folder) == 0 {
		http.Error(w, "a folder has papers", http.StatusBadRequest)
		return
	}
	out := make([]shelved, len(folder))
	for i, p := range folder {
		if p.Number == "" || languages[p.From] == nil {
			http.Error(w, "a paper has a number, and comes from somewhere", http.StatusBadRequest)
			return
		}
		when, err := n.signed(p)
		if err != nil {
			http.Error(w, err.Error(), http.StatusUnprocessableEntity)
			return
		}
		out[i] = shelved{strings.ToUpper(p.Number), when.Format(time.DateOnly), fmt.Sprintf("%s/%d", p.From, when.Year()), when.Year() + 30}
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(out)
}

func main() {
	n := &notary{&dps.Parser{}}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /folders", n.take)
	service.Run(mux)
}
