package main

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"sync/atomic"
	"text/template"
)

// shop makes a page as services do that grew: it reads its settings, looks products
// up, fills in a template and signs what came out. Each step takes about as long as
// the others, and each has a fix of its own.
type shop struct {
	setup
	stored   []byte // settings as they are kept: JSON
	settings settings
	products []product
	byCode   map[string]product
	layout   *template.Template
	key      []byte
	requests atomic.Int64
}

type settings struct {
	Currency string            `json:"currency"`
	Rates    []rates           `json:"rates"`
	Texts    map[string]string `json:"texts"`
}

type rates struct {
	Country string  `json:"country"`
	Tax     float64 `json:"tax"`
	Post    float64 `json:"post"`
}

type product struct {
	Code  string
	Name  string
	Price float64
}

// The fixes of a shop.
const (
	fixParse    = "parse"    // the settings are decoded once
	fixIndex    = "index"    // products are found by a map
	fixTemplate = "template" // the template is parsed once
	fixSign     = "sign"     // one signature for the page, none for each line
)

func shopFixes() []string { return []string{fixParse, fixIndex, fixTemplate, fixSign} }

const (
	shelf = 4000 // products
	lines = 20   // of products on a page
)

func newShop(_ context.Context, s setup) (http.Handler, error) {
	sh := &shop{setup: s, byCode: map[string]product{}, key: noise(32)}
	for i := range shelf {
		p := product{Code: fmt.Sprintf("product-%06d", i*7919), Name: "No. " + strconv.Itoa(i), Price: float64(i%97) + 0.5}
		sh.products = append(sh.products, p)
		sh.byCode[p.Code] = p
	}
	made := settings{Currency: "EUR", Texts: map[string]string{}}
	for i := range 100 {
		name := fmt.Sprintf("%03d", i)
		made.Rates = append(made.Rates, rates{Country: "country " + name, Tax: float64(i) / 400, Post: float64(i%9) + 0.9})
		made.Texts["text "+name] = "what to say in place " + name
	}
	var err error
	if sh.stored, err = json.Marshal(made); err != nil {
		return nil, fmt.Errorf("encode the settings: %w", err)
	}
	if sh.settings, err = sh.parse(); err != nil {
		return nil, err
	}
	sh.layout, err = layout()
	return sh, err
}

func (s *shop) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	body, err := s.page(int(s.requests.Add(1)))
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html")
	_, _ = w.Write(body)
}

// page makes the n-th page.
func (s *shop) page(n int) (body []byte, err error) {
	made, form := s.settings, s.layout
	if !s.has(fixParse) {
		if made, err = s.parse(); err != nil {
			return nil, err
		}
	}
	rate := made.Rates[n%len(made.Rates)]
	wanted := make([]product, 0, lines)
	for i := range lines {
		p := s.find(s.products[(n*lines+i*shelf/lines)%shelf].Code)
		p.Price *= 1 + rate.Tax
		wanted = append(wanted, p)
	}
	if !s.has(fixTemplate) {
		if form, err = layout(); err != nil {
			return nil, err
		}
	}
	if body, err = fill(form, made, rate, wanted); err != nil {
		return nil, err
	}
	return append(body, s.sign(body)...), nil
}

// parse decodes the settings.
func (s *shop) parse() (out settings, err error) {
	if err := json.Unmarshal(s.stored, &out); err != nil {
		return out, fmt.Errorf("decode the settings: %w", err)
	}
	return out, nil
}

// find looks a product up.
func (s *shop) find(code string) product {
	if s.has(fixIndex) {
		return s.byCode[code]
	}
	return search(s.products, code)
}

func search(all []product, code string) product {
	for i := range all {
		if all[i].Code == code {
			return all[i]
		}
	}
	return product{}
}

// layout parses the template.
func layout() (*template.Template, error) {
	form, err := template.New("page").Parse(pageLayout)
	if err != nil {
		return nil, fmt.Errorf("parse the layout: %w", err)
	}
	return form, nil
}

// pageLayout has a head, a navigation, the products and a foot.
const pageLayout = `<!doctype html>
<title>{{index .Settings.Texts "text 001" | html}}</title>
<meta name="country" content="{{.Rate.Country | html}}">
<nav>
<a href="/">{{index .Settings.Texts "text 010" | html}}</a>
<a href="/new">{{index .Settings.Texts "text 011" | html}}</a>
<a href="/offers">{{index .Settings.Texts "text 012" | html}}</a>
<a href="/basket">{{index .Settings.Texts "text 013" | html}}</a>
<a href="/orders">{{index .Settings.Texts "text 014" | html}}</a>
<a href="/account">{{index .Settings.Texts "text 015" | html}}</a>
<a href="/help">{{index .Settings.Texts "text 016" | html}}</a>
</nav>
{{if gt .Rate.Tax 0.1}}<p>{{index .Settings.Texts "text 020" | html}} {{printf "%.1f" .Rate.Tax}}{{else}}<p>{{index .Settings.Texts "text 021" | html}}{{end}}
<p>{{index .Settings.Texts "text 002" | html}} {{.Rate.Country | html}}: {{printf "%.2f" .Rate.Post}} {{.Settings.Currency | html}}
<ul>{{range .Products}}
<li id="{{.Code | html}}"><a href="/product/{{.Code | urlquery}}">{{.Name | html}}</a>{{if lt .Price 50.0}} <b>{{printf "%.2f" .Price}}</b>{{else}} {{printf "%.2f" .Price}}{{end}}{{end}}
</ul>
<footer>
<p>{{index .Settings.Texts "text 030" | html}} <a href="/terms">{{index .Settings.Texts "text 031" | html}}</a>
<p>{{index .Settings.Texts "text 032" | html}} <a href="/privacy">{{index .Settings.Texts "text 033" | html}}</a>
<p>{{index .Settings.Texts "text 034" | html}} <a href="/imprint">{{index .Settings.Texts "text 035" | html}}</a>
<p>{{index .Settings.Texts "text 036" | html}} {{with .Rate}}{{.Country | html}}{{end}}
</footer>
`

func fill(form *template.Template, made settings, rate rates, wanted []product) ([]byte, error) {
	var b bytes.Buffer
	err := form.Execute(&b, struct {
		Settings settings
		Rate     rates
		Products []product
	}{made, rate, wanted})
	if err != nil {
		return nil, fmt.Errorf("fill in the template: %w", err)
	}
	return b.Bytes(), nil
}

// sign returns a signature of the page and, unless that is fixed, one of all that is
// above each line, which says no more.
func (s *shop) sign(body []byte) []byte {
	var out []byte
	if !s.has(fixSign) {
		out = s.signLines(body)
	}
	return fmt.Appendf(out, "<!-- %x -->\n", s.signature(body))
}

func (s *shop) signLines(body []byte) (out []byte) {
	for i, c := range body {
		if c == '\n' {
			out = fmt.Appendf(out, "<!-- %x -->\n", s.signature(body[:i]))
		}
	}
	return out
}

func (s *shop) signature(text []byte) []byte {
	h := hmac.New(sha256.New, s.key)
	_, _ = h.Write(text) // a hash takes anything
	return h.Sum(nil)
}
