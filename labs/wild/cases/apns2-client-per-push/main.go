// Pushes of a delivery service: where a rider is near, the phone that waits is told through the push service, a process of its own that
// speaks its protocol.
package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/sideshow/apns2"
	"github.com/sideshow/apns2/payload"
	"github.com/sideshow/apns2/token"

	"wild/service"
)

// near is what a rider's phone sends.
type near struct {
	Order   string `json:"order"`
	Device  string `json:"device"`
	Minutes int    `json:"minutes"`
	Rider   string `json:"rider"`
}

// pusher tells phones.
type pusher struct {
	host  string
	token *token.Token
	kept  *apns2.Client
}

// client is what pushes go through, and what is done after one.
func (p *pusher) client() (c *apns2.Client, done func()) {
	if service.After() {
		return p.kept, func() {}
	}
	c = apns2.NewTokenClient(p.token)
	c.Host = p.host
	return c, c.CloseIdleConnections
}

func (p *pusher) push(ctx context.Context, n near) error {
	c, done := p.client()
	defer done()
	text := fmt.Sprintf("%s is %d minutes away", n.Rider, n.Minutes)
	answer, err := c.PushWithContext(ctx, &apns2.Notification{
		DeviceToken: n.Device, Topic: "example.meals", CollapseID: n.Order, Priority: apns2.PriorityHigh,
		Payload: payload.NewPayload().AlertTitle("Your meal").AlertBody(text).Sound("bell").ThreadID(n.Order).Custom("minutes", n.Minutes),
	})
	if err != nil {
		return err
	}
	if !answer.Sent() {
		return fmt.Errorf("push: %d %s", answer.StatusCode, answer.Reason)
	}
	return nil
}

func (p *pusher) serve(w http.ResponseWriter, r *http.Request) {
	var n near
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 4<<10)).Decode(&n); err != nil || n.Device == "" || n.Order == "" {
		http.Error(w, "which phone waits for which order?", http.StatusBadRequest)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), 10*time.Second)
	defer cancel()
	if err := p.push(ctx, n); err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	fmt.Fprintf(w, "%s told\n", n.Order)
}

func main() {
	if os.Getenv("ROLE") == "phones" {
		phones()
		return
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		log.Fatal(err)
	}
	cert, private, err := certificate(key)
	if err != nil {
		log.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(cert)
	apns2.DialTLS = func(network, address string, c *tls.Config) (net.Conn, error) {
		c = c.Clone()
		c.RootCAs = roots
		return tls.DialWithDialer(&net.Dialer{Timeout: apns2.TLSDialTimeout}, network, address, c)
	}
	p := &pusher{host: "https://" + service.Beside("phones", "CERT="+string(cert), "KEY="+string(private)), token: &token.Token{AuthKey: key, KeyID: "RIDERS", TeamID: "MEALS"}}
	p.kept = apns2.NewTokenClient(p.token)
	p.kept.Host = p.host
	mux := http.NewServeMux()
	mux.HandleFunc("POST /near", p.serve)
	mux.HandleFunc("GET /health", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, p.host) })
	service.Run(mux)
}

// certificate is one for this machine.
func certificate(key *ecdsa.PrivateKey) (cert, private []byte, err error) {
	to := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "phones"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour), IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, to, to, key.Public(), key)
	if err != nil {
		return nil, nil, err
	}
	k, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return nil, nil, err
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: k}), nil
}

// phones takes pushes, each in two milliseconds.
func phones() {
	pair, err := tls.X509KeyPair([]byte(os.Getenv("CERT")), []byte(os.Getenv("KEY")))
	if err != nil {
		log.Fatal(err)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	srv := &http.Server{TLSConfig: &tls.Config{Certificates: []tls.Certificate{pair}, NextProtos: []string{"h2"}}, ErrorLog: log.New(io.Discard, "", 0)}
	srv.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		time.Sleep(2 * time.Millisecond)
		w.Header().Set("apns-id", "0b5c")
	})
	go func() { log.Println(srv.ServeTLS(ln, "", "")) }()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
