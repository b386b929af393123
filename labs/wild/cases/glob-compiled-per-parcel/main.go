// A sorting office: a parcel's label says where it goes and what it is, and the first rule that fits names its chute. Rules are written as
// patterns by those who work there. It speaks HTTP/2 without TLS as well.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"

	"github.com/gobwas/glob"

	"wild/service"
)

// rule sends what fits its pattern to a chute.
type rule struct {
	Pattern string
	Chute   int
	fits    glob.Glob // compiled at the start, if it is
}

// office has rules, in their order.
type office struct{ rules []*rule }

func open() (*office, error) {
	o := &office{}
	countries := []string{"de", "fr", "nl", "pl", "se", "dk"}
	kinds := []string{"{letter,card}", "box*", "tube", "{pallet,crate}-[0-9]*", "*frozen*", "bike?"}
	for i, country := range countries {
		for j, kind := range kinds {
			o.rules = append(o.rules, &rule{Pattern: fmt.Sprintf("%s.*.%d?*.%s.{express,standard}", country, j+1, kind), Chute: i*len(kinds) + j})
		}
	}
	o.rules = append(o.rules, &rule{Pattern: "**", Chute: 99})
	if !service.After() {
		return o, nil
	}
	for _, r := range o.rules {
		var err error
		if r.fits, err = glob.Compile(r.Pattern, '.'); err != nil {
			return nil, fmt.Errorf("%s: %w", r.Pattern, err)
		}
	}
	return o, nil
}

// sort finds the chute of a label.
func (o *office) sort(label string) (int, error) {
	for _, r := range o.rules {
		fits := r.fits
		if fits == nil {
			var err error
			if fits, err = glob.Compile(r.Pattern, '.'); err != nil {
				return 0, err
			}
		}
		if fits.Match(label) {
			return r.Chute, nil
		}
	}
	return 0, fmt.Errorf("no chute for %s", label)
}

func (o *office) serve(w http.ResponseWriter, r *http.Request) {
	chute, err := o.sort(r.PathValue("label"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]int{"chute": chute})
}

func main() {
	o, err := open()
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /parcels/{label}/chute", o.serve)
	srv := &http.Server{Handler: mux, Protocols: new(http.Protocols)}
	srv.Protocols.SetHTTP1(true)
	srv.Protocols.SetUnencryptedHTTP2(true)
	ln := service.Listen()
	go func() { log.Println(srv.Serve(ln)) }()
	service.Wait()
}
