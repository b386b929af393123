// Quotes of a pricing service, a process of its own that is asked over TCP in messages of
// encoding/gob; the API keeps a pool of connections to it.
package main

import (
	"encoding/gob"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"sync/atomic"

	"wild/service"
)

type item struct {
	SKU      string
	Quantity int
	Options  map[string]string
}

type address struct{ Street, City, Country string }

type quoteRequest struct {
	Customer int64
	Ship     address
	Items    []item
}

type line struct {
	SKU      string `json:"sku"`
	Net, Tax int64
}

type quote struct {
	Customer int64            `json:"customer"`
	Lines    []line           `json:"lines"`
	Totals   map[string]int64 `json:"totals"`
}

// stream is one end of a connection. Encoder and decoder are kept for as long as it lasts,
// or made for each message.
type stream struct {
	conn net.Conn
	enc  *gob.Encoder
	dec  *gob.Decoder
}

func newStream(c net.Conn) *stream {
	s := &stream{conn: c}
	if service.After() {
		s.enc, s.dec = gob.NewEncoder(c), gob.NewDecoder(c)
	}
	return s
}

func (s *stream) send(v any) error {
	if s.enc != nil {
		return s.enc.Encode(v)
	}
	return gob.NewEncoder(s.conn).Encode(v)
}

func (s *stream) receive(v any) error {
	if s.dec != nil {
		return s.dec.Decode(v)
	}
	return gob.NewDecoder(s.conn).Decode(v)
}

const places = 16

func main() {
	if os.Getenv("ROLE") == "pricing" {
		pricing()
		return
	}
	at := service.Beside("pricing")
	pool := make(chan *stream, places)
	for range places {
		c, err := net.Dial("tcp", at)
		if err != nil {
			log.Fatal(err)
		}
		pool <- newStream(c)
	}
	var seq atomic.Int64
	http.HandleFunc("/quote", func(w http.ResponseWriter, r *http.Request) {
		n := seq.Add(1)
		ask := quoteRequest{Customer: n, Ship: address{"High Street 1", "Leeds", "GB"}, Items: []item{
			{SKU: fmt.Sprint("sku-", n%1000), Quantity: 2, Options: map[string]string{"colour": "red"}},
			{SKU: fmt.Sprint("sku-", n%77), Quantity: 1},
		}}
		s := <-pool
		err := s.send(ask)
		var q quote
		if err == nil {
			err = s.receive(&q)
		}
		pool <- s
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(q)
	})
	service.Run(http.DefaultServeMux)
}

func pricing() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			go answer(newStream(c))
		}
	}()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}

func answer(s *stream) {
	defer s.conn.Close()
	for {
		var ask quoteRequest
		if s.receive(&ask) != nil {
			return
		}
		q := quote{Customer: ask.Customer, Totals: map[string]int64{}}
		for _, i := range ask.Items {
			l := line{SKU: i.SKU, Net: int64(i.Quantity) * int64(100+len(i.SKU))}
			l.Tax = l.Net / 5
			q.Lines = append(q.Lines, l)
			q.Totals["net"] += l.Net
			q.Totals["tax"] += l.Tax
		}
		if s.send(q) != nil {
			return
		}
	}
}
