// Letters of an insurance, kept as PDF: their text, and which of them mention a word. They were written with the fonts of
// the house, names and amounts in bold.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/jung-kurt/gofpdf"
	"github.com/ledongthuc/pdf"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"

	"wild/service"
)

// cabinet is where letters are.
type cabinet struct {
	dir string
}

const letters = 24

func (c *cabinet) path(n int) string { return filepath.Join(c.dir, fmt.Sprintf("letter-%03d.pdf", n)) }

// text is what a letter says, a page after another.
func (c *cabinet) text(n int) ([]string, error) {
	f, doc, err := pdf.Open(c.path(n))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var pages []string
	fonts := map[string]*pdf.Font{}
	for i := 1; i <= doc.NumPage(); i++ {
		page := doc.Page(i)
		for _, name := range page.Fonts() {
			if _, ok := fonts[name]; !ok {
				font := page.Font(name)
				fonts[name] = &font
			}
		}
		text, err := page.GetPlainText(fonts)
		if err != nil {
			return nil, fmt.Errorf("letter %d, page %d: %w", n, i, err)
		}
		pages = append(pages, strings.Join(strings.Fields(text), " "))
	}
	return pages, nil
}

func (c *cabinet) read(w http.ResponseWriter, r *http.Request) {
	n, err := strconv.Atoi(r.PathValue("letter"))
	if err != nil || n < 0 || n >= letters {
		http.NotFound(w, r)
		return
	}
	pages, err := c.text(n)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	out := map[string]any{"letter": n, "pages": pages}
	if word := r.FormValue("find"); word != "" {
		hits := 0
		for _, p := range pages {
			hits += strings.Count(strings.ToLower(p), strings.ToLower(word))
		}
		out = map[string]any{"letter": n, "pages": len(pages), "hits": hits}
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(out)
}

func main() {
	dir, err := os.MkdirTemp("", "letters")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	c := &cabinet{dir}
	for n := range letters {
		if err := c.write(n); err != nil {
			log.Fatal(err)
		}
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /letters/{letter}", c.read)
	service.Run(mux)
}

// write makes a letter.
func (c *cabinet) write(n int) error {
	doc := gofpdf.New("P", "mm", "A4", "")
	doc.AddUTF8FontFromBytes("house", "", bytes.Clone(goregular.TTF))
	doc.AddUTF8FontFromBytes("house", "B", bytes.Clone(gobold.TTF))
	say := func(style, text string) {
		doc.SetFont("house", style, 11)
		doc.Write(6, text)
	}
	for page := range 2 + n%2 {
		doc.AddPage()
		for line := range 24 {
			say("", "The claim of ")
			say("B", []string{"Ms Ärlig", "Mr Bøe", "Ms Çelik", "Mr Dvořák"}[(n+line)%4])
			say("", fmt.Sprintf(", number %d, was settled on day %d; we paid ", n*1000+page*100+line, line*7%30+1))
			say("B", fmt.Sprintf("%d.%02d €", (n*37+line*211)%4000, line))
			say("", ".\n")
		}
	}
	return doc.OutputFileAndClose(c.path(n))
}
