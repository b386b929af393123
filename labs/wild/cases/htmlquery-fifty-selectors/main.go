// Prices of many shops side by side: the shops' own product cards come in as HTML, and what is where on a card differs from shop
// to shop, which their profiles say in XPath. A comparison reads the cards of one article.
package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/antchfx/htmlquery"
	"golang.org/x/net/html"

	"wild/service"
)

const shops, articles = 30, 120

// profile says where things are on a shop's cards.
type profile struct {
	shop  string
	paths map[string]string
}

// card is a shop's card of an article.
type card struct {
	shop int
	page *html.Node
}

// offer is what a card says.
type offer struct {
	Shop     string  `json:"shop"`
	Title    string  `json:"title"`
	Price    float64 `json:"price"`
	Shipping float64 `json:"shipping"`
	Days     int     `json:"days"`
	Stock    string  `json:"stock"`
}

// market has profiles and cards.
type market struct {
	profiles []profile
	cards    [][]card
}

var errArticle = errors.New("no such article")

func open() (*market, error) {
	m := &market{}
	for s := range shops {
		p := profile{fmt.Sprintf("shop-%d", s), map[string]string{}}
		for _, what := range []string{"title", "price", "shipping", "days", "stock"} {
			p.paths[what] = fmt.Sprintf("/html/body/div[@class='s%[1]d-card' or @class='s%[1]d-card new' or @class='s%[1]d-card sale']"+
				"/span[@class='s%[1]d-%[2]s' or @data-role='%[2]s' or @itemprop='%[2]s']", s, what)
		}
		m.profiles = append(m.profiles, p)
	}
	for a := range articles {
		var all []card
		for k := range 12 {
			s := (a*7 + k*11) % shops
			text := fmt.Sprintf(`<html><body><div class="s%[1]d-card"><span class="s%[1]d-title">Article %[2]d</span>`+
				`<span class="s%[1]d-price">%[3]d.90</span><span class="s%[1]d-shipping">%[4]d.50</span>`+
				`<span class="s%[1]d-days">%[5]d</span><span class="s%[1]d-stock">in stock</span></div></body></html>`,
				s, a, 20+(a*3+s)%70, s%6, 1+s%5)
			page, err := htmlquery.Parse(strings.NewReader(text))
			if err != nil {
				return nil, err
			}
			all = append(all, card{s, page})
		}
		m.cards = append(m.cards, all)
	}
	return m, nil
}

// text is what is at a path of a card.
func text(page *html.Node, path string) (string, error) {
	node, err := htmlquery.Query(page, path)
	if err != nil {
		return "", err
	}
	if node == nil {
		return "", fmt.Errorf("nothing at %s", path)
	}
	return htmlquery.InnerText(node), nil
}

// read takes an offer from a card.
func (m *market) read(c card) (o offer, err error) {
	p := m.profiles[c.shop]
	o.Shop = p.shop
	if o.Title, err = text(c.page, p.paths["title"]); err != nil {
		return o, err
	}
	if o.Stock, err = text(c.page, p.paths["stock"]); err != nil {
		return o, err
	}
	for what, to := range map[string]*float64{"price": &o.Price, "shipping": &o.Shipping} {
		number, err := text(c.page, p.paths[what])
		if err != nil {
			return o, err
		}
		if *to, err = strconv.ParseFloat(number, 64); err != nil {
			return o, err
		}
	}
	days, err := text(c.page, p.paths["days"])
	if err != nil {
		return o, err
	}
	o.Days, err = strconv.Atoi(days)
	return o, err
}

// compare are the offers of an article, the cheapest first.
func (m *market) compare(article string) ([]offer, error) {
	a, err := strconv.Atoi(article)
	if err != nil || a < 0 || a >= len(m.cards) {
		return nil, errArticle
	}
	out := make([]offer, 0, len(m.cards[a]))
	for _, c := range m.cards[a] {
		o, err := m.read(c)
		if err != nil {
			return nil, err
		}
		out = append(out, o)
	}
	slices.SortFunc(out, func(a, b offer) int { return cmp.Compare(a.Price+a.Shipping, b.Price+b.Shipping) })
	return out, nil
}

func (m *market) serve(w http.ResponseWriter, r *http.Request) {
	out, err := m.compare(r.PathValue("article"))
	switch {
	case errors.Is(err, errArticle):
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	case err != nil:
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(out)
}

func main() {
	if service.After() {
		htmlquery.SelectorCacheMaxEntries = 5 * shops
	}
	m, err := open()
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /articles/{article}/offers", m.serve)
	service.Run(mux)
}
