// A shop's pages with unrolled/render: a layout and some thirty templates in a folder. The
// service was set up while it was being written, and the option of that time has stayed on.
package main

import (
	"fmt"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"sync/atomic"

	"github.com/unrolled/render"

	"wild/service"
)

const layout = `<!doctype html><html><head><title>{{ .Title }}</title></head>
<body><nav><a href="/">Home</a> <a href="/basket">Basket</a></nav>{{ yield }}<footer>The shop</footer></body></html>`

const page = `<h1>{{ .Title }}</h1>
<ul>{{ range .Items }}<li><a href="/item/{{ .ID }}">{{ .Name }}</a>{{ if .Left }} ({{ .Left }} left){{ else }} sold out{{ end }}</li>
{{ end }}</ul>`

type item struct {
	ID, Left int
	Name     string
}

type shelf struct {
	Title string
	Items []item
}

func main() {
	dir, err := os.MkdirTemp("", "templates-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	write(dir, "layout", layout)
	for i := range 30 {
		write(dir, fmt.Sprintf("page%d", i), page)
	}
	views := render.New(render.Options{Directory: dir, Layout: "layout", IsDevelopment: !service.After()})

	shelves := make([]shelf, 8)
	for i := range shelves {
		shelves[i].Title = fmt.Sprintf("Shelf %d", i)
		for j := range 10 {
			shelves[i].Items = append(shelves[i].Items, item{ID: j, Left: (i + j) % 4, Name: fmt.Sprintf("Thing %d", j)})
		}
	}
	var seq atomic.Int64
	http.HandleFunc("/shelf", func(w http.ResponseWriter, r *http.Request) {
		n := seq.Add(1)
		views.HTML(w, http.StatusOK, "page7", shelves[n%int64(len(shelves))])
	})
	service.Run(http.DefaultServeMux)
}

func write(dir, name, text string) {
	if err := os.WriteFile(filepath.Join(dir, name+".tmpl"), []byte(text), 0o600); err != nil {
		log.Fatal(err)
	}
}
