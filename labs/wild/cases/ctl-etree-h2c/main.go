// Takes invoices as XML over h2c, checks that their sums are right, and answers with a booking. The
// paths are compiled at the start, and what is left is to parse the XML and to write the answer.
package main

import (
	"errors"
	"fmt"
	"log"
	"math"
	"net/http"
	"strconv"
	"sync/atomic"

	"github.com/beevik/etree"

	"wild/service"
)

const largest = 256 << 10

var (
	linePath   = etree.MustCompilePath("./Invoice/Line")
	totalPath  = etree.MustCompilePath("./Invoice/Total")
	sellerPath = etree.MustCompilePath("./Invoice/Seller/Name")
)

// booking is what the ledger gets of an invoice.
type booking struct {
	number, seller string
	net, vat       float64
	accounts       map[string]float64
}

func number(e *etree.Element, name string) (float64, error) {
	c := e.SelectElement(name)
	if c == nil {
		return 0, fmt.Errorf("no %s in %s", name, e.GetPath())
	}
	v, err := strconv.ParseFloat(c.Text(), 64)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", c.GetPath(), err)
	}
	return v, nil
}

// read makes a booking of an invoice.
func read(doc *etree.Document) (*booking, error) {
	root := doc.SelectElement("Invoice")
	if root == nil {
		return nil, errors.New("not an invoice")
	}
	b := &booking{number: root.SelectAttrValue("number", ""), accounts: map[string]float64{}}
	if s := doc.FindElementPath(sellerPath); s != nil {
		b.seller = s.Text()
	}
	for _, line := range doc.FindElementsPath(linePath) {
		count, err := number(line, "Count")
		if err != nil {
			return nil, err
		}
		price, err := number(line, "Price")
		if err != nil {
			return nil, err
		}
		rate, err := strconv.ParseFloat(line.SelectAttrValue("vat", "25"), 64)
		if err != nil {
			return nil, err
		}
		b.net += count * price
		b.vat += count * price * rate / 100
		b.accounts[line.SelectAttrValue("account", "4000")] += count * price
	}
	total := doc.FindElementPath(totalPath)
	if total == nil {
		return nil, errors.New("no total")
	}
	said, err := strconv.ParseFloat(total.Text(), 64)
	if err != nil {
		return nil, err
	}
	if math.Abs(said-b.net-b.vat) > 0.01 {
		return nil, fmt.Errorf("the total is %.2f, and should be %.2f", said, b.net+b.vat)
	}
	return b, nil
}

// answer writes a booking.
func (b *booking) answer(id int64) *etree.Document {
	doc := etree.NewDocument()
	root := doc.CreateElement("Booking")
	root.CreateAttr("id", strconv.FormatInt(id, 10))
	root.CreateElement("Invoice").SetText(b.number)
	root.CreateElement("Seller").SetText(b.seller)
	root.CreateElement("Vat").SetText(fmt.Sprintf("%.2f", b.vat))
	for account, sum := range b.accounts {
		e := root.CreateElement("Entry")
		e.CreateAttr("account", account)
		e.SetText(fmt.Sprintf("%.2f", sum))
	}
	return doc
}

func main() {
	var booked atomic.Int64
	mux := http.NewServeMux()
	mux.HandleFunc("POST /invoices", func(w http.ResponseWriter, r *http.Request) {
		doc := etree.NewDocument()
		if _, err := doc.ReadFrom(http.MaxBytesReader(w, r.Body, largest)); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		b, err := read(doc)
		if err != nil {
			http.Error(w, err.Error(), http.StatusUnprocessableEntity)
			return
		}
		w.Header().Set("Content-Type", "application/xml")
		if _, err := b.answer(booked.Add(1)).WriteTo(w); err != nil {
			log.Println(err)
		}
	})
	srv := &http.Server{Handler: mux, Protocols: new(http.Protocols)}
	srv.Protocols.SetHTTP1(true)
	srv.Protocols.SetUnencryptedHTTP2(true)
	ln := service.Listen()
	go func() { log.Println(srv.Serve(ln)) }()
	service.Wait()
}
