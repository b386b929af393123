// Receipts of a ferry line, over h2c: an order is answered with the mail that its passenger gets, which is sent elsewhere, from a theme
// that has its styles in its elements.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"strings"

	"github.com/matcornic/hermes/v2"

	"wild/service"
)

// line is one of an order.
type line struct {
	What  string `json:"what"`
	Cents int    `json:"cents"`
}

// order is what a passenger bought.
type order struct {
	Number    int    `json:"number"`
	Passenger string `json:"passenger"`
	Lines     []line `json:"lines"`
}

// styled is a theme of hermes with the styles of its classes written into its elements.
type styled struct{ page string }

func (styled) Name() string                { return "ferry" }
func (s styled) HTMLTemplate() string      { return s.page }
func (s styled) PlainTextTemplate() string { return `{{ range .Email.Body.Intros }}{{ . }}{{ end }}` }

// office writes mails.
type office struct{ mails hermes.Hermes }

const layout = `<!DOCTYPE html><html><head><meta http-equiv="Content-Type" content="text/html; charset=UTF-8"/>
<style type="text/css">
body{width:100%;height:100%;margin:0;font-family:Arial,sans-serif;background:#f2f4f6;color:#74787e}
a{color:#3869d4}
h1{margin-top:0;color:#2f3133;font-size:19px;font-weight:bold}
p{margin-top:0;color:#74787e;font-size:16px;line-height:1.5em}
.wrap{width:100%;padding:0;background:#f2f4f6}
.body{width:570px;margin:0 auto;padding:35px}
.lines td{padding:10px 5px;color:#74787e;font-size:15px;line-height:18px}
.lines th{padding:0 5px 8px;color:#9ba2ab;font-size:12px;text-align:left}
.foot p{color:#aeaeae;font-size:12px;text-align:center}
</style></head>
<body{{ STYLE "body" }}><div class="wrap"{{ STYLE "wrap" }}><div class="body"{{ STYLE "body2" }}>
<h1{{ STYLE "h1" }}>{{ .Email.Body.Greeting }} {{ .Email.Body.Name }},</h1>
{{ range .Email.Body.Intros }}<p{{ STYLE "p" }}>{{ . }}</p>{{ end }}
{{ with .Email.Body.Table }}<table class="lines">{{ range $i, $row := .Data }}
{{ if eq $i 0 }}<tr>{{ range $row }}<th{{ STYLE "th" }}>{{ .Key }}</th>{{ end }}</tr>{{ end }}
<tr>{{ range $row }}<td{{ STYLE "td" }}>{{ .Value }}</td>{{ end }}</tr>{{ end }}</table>{{ end }}
{{ range .Email.Body.Outros }}<p{{ STYLE "p" }}>{{ . }}</p>{{ end }}
<div class="foot"><p{{ STYLE "foot" }}>{{ .Hermes.Product.Copyright }}</p></div></div></div></body></html>`

// theme writes styles into the elements of the layout, where they are not to be worked out later.
func theme(inline bool) styled {
	styles := map[string]string{
		"body": "width:100%;height:100%;margin:0;font-family:Arial,sans-serif;background:#f2f4f6;color:#74787e",
		"wrap": "width:100%;padding:0;background:#f2f4f6", "body2": "width:570px;margin:0 auto;padding:35px",
		"h1": "margin-top:0;color:#2f3133;font-size:19px;font-weight:bold", "p": "margin-top:0;color:#74787e;font-size:16px;line-height:1.5em",
		"th": "padding:0 5px 8px;color:#9ba2ab;font-size:12px;text-align:left", "td": "padding:10px 5px;color:#74787e;font-size:15px;line-height:18px",
		"foot": "margin-top:0;color:#aeaeae;font-size:12px;line-height:1.5em;text-align:center",
	}
	page := layout
	for name, style := range styles {
		attr := ""
		if inline {
			attr = ` style="` + style + `"`
		}
		page = strings.ReplaceAll(page, `{{ STYLE "`+name+`" }}`, attr)
	}
	return styled{page}
}

func open() *office {
	return &office{hermes.Hermes{
		Theme:              theme(service.After()),
		DisableCSSInlining: service.After(),
		Product:            hermes.Product{Name: "Ferries of the bay", Link: "https://ferries.example", Copyright: "Ferries of the bay, pier 4"},
	}}
}

// mail is what a passenger gets.
func (o *office) mail(of order) (string, error) {
	var rows [][]hermes.Entry
	sum := 0
	for _, l := range of.Lines {
		rows = append(rows, []hermes.Entry{{Key: "What", Value: l.What}, {Key: "Price", Value: fmt.Sprintf("%d.%02d", l.Cents/100, l.Cents%100)}})
		sum += l.Cents
	}
	mails := o.mails
	return mails.GenerateHTML(hermes.Email{Body: hermes.Body{
		Greeting: "Dear", Name: of.Passenger,
		Intros: []string{fmt.Sprintf("Thank you for order %d.", of.Number)},
		Table:  hermes.Table{Data: rows},
		Outros: []string{fmt.Sprintf("You paid %d.%02d in all.", sum/100, sum%100), "Be at the pier a quarter of an hour early."},
	}})
}

func (o *office) serve(w http.ResponseWriter, r *http.Request) {
	var of order
	if err := json.NewDecoder(io.LimitReader(r.Body, 64<<10)).Decode(&of); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	html, err := o.mail(of)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	io.WriteString(w, html)
}

func main() {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /orders/mail", open().serve)
	srv := &http.Server{Handler: mux, Protocols: new(http.Protocols)}
	srv.Protocols.SetHTTP1(true)
	srv.Protocols.SetUnencryptedHTTP2(true)
	ln := service.Listen()
	go func() { log.Println(srv.Serve(ln)) }()
	service.Wait()
	_ = srv.Close()
}
