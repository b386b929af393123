// Maps of a statistics office: a map of districts gets a colour for each, warm ones, and comes as SVG with a legend.
package main

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/lucasb-eyer/go-colorful"

	"wild/service"
)

// district is drawn as a block.
type district struct {
	name   string
	people int
	x, y   int
}

// office has districts, by region.
type office struct{ regions map[string][]district }

func open() *office {
	o := &office{map[string][]district{}}
	for r := range 10 {
		name := "region-" + strconv.Itoa(r)
		for d := range 12 + r%3 {
			o.regions[name] = append(o.regions[name], district{fmt.Sprintf("District %d", d), 4000 + d*977 + r*311, d % 4 * 60, d / 4 * 40})
		}
	}
	return o
}

// colours are as many as there are districts.
func colours(n int) ([]colorful.Color, error) {
	if service.After() {
		return colorful.FastWarmPalette(n), nil
	}
	return colorful.WarmPalette(n)
}

func (o *office) serve(w http.ResponseWriter, r *http.Request) {
	all := o.regions[r.PathValue("region")]
	if all == nil {
		http.NotFound(w, r)
		return
	}
	paint, err := colours(len(all))
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	var out strings.Builder
	out.WriteString(`<svg xmlns="http://www.w3.org/2000/svg" width="400" height="240">`)
	people := 0
	for i, d := range all {
		fmt.Fprintf(&out, `<rect x="%d" y="%d" width="58" height="38" fill="%s"/>`, d.x, d.y, paint[i].Hex())
		ink := "#000"
		if l, _, _ := paint[i].Lab(); l < 0.5 {
			ink = "#fff"
		}
		fmt.Fprintf(&out, `<text x="%d" y="%d" fill="%s">%d</text>`, d.x+4, d.y+20, ink, d.people)
		fmt.Fprintf(&out, `<text x="260" y="%d">%s</text>`, 12+i*14, d.name)
		people += d.people
	}
	fmt.Fprintf(&out, `<text x="4" y="230">%d people</text></svg>`, people)
	w.Header().Set("Content-Type", "image/svg+xml")
	fmt.Fprint(w, out.String())
}

func main() {
	o := open()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /maps/{region}", o.serve)
	mux.HandleFunc("GET /regions", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, len(o.regions)) })
	service.Run(mux)
}
