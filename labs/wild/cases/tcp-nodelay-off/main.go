// Carts of customers, in a store that speaks a protocol of our own over TCP: a request marks one line
// of a cart, for which it reads the cart and writes it back. The store is a process of its own. A
// few customers, who buy for their firm, have carts of several KB. As there were many small packets,
// connections are told to send fewer.
package main

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"sync"

	"wild/service"
)

// Kinds of messages: a kind, the lengths of key and value, the key, the value.
const (
	get byte = iota + 1
	set
	ok
)

const firms = 20 // one in so many customers

type line struct {
	Item  string `json:"item"`
	Count int    `json:"count"`
	Note  string `json:"note"`
	Saved int    `json:"saved"`
}

// peer is an end of a connection.
type peer struct {
	c net.Conn
	r *bufio.Reader
	w *bufio.Writer
}

func newPeer(c net.Conn) *peer { return &peer{c, bufio.NewReader(c), bufio.NewWriter(c)} }

func (p *peer) send(kind byte, key string, value []byte) error {
	head := binary.BigEndian.AppendUint32([]byte{kind}, uint32(len(key)))
	head = binary.BigEndian.AppendUint32(head, uint32(len(value)))
	p.w.Write(head) // an error is kept until Flush
	p.w.WriteString(key)
	p.w.Write(value)
	return p.w.Flush()
}

func (p *peer) receive() (kind byte, key string, value []byte, err error) {
	var head [9]byte
	if _, err := io.ReadFull(p.r, head[:]); err != nil {
		return 0, "", nil, err
	}
	keys, values := binary.BigEndian.Uint32(head[1:]), binary.BigEndian.Uint32(head[5:])
	if keys > 1<<10 || values > 1<<20 {
		return 0, "", nil, errors.New("a message that is too long")
	}
	b := make([]byte, keys+values)
	if _, err := io.ReadFull(p.r, b); err != nil {
		return 0, "", nil, err
	}
	return head[0], string(b[:keys]), b[keys:], nil
}

// store is the client, with the connections that are free.
type store struct {
	address string
	free    chan *peer
}

func (s *store) dial(ctx context.Context) (*peer, error) {
	c, err := (&net.Dialer{}).DialContext(ctx, "tcp", s.address)
	if err != nil {
		return nil, err
	}
	if tcp, is := c.(*net.TCPConn); is && !service.After() {
		if err := tcp.SetNoDelay(false); err != nil {
			return nil, err
		}
	}
	return newPeer(c), nil
}

// ask sends a message and returns the answer to it.
func (s *store) ask(ctx context.Context, kind byte, key string, value []byte) ([]byte, error) {
	var p *peer
	select {
	case p = <-s.free:
	default:
		var err error
		if p, err = s.dial(ctx); err != nil {
			return nil, err
		}
	}
	if err := p.send(kind, key, value); err != nil {
		p.c.Close()
		return nil, err
	}
	answer, _, out, err := p.receive()
	if err != nil || answer != ok {
		p.c.Close()
		return nil, errors.Join(err, fmt.Errorf("the store says %d", answer))
	}
	select {
	case s.free <- p:
	default:
		p.c.Close()
	}
	return out, nil
}

// mark counts one more of a line of a cart.
func (s *store) mark(ctx context.Context, customer, n int) (line, error) {
	key := "cart/" + strconv.Itoa(customer)
	b, err := s.ask(ctx, get, key, nil)
	if err != nil {
		return line{}, err
	}
	var cart []line
	if err := json.Unmarshal(b, &cart); err != nil {
		return line{}, err
	}
	if len(cart) == 0 {
		return line{}, errors.New("an empty cart")
	}
	l := &cart[n%len(cart)]
	l.Count++
	l.Saved = l.Count * 3
	if b, err = json.Marshal(cart); err != nil {
		return line{}, err
	}
	_, err = s.ask(ctx, set, key, b)
	return *l, err
}

func main() {
	if os.Getenv("ROLE") == "store" {
		keep()
		return
	}
	s := &store{address: service.Beside("store"), free: make(chan *peer, 64)}
	http.HandleFunc("/mark", func(w http.ResponseWriter, r *http.Request) {
		customer, err := strconv.Atoi(r.FormValue("customer"))
		n, err2 := strconv.Atoi(r.FormValue("line"))
		if err := errors.Join(err, err2); err != nil || n < 0 {
			http.Error(w, "which line of which customer?", http.StatusBadRequest)
			return
		}
		l, err := s.mark(r.Context(), customer, n)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(l)
	})
	service.Run(http.DefaultServeMux)
}

// newCart is what a customer begins with.
func newCart(key string) []byte {
	n := 3
	if id, err := strconv.Atoi(key[len("cart/"):]); err == nil && id%firms == 0 {
		n = 80
	}
	var cart []line
	for i := range n {
		cart = append(cart, line{Item: fmt.Sprintf("item-%04d", i*37), Count: 1, Note: "to be wrapped, please"})
	}
	b, err := json.Marshal(cart)
	if err != nil {
		log.Fatal(err)
	}
	return b
}

func keep() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	var carts sync.Map
	serve := func(p *peer) {
		defer p.c.Close()
		for {
			kind, key, value, err := p.receive()
			if err != nil || len(key) < len("cart/") {
				return
			}
			var out []byte
			switch kind {
			case get:
				v, is := carts.Load(key)
				if !is {
					v, _ = carts.LoadOrStore(key, newCart(key))
				}
				out = v.([]byte)
			case set:
				carts.Store(key, value)
			default:
				return
			}
			if err := p.send(ok, "", out); err != nil {
				return
			}
		}
	}
	go func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			go serve(newPeer(c))
		}
	}()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
