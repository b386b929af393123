// A site whose pages carry a fresh nonce for their scripts (Content-Security-Policy). The
// templates get it from a function, which has to be another one for each request.
package main

import (
	"crypto/rand"
	"html/template"
	"io"
	"log"
	"net/http"
	"strings"

	"wild/service"
)

const layout = `{{define "layout"}}<!doctype html><html><head><title>{{.Title}}</title>{{template "head" .}}</head>
<body>{{template "menu" .}}<main>{{template "list" .}}</main>{{template "foot" .}}</body></html>{{end}}
{{define "head"}}<link rel="stylesheet" href="/site.css"><script nonce="{{nonce}}" src="/site.js"></script>{{end}}
{{define "menu"}}<nav>{{range .Menu}}<a href="/{{.}}" title="{{.}}">{{.}}</a> {{end}}</nav>{{end}}
{{define "list"}}<table>{{range .Rows}}{{template "row" .}}{{end}}</table>{{end}}
{{define "row"}}<tr id="row-{{.ID}}"><td>{{.ID}}</td><td><a href="/item?id={{.ID}}">{{.Name}}</a></td></tr>{{end}}
{{define "foot"}}<footer><a href="mailto:{{.Mail}}">{{.Mail}}</a><script nonce="{{nonce}}">track({{.Title}})</script></footer>{{end}}
{{define "orders"}}{{template "head" .}}{{range .Rows}}<p class="order"><a href="/order?id={{.ID}}">{{.Name}}</a></p>{{end}}{{template "foot" .}}{{end}}
{{define "order"}}{{template "head" .}}{{if .Rows}}<ol>{{range .Rows}}<li>{{.Name}}</li>{{end}}</ol>{{else}}<p>empty</p>{{end}}{{template "foot" .}}{{end}}
{{define "returns"}}{{template "head" .}}<form action="/return">{{range .Rows}}<input name="id" value="{{.ID}}">{{end}}</form>{{template "foot" .}}{{end}}
{{define "help"}}{{template "head" .}}<p>Write to <a href="mailto:{{.Mail}}">{{.Mail}}</a></p>{{template "foot" .}}{{end}}
`

type row struct {
	ID   int
	Name string
}

type page struct {
	Title, Mail, Nonce string
	Menu               []string
	Rows               []row
}

func main() {
	parse := func(text string) *template.Template {
		t := template.New("site").Funcs(template.FuncMap{"nonce": func() string { return "" }})
		return template.Must(t.Parse(text))
	}
	site := parse(layout)
	render := func(w io.Writer, p page) error {
		t, err := site.Clone()
		if err != nil {
			return err
		}
		t.Funcs(template.FuncMap{"nonce": func() string { return p.Nonce }})
		return t.ExecuteTemplate(w, "layout", p)
	}
	if service.After() {
		site = parse(strings.ReplaceAll(layout, "{{nonce}}", "{{.Nonce}}")) // as data
		render = func(w io.Writer, p page) error { return site.ExecuteTemplate(w, "layout", p) }
	}
	data := page{Title: "Stock", Mail: "stock@example.org", Menu: []string{"stock", "orders", "returns", "help"}}
	for i, name := range []string{"bolt", "nut", "washer", "screw", "nail"} {
		data.Rows = append(data.Rows, row{i + 1, name})
	}
	http.HandleFunc("GET /stock", func(w http.ResponseWriter, r *http.Request) {
		p := data
		p.Nonce = rand.Text()
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Security-Policy", "script-src 'nonce-"+p.Nonce+"'")
		if err := render(w, p); err != nil {
			log.Println(err)
		}
	})
	service.Run(http.DefaultServeMux)
}
