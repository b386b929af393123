// A catalogue of records, as suppliers send it, XML of some hundred kilobytes: the shop's pages ask for the first few records of a genre
// that cost no more than so much.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"strconv"
	"strings"

	"github.com/antchfx/xmlquery"

	"wild/service"
)

const most = 5 // records that a page shows

// record is one in the catalogue.
type record struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	Price string `json:"price"`
}

// shop has the catalogue as it came.
type shop struct{ catalogue string }

func open() *shop {
	genres := []string{"jazz", "folk", "soul", "punk", "dub", "house"}
	var b strings.Builder
	b.WriteString("<?xml version=\"1.0\"?>\n<catalogue>\n<supplier>North Sea Records</supplier>\n")
	for i := range 1200 {
		fmt.Fprintf(&b, `<record id="r%d"><genre>%s</genre><title>Side %d of %d</title><artist><name>Band %d</name><country>SE</country></artist><price>%d</price></record>`+"\n",
			i, genres[i%len(genres)], i%4, i%97, i*31%211, 5+i*7%40)
	}
	b.WriteString("</catalogue>\n")
	return &shop{b.String()}
}

// cheap are the first records of a genre that cost no more than that.
func (s *shop) cheap(genre string, price int) ([]record, error) {
	var out []record
	add := func(n *xmlquery.Node) {
		out = append(out, record{n.SelectAttr("id"), n.SelectElement("title").InnerText(), n.SelectElement("price").InnerText()})
	}
	filter := fmt.Sprintf("/catalogue/record[genre='%s' and price<=%d]", genre, price)
	if service.After() {
		p, err := xmlquery.CreateStreamParser(strings.NewReader(s.catalogue), "/catalogue/record", filter)
		if err != nil {
			return nil, err
		}
		for len(out) < most {
			n, err := p.Read()
			if errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				return nil, err
			}
			add(n)
		}
		return out, nil
	}
	doc, err := xmlquery.Parse(strings.NewReader(s.catalogue))
	if err != nil {
		return nil, err
	}
	found, err := xmlquery.QueryAll(doc, filter)
	if err != nil {
		return nil, err
	}
	for _, n := range found[:min(most, len(found))] {
		add(n)
	}
	return out, nil
}

func (s *shop) serve(w http.ResponseWriter, r *http.Request) {
	genre := r.PathValue("genre")
	price, err := strconv.Atoi(r.URL.Query().Get("upto"))
	if err != nil || strings.ContainsAny(genre, "'[]") {
		http.Error(w, "up to how much?", http.StatusBadRequest)
		return
	}
	out, err := s.cheap(genre, price)
	if err != nil {
		log.Println(err)
		http.Error(w, "the catalogue cannot be read", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(out)
}

func main() {
	s := open()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /genres/{genre}/records", s.serve)
	service.Run(mux)
}
