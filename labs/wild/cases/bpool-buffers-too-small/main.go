// The fair's catalogue: the page of a hall is put together of what each stand had printed, in memory, so that a reader never gets half of
// one; the printers ask again and again whether the copy that they have is still right.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"log"
	"net/http"
	"strconv"
	"strings"

	"github.com/oxtoacart/bpool"

	"wild/service"
)

// stand is one of a hall's, as it was printed.
type stand struct{ head, body string }

// fair has halls, and buffers that pages are put together in.
type fair struct {
	halls [][]stand
	pages *bpool.SizedBufferPool
}

const halls, stands = 24, 300

func open() *fair {
	size := 4 << 10
	if service.After() {
		size = 512 << 10
	}
	f := &fair{pages: bpool.NewSizedBufferPool(64, size)}
	goods := []string{"saddles", "boots", "looms", "kilns", "barrels", "bells", "ropes", "sails", "lamps"}
	for h := range halls {
		hall := make([]stand, stands)
		for s := range hall {
			what := goods[(h+s)%len(goods)]
			hall[s] = stand{
				fmt.Sprintf("<section id=\"s%d\"><h2>Stand %d: %s</h2>", s, s, what),
				"<p>" + strings.Repeat("Best "+what+" of the valley, made by hand. ", 14+(h*s)%9) + "</p></section>\n",
			}
		}
		f.halls = append(f.halls, hall)
	}
	return f
}

var errEmpty = errors.New("nothing of this hall was printed yet")

// page puts the page of a hall together; kind is what must be in the head of a stand.
func (f *fair) page(b *bytes.Buffer, hall int, kind string) error {
	fmt.Fprintf(b, "<!doctype html><title>Hall %d</title>\n", hall)
	n := 0
	for _, s := range f.halls[hall] {
		if kind != "" && !strings.Contains(s.head, kind) {
			continue
		}
		b.WriteString(s.head)
		b.WriteString(s.body)
		n++
	}
	if n == 0 {
		return errEmpty
	}
	fmt.Fprintf(b, "<footer>%d stands</footer>\n", n)
	return nil
}

// with puts the page that is asked for together, and passes it on if there is one.
func (f *fair) with(use func(w http.ResponseWriter, hall int, b *bytes.Buffer)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		hall, err := strconv.Atoi(r.PathValue("hall"))
		if err != nil || hall < 0 || hall >= halls {
			http.Error(w, "there is no such hall", http.StatusNotFound)
			return
		}
		b := f.pages.Get()
		defer f.pages.Put(b)
		if err := f.page(b, hall, r.URL.Query().Get("kind")); err != nil {
			http.Error(w, err.Error(), http.StatusNotFound)
			return
		}
		use(w, hall, b)
	}
}

// whole sends a page.
func whole(w http.ResponseWriter, _ int, b *bytes.Buffer) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Length", strconv.Itoa(b.Len()))
	if _, err := b.WriteTo(w); err != nil {
		log.Println(err)
	}
}

// proof tells a printer what its copy of a page must be.
func proof(w http.ResponseWriter, hall int, b *bytes.Buffer) {
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"hall":%d,"bytes":%d,"crc":"%08x"}`, hall, b.Len(), crc32.ChecksumIEEE(b.Bytes()))
}

func main() {
	f := open()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /halls/{hall}", f.with(whole))
	mux.HandleFunc("GET /halls/{hall}/proof", f.with(proof))
	mux.HandleFunc("GET /halls", func(w http.ResponseWriter, _ *http.Request) {
		for h := range f.halls {
			fmt.Fprintf(w, "/halls/%d\n", h)
		}
	})
	service.Run(mux)
}
