// Names over HTTPS: a question of the DNS comes as the path of a request, and is asked of the resolver upstream, another process,
// which is far away and answers in 25 ms. What it says is each time the newest, by contract.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/miekg/dns"

	"wild/service"
)

// door asks upstream.
type door struct {
	upstream string
	client   *dns.Client
}

// ask has a question answered, over a socket of its own, as UDP wants it.
func (d *door) ask(ctx context.Context, q *dns.Msg) (*dns.Msg, error) {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	a, _, err := d.client.ExchangeContext(ctx, q, d.upstream)
	return a, err
}

func (d *door) serve(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	if _, ok := dns.IsDomainName(name); !ok {
		http.Error(w, "that is no name", http.StatusBadRequest)
		return
	}
	q := new(dns.Msg).SetQuestion(dns.Fqdn(name), dns.TypeA)
	a, err := d.ask(r.Context(), q)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	text, err := a.Pack()
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/dns-message")
	w.Header().Set("Cache-Control", "no-store")
	w.Write(text)
}

func main() {
	if os.Getenv("ROLE") == "resolver" {
		resolver()
		return
	}
	d := &door{service.Beside("resolver"), &dns.Client{Timeout: 2 * time.Second}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /names/{name}", d.serve)
	service.Run(mux)
}

// resolver answers each question by an address that is made of its name.
func resolver() {
	pc, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	srv := &dns.Server{PacketConn: pc, Handler: dns.HandlerFunc(func(w dns.ResponseWriter, q *dns.Msg) {
		time.Sleep(25 * time.Millisecond)
		a := new(dns.Msg).SetReply(q)
		for _, one := range q.Question {
			n := byte(len(one.Name))
			a.Answer = append(a.Answer, &dns.A{Hdr: dns.RR_Header{Name: one.Name, Rrtype: dns.TypeA, Class: dns.ClassINET, Ttl: 30}, A: net.IPv4(192, 0, 2, n)})
		}
		if err := w.WriteMsg(a); err != nil {
			log.Println(err)
		}
	})}
	go func() { log.Println(srv.ActivateAndServe()) }()
	fmt.Println(pc.LocalAddr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
