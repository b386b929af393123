// Price lists of wholesalers: each sends an XML document by night, which is kept as it is, and a shop asks by day what
// an article costs where, and what a maker has.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"regexp"
	"strconv"
	"strings"

	"github.com/antchfx/xmlquery"

	"wild/service"
)

var (
	skus   = regexp.MustCompile(`^[A-Z]{2}-\d{4}$`)
	makers = regexp.MustCompile(`^[a-z]{3,12}$`)
)

// offer is an article of a wholesaler.
type offer struct {
	Wholesaler string `json:"wholesaler"`
	SKU        string `json:"sku"`
	Name       string `json:"name"`
	Cents      int    `json:"cents"`
	Stock      int    `json:"stock"`
}

// lists are the documents by wholesaler.
type lists struct {
	names []string
	docs  map[string]*xmlquery.Node
}

func newLists() (*lists, error) {
	l := &lists{docs: map[string]*xmlquery.Node{}}
	for i, name := range []string{"alpha", "borealis", "corona"} {
		doc, err := xmlquery.Parse(strings.NewReader(list(name, i)))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		l.names = append(l.names, name)
		l.docs[name] = doc
	}
	return l, nil
}

func text(n *xmlquery.Node, name string) string {
	if c := n.SelectElement(name); c != nil {
		return c.InnerText()
	}
	return ""
}

func read(wholesaler string, n *xmlquery.Node) (o offer, err error) {
	o = offer{Wholesaler: wholesaler, SKU: n.SelectAttr("sku"), Name: text(n, "name")}
	if o.Cents, err = strconv.Atoi(text(n, "cents")); err != nil {
		return o, err
	}
	o.Stock, err = strconv.Atoi(text(n, "stock"))
	return o, err
}

// find reads what an expression selects in the lists.
func (l *lists) find(expr string, most int) ([]offer, error) {
	out := []offer{}
	for _, name := range l.names {
		nodes, err := xmlquery.QueryAll(l.docs[name], expr)
		if err != nil {
			return nil, err
		}
		for _, n := range nodes[:min(len(nodes), most)] {
			o, err := read(name, n)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			out = append(out, o)
		}
	}
	return out, nil
}

func answer(w http.ResponseWriter, offers []offer, err error) {
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(offers)
}

func main() {
	l, err := newLists()
	if err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("GET /offers/{sku}", func(w http.ResponseWriter, r *http.Request) {
		sku := r.PathValue("sku")
		if !skus.MatchString(sku) {
			http.Error(w, "no such number", http.StatusBadRequest)
			return
		}
		offers, err := l.find("//article[@sku='"+sku+"']", 1)
		answer(w, offers, err)
	})
	http.HandleFunc("GET /makers/{maker}", func(w http.ResponseWriter, r *http.Request) {
		maker := r.PathValue("maker")
		if !makers.MatchString(maker) {
			http.Error(w, "no such maker", http.StatusBadRequest)
			return
		}
		offers, err := l.find("//article[@maker='"+maker+"']", 10)
		answer(w, offers, err)
	})
	service.Run(http.DefaultServeMux)
}

// list is what a wholesaler sends: groups, in which there are articles.
func list(wholesaler string, salt int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<list wholesaler=%q>", wholesaler)
	names := []string{"bosco", "hilda", "makita", "metabo", "festo", "gedore"}
	for g := range 8 {
		fmt.Fprintf(&b, "\n <group name=\"group %d\">", g)
		for a := range 40 {
			fmt.Fprintf(&b, "\n  <article sku=\"%c%c-%04d\" maker=%q>", 'A'+g, 'A'+a%26, g*100+a, names[(a+g)%len(names)])
			fmt.Fprintf(&b, "<name>Tool %d of %d</name><cents>%d</cents><stock>%d</stock><unit>piece</unit>", a, g, 500+a*97+salt*11, a*salt)
			b.WriteString("</article>")
		}
		b.WriteString("\n </group>")
	}
	b.WriteString("\n</list>")
	return b.String()
}
