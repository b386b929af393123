// Previews of partners' pages. Pages are fetched through the filter that all traffic to the
// outside goes through, a proxy of goproxy which looks into TLS and takes off cookies; a fetch has
// a tunnel of its own, so that nothing is carried over from another. The partners are one process.
package main

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/url"
	"os"
	"sync"
	"time"

	"github.com/elazarl/goproxy"

	"wild/service"
)

func main() {
	if os.Getenv("ROLE") == "partners" {
		serve()
		return
	}
	authority, err := newAuthority()
	if err != nil {
		log.Fatal(err)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go http.Serve(ln, filter(authority, service.Beside("partners")))
	trusted := x509.NewCertPool()
	trusted.AddCert(authority.Leaf)
	client := &http.Client{Timeout: 20 * time.Second, Transport: &http.Transport{
		Proxy:             http.ProxyURL(&url.URL{Scheme: "http", Host: ln.Addr().String()}),
		TLSClientConfig:   &tls.Config{RootCAs: trusted},
		DisableKeepAlives: true,
	}}
	http.HandleFunc("/preview", func(w http.ResponseWriter, r *http.Request) {
		resp, err := client.Get("https://" + r.FormValue("host") + "/index.html")
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		defer resp.Body.Close()
		page, err := io.ReadAll(io.LimitReader(resp.Body, 64<<10))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		_, title, _ := bytes.Cut(page, []byte("<title>"))
		title, _, _ = bytes.Cut(title, []byte("</title>"))
		fmt.Fprintf(w, "%s (%d bytes)\n", title, len(page))
	})
	service.Run(http.DefaultServeMux)
}

func filter(authority *tls.Certificate, partners string) http.Handler {
	proxy := goproxy.NewProxyHttpServer()
	proxy.Tr = &http.Transport{
		MaxIdleConnsPerHost: 32,
		TLSClientConfig:     &tls.Config{InsecureSkipVerify: true}, // the partners sign for themselves
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "tcp", partners)
		},
	}
	if service.After() {
		proxy.CertStore = &store{of: make(map[string]*tls.Certificate)}
	}
	open := &goproxy.ConnectAction{Action: goproxy.ConnectMitm, TLSConfig: goproxy.TLSConfigFromCA(authority)}
	proxy.OnRequest().HandleConnectFunc(func(host string, _ *goproxy.ProxyCtx) (*goproxy.ConnectAction, string) {
		return open, host
	})
	proxy.OnResponse().DoFunc(func(resp *http.Response, _ *goproxy.ProxyCtx) *http.Response {
		if resp != nil {
			resp.Header.Del("Set-Cookie")
		}
		return resp
	})
	return proxy
}

// store keeps a certificate for each host.
type store struct {
	mu sync.Mutex
	of map[string]*tls.Certificate
}

func (s *store) Fetch(host string, gen func() (*tls.Certificate, error)) (*tls.Certificate, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c, ok := s.of[host]; ok {
		return c, nil
	}
	c, err := gen()
	if err == nil {
		s.of[host] = c
	}
	return c, err
}

func newAuthority() (*tls.Certificate, error) {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return nil, err
	}
	der, err := x509.CreateCertificate(rand.Reader, template(true), template(true), key.Public(), key)
	if err != nil {
		return nil, err
	}
	leaf, err := x509.ParseCertificate(der)
	return &tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key, Leaf: leaf}, err
}

func template(authority bool) *x509.Certificate {
	return &x509.Certificate{
		SerialNumber:          big.NewInt(time.Now().UnixNano()),
		Subject:               pkix.Name{CommonName: "previews"},
		NotBefore:             time.Now().Add(-time.Hour),
		NotAfter:              time.Now().AddDate(1, 0, 0),
		KeyUsage:              x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		BasicConstraintsValid: true,
		IsCA:                  authority,
	}
}

func serve() {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		log.Fatal(err)
	}
	der, err := x509.CreateCertificate(rand.Reader, template(false), template(false), key.Public(), key)
	if err != nil {
		log.Fatal(err)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	text := bytes.Repeat([]byte("<p>Open from nine to five, and on Saturdays until noon.</p>\n"), 100)
	http.HandleFunc("/index.html", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Set-Cookie", "visitor=1")
		fmt.Fprintf(w, "<html><head><title>%s</title></head>%s</html>", r.Host, text)
	})
	tlsLn := tls.NewListener(ln, &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}})
	go http.Serve(tlsLn, nil)
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
