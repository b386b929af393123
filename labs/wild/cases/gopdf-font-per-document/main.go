// Delivery notes of a warehouse: what is packed is posted, and the note comes back as PDF for the printer at the
// packing table. A note that was made before is given out again by its number.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"strconv"
	"sync"

	"github.com/go-fonts/dejavu/dejavusans"
	"github.com/go-fonts/dejavu/dejavusansbold"
	"github.com/signintech/gopdf"

	"wild/service"
)

type line struct {
	SKU   string `json:"sku"`
	Name  string `json:"name"`
	Count int    `json:"count"`
}

// parcel is what was packed.
type parcel struct {
	Order string   `json:"order"`
	To    []string `json:"to"`
	Lines []line   `json:"lines"`
}

func (p parcel) check() error {
	if p.Order == "" || len(p.To) == 0 || len(p.Lines) == 0 {
		return fmt.Errorf("a parcel has an order, an address and lines")
	}
	for _, l := range p.Lines {
		if l.Count < 1 {
			return fmt.Errorf("%s: count is 1 or more", l.SKU)
		}
	}
	return nil
}

// printer makes notes, and keeps the last ones.
type printer struct {
	fonts *gopdf.FontContainer // nil: each note reads them

	mu   sync.Mutex
	last [128][]byte
	n    int
}

func newPrinter() (*printer, error) {
	p := &printer{}
	if !service.After() {
		return p, nil
	}
	p.fonts = &gopdf.FontContainer{}
	if err := p.fonts.AddTTFFontData("regular", dejavusans.TTF); err != nil {
		return nil, err
	}
	return p, p.fonts.AddTTFFontData("bold", dejavusansbold.TTF)
}

// open starts a page with the fonts.
func (p *printer) open() (*gopdf.GoPdf, error) {
	pdf := &gopdf.GoPdf{}
	pdf.Start(gopdf.Config{PageSize: *gopdf.PageSizeA5})
	for name, ttf := range map[string][]byte{"regular": dejavusans.TTF, "bold": dejavusansbold.TTF} {
		var err error
		if p.fonts != nil {
			err = pdf.AddTTFFontFromFontContainer(name, p.fonts)
		} else {
			err = pdf.AddTTFFontData(name, ttf)
		}
		if err != nil {
			return nil, fmt.Errorf("font %s: %w", name, err)
		}
	}
	pdf.AddPage()
	return pdf, nil
}

// note draws the page of a parcel.
func (p *printer) note(in parcel) ([]byte, error) {
	pdf, err := p.open()
	if err != nil {
		return nil, err
	}
	y := 30.0
	write := func(font string, size int, texts ...string) {
		for i, text := range texts {
			if err == nil {
				err = pdf.SetFont(font, "", size)
			}
			pdf.SetXY(30+float64(i)*90, y)
			if err == nil {
				err = pdf.Cell(nil, text)
			}
		}
		y += float64(size) + 6
	}
	write("bold", 18, "Delivery note "+in.Order)
	for _, l := range in.To {
		write("regular", 10, l)
	}
	write("bold", 10, "Count", "Article", "Name")
	for _, l := range in.Lines {
		write("regular", 9, strconv.Itoa(l.Count), l.SKU, l.Name)
	}
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if _, err := pdf.WriteTo(&out); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

func (p *printer) keep(pdf []byte) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.n++
	p.last[p.n%len(p.last)] = pdf
	return p.n
}

func (p *printer) again(w http.ResponseWriter, r *http.Request) {
	n, err := strconv.Atoi(r.PathValue("n"))
	if err != nil || n < 0 {
		http.Error(w, "notes have numbers", http.StatusBadRequest)
		return
	}
	p.mu.Lock()
	pdf := p.last[n%len(p.last)]
	p.mu.Unlock()
	w.Header().Set("Content-Type", "application/pdf")
	w.Write(pdf)
}

func (p *printer) print(w http.ResponseWriter, r *http.Request) {
	var in parcel
	err := json.NewDecoder(io.LimitReader(r.Body, 1<<16)).Decode(&in)
	if err == nil {
		err = in.check()
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	pdf, err := p.note(in)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/pdf")
	w.Header().Set("X-Note", strconv.Itoa(p.keep(pdf)))
	w.Write(pdf)
}

func main() {
	p, err := newPrinter()
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /notes", p.print)
	mux.HandleFunc("GET /notes/{n}", p.again)
	srv := &http.Server{Handler: mux, Protocols: new(http.Protocols)}
	srv.Protocols.SetHTTP1(true)
	srv.Protocols.SetUnencryptedHTTP2(true)
	ln := service.Listen()
	go func() { log.Println(srv.Serve(ln)) }()
	service.Wait()
}
