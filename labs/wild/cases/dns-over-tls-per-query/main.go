// Names for browsers that ask over HTTP: each question goes on to a resolver, over TLS, as the law of the house wants it.
// The resolver is a process of its own.
package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"github.com/miekg/dns"

	"wild/service"
)

// answer is a record, as browsers are told of it.
type answer struct {
	Name string `json:"name"`
	Type uint16 `json:"type"`
	TTL  uint32 `json:"TTL"`
	Data string `json:"data"`
}

// gateway passes questions on.
type gateway struct {
	client   *dns.Client
	resolver string
	idle     chan *dns.Conn
	failed   atomic.Int64
}

// ask is what the resolver says.
func (g *gateway) ask(ctx context.Context, q *dns.Msg) (*dns.Msg, error) {
	if !service.After() {
		said, _, err := g.client.ExchangeContext(ctx, q, g.resolver)
		return said, err
	}
	var c *dns.Conn
	select {
	case c = <-g.idle:
	default:
		var err error
		if c, err = g.client.DialContext(ctx, g.resolver); err != nil {
			return nil, err
		}
	}
	said, _, err := g.client.ExchangeWithConnContext(ctx, q, c)
	if err != nil {
		c.Close()
		return nil, err
	}
	select {
	case g.idle <- c:
	default:
		c.Close()
	}
	return said, nil
}

func (g *gateway) resolve(w http.ResponseWriter, r *http.Request) {
	name := r.FormValue("name")
	kind, ok := dns.StringToType[strings.ToUpper(r.FormValue("type"))]
	if _, valid := dns.IsDomainName(name); !valid || !ok || name == "" {
		http.Error(w, "a question has a name, and a type", http.StatusBadRequest)
		return
	}
	q := new(dns.Msg).SetQuestion(dns.Fqdn(name), kind)
	said, err := g.ask(r.Context(), q)
	if err != nil {
		g.failed.Add(1)
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	out := []answer{}
	for _, rr := range said.Answer {
		h := rr.Header()
		out = append(out, answer{h.Name, h.Rrtype, h.Ttl, strings.TrimPrefix(rr.String(), h.String())})
	}
	w.Header().Set("Content-Type", "application/dns-json")
	json.NewEncoder(w).Encode(map[string]any{"Status": said.Rcode, "TC": said.Truncated, "Answer": out})
}

func main() {
	if os.Getenv("ROLE") == "resolver" {
		serveResolver()
		return
	}
	certificate, key, err := house()
	if err != nil {
		log.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(certificate)
	g := &gateway{
		resolver: service.Beside("resolver", "CERTIFICATE="+string(certificate), "KEY="+string(key)),
		client:   &dns.Client{Net: "tcp-tls", TLSConfig: &tls.Config{RootCAs: roots, ServerName: "resolver.house"}, Timeout: 3 * time.Second},
		idle:     make(chan *dns.Conn, 64),
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /resolve", g.resolve)
	mux.HandleFunc("GET /failed", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, g.failed.Load()) })
	service.Run(mux)
}

// house makes the certificate of the resolver.
func house() (certificate, key []byte, err error) {
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, nil, err
	}
	of := &x509.Certificate{
		SerialNumber: big.NewInt(1), DNSNames: []string{"resolver.house"}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(240 * time.Hour),
	}
	der, err := x509.CreateCertificate(rand.Reader, of, of, &private.PublicKey, private)
	if err != nil {
		return nil, nil, err
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		return nil, nil, err
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}), nil
}

// serveResolver knows every name.
func serveResolver() {
	pair, err := tls.X509KeyPair([]byte(os.Getenv("CERTIFICATE")), []byte(os.Getenv("KEY")))
	if err != nil {
		log.Fatal(err)
	}
	ln, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{Certificates: []tls.Certificate{pair}})
	if err != nil {
		log.Fatal(err)
	}
	known := dns.HandlerFunc(func(w dns.ResponseWriter, q *dns.Msg) {
		m := new(dns.Msg).SetReply(q)
		for i := range 1 + len(q.Question[0].Name)%4 {
			h := dns.RR_Header{Name: q.Question[0].Name, Rrtype: q.Question[0].Qtype, Class: dns.ClassINET, Ttl: 300}
			switch h.Rrtype {
			case dns.TypeAAAA:
				m.Answer = append(m.Answer, &dns.AAAA{Hdr: h, AAAA: net.ParseIP(fmt.Sprintf("2001:db8::%x", i+1))})
			case dns.TypeMX:
				m.Answer = append(m.Answer, &dns.MX{Hdr: h, Preference: uint16(10 * i), Mx: fmt.Sprintf("mx%d.%s", i, h.Name)})
			default:
				h.Rrtype = dns.TypeA
				m.Answer = append(m.Answer, &dns.A{Hdr: h, A: net.IPv4(192, 0, 2, byte(i+1))})
			}
		}
		w.WriteMsg(m)
	})
	idle := func() time.Duration { return time.Minute }
	go func() {
		log.Println((&dns.Server{Listener: ln, Handler: known, IdleTimeout: idle, MaxTCPQueries: -1}).ActivateAndServe())
	}()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
