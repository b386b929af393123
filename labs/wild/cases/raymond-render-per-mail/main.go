// Mails of a shop: what happens to an order is told to the customer in a mail, of a template in Handlebars for each kind of news
// and language. What is answered is the mail, which another service sends.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"strings"
	"sync"

	"github.com/aymerick/raymond"

	"wild/service"
)

// line is a thing that was ordered.
type line struct {
	Name   string   `json:"name"`
	Count  int      `json:"count"`
	Cents  int      `json:"cents"`
	Colour string   `json:"colour"`
	Notes  []string `json:"notes"`
}

// order is what a mail is about.
type order struct {
	Number  string `json:"number"`
	Name    string `json:"name"`
	Company string `json:"company"`
	Lines   []line `json:"lines"`
	Carrier string `json:"carrier"`
	Days    int    `json:"days"`
}

var words = map[string]map[string]string{
	"en": {"dear": "Dear", "thanks": "Thank you for your order", "shipped": "We have sent your order", "late": "Your order will be late", "lines": "What you ordered", "days": "It arrives within days:", "free": "Gift", "bye": "Kind regards, your shop"},
	"de": {"dear": "Guten Tag", "thanks": "Danke für Ihre Bestellung", "shipped": "Ihre Bestellung ist unterwegs", "late": "Ihre Bestellung verspätet sich", "lines": "Sie haben bestellt", "days": "Sie kommt in Tagen:", "free": "Geschenk", "bye": "Viele Grüße, Ihr Laden"},
	"da": {"dear": "Kære", "thanks": "Tak for din ordre", "shipped": "Din ordre er sendt", "late": "Din ordre er forsinket", "lines": "Du har bestilt", "days": "Den kommer inden dage:", "free": "Gave", "bye": "Venlig hilsen, din butik"},
}

// source is the template of a kind of news in a language.
func source(kind string, w map[string]string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<html><head><title>%s {{number}}</title></head><body>{{> head}}<h1>%s</h1>\n", w[kind], w[kind])
	fmt.Fprintf(&b, "<p>%s {{#if company}}{{company}}, {{/if}}{{name}},</p><p>%s <b>{{number}}</b>.</p>\n", w["dear"], w[kind])
	fmt.Fprintf(&b, "<h2>%s</h2><table>{{#each lines}}<tr class=\"{{#if @first}}first{{/if}}\"><td>{{count}} × {{name}}</td>", w["lines"])
	fmt.Fprintf(&b, "<td>{{#if colour}}<i>{{colour}}</i>{{else}}–{{/if}}</td><td>{{#if cents}}{{money cents}}{{else}}%s{{/if}}</td>", w["free"])
	b.WriteString("<td>{{#each notes}}<small>{{this}}</small>{{#unless @last}}, {{/unless}}{{/each}}</td></tr>{{/each}}</table>\n")
	fmt.Fprintf(&b, "{{#with carrier}}<p>%s {{../days}} ({{this}})</p>{{/with}}", w["days"])
	for i := range 8 {
		fmt.Fprintf(&b, "<!-- offer %d --><div>{{#if company}}<a href=\"/business/%d?of={{number}}\">{{company}}</a>{{else}}<a href=\"/%d?of={{number}}\">{{name}}</a>{{/if}}</div>\n", i, i, i)
	}
	fmt.Fprintf(&b, "<p>%s</p>{{> foot}}</body></html>", w["bye"])
	return b.String()
}

// mailer writes mails.
type mailer struct {
	sources map[string]string
	parsed  sync.Map // of templates, by kind and language
}

func open() *mailer {
	raymond.RegisterHelper("money", func(cents int) string { return fmt.Sprintf("%d,%02d €", cents/100, cents%100) })
	raymond.RegisterPartial("head", `<div class="head"><img src="/logo.png" alt="shop"><span>{{number}}</span></div>`)
	raymond.RegisterPartial("foot", `<div class="foot">{{#if company}}<a href="/business">{{company}}</a>{{/if}}<a href="/orders/{{number}}">{{number}}</a></div>`)
	m := &mailer{sources: map[string]string{}}
	for language, w := range words {
		for _, kind := range []string{"thanks", "shipped", "late"} {
			m.sources[kind+"/"+language] = source(kind, w)
		}
	}
	return m
}

// write is the mail about an order.
func (m *mailer) write(name string, o order) (string, error) {
	if !service.After() {
		return raymond.Render(m.sources[name], o)
	}
	if t, ok := m.parsed.Load(name); ok {
		return t.(*raymond.Template).Exec(o)
	}
	t, err := raymond.Parse(m.sources[name])
	if err != nil {
		return "", err
	}
	m.parsed.Store(name, t)
	return t.Exec(o)
}

func (m *mailer) serve(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("kind") + "/" + r.PathValue("language")
	if m.sources[name] == "" {
		http.Error(w, "there is no such mail", http.StatusNotFound)
		return
	}
	var o order
	if err := json.NewDecoder(io.LimitReader(r.Body, 64<<10)).Decode(&o); err != nil || o.Number == "" {
		http.Error(w, "an order has a number", http.StatusBadRequest)
		return
	}
	text, err := m.write(name, o)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	io.WriteString(w, text)
}

func main() {
	m := open()
	mux := http.NewServeMux()
	mux.HandleFunc("POST /mails/{kind}/{language}", m.serve)
	srv := &http.Server{Handler: mux, Protocols: new(http.Protocols)}
	srv.Protocols.SetHTTP1(true)
	srv.Protocols.SetUnencryptedHTTP2(true)
	ln := service.Listen()
	go func() { log.Println(srv.Serve(ln)) }()
	service.Wait()
	srv.Close()
}
