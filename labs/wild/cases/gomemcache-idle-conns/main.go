// Start pages of a shop, put together from what a memcached keeps of a visitor: the session, the
// basket and the settings. The memcached, a process of its own that is 1 ms away, is asked over
// TLS, as hosted ones are.
package main

import (
	"bufio"
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
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/bradfitz/gomemcache/memcache"

	"wild/service"
)

type session struct {
	User  string    `json:"user"`
	Since time.Time `json:"since"`
}

type basket struct {
	Lines []struct {
		SKU   string `json:"sku"`
		Count int    `json:"count"`
		Cents int    `json:"cents"`
	} `json:"lines"`
}

type settings struct {
	Language string `json:"language"`
	Currency string `json:"currency"`
}

func main() {
	if os.Getenv("ROLE") == "memcached" {
		memcached()
		return
	}
	cert, key := certificate()
	addr := service.Beside("memcached", "CERT="+cert, "KEY="+key)
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM([]byte(cert))
	dialer := &tls.Dialer{Config: &tls.Config{RootCAs: roots, ServerName: "memcached.local"}}
	client := memcache.New(addr)
	client.Timeout = 5 * time.Second
	client.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		return dialer.DialContext(ctx, network, address)
	}
	if service.After() {
		client.MaxIdleConns = 64
	}
	read := func(key string, v any) error {
		item, err := client.Get(key)
		if err != nil {
			return err
		}
		return json.Unmarshal(item.Value, v)
	}
	var visitors atomic.Int64
	http.HandleFunc("/start", func(w http.ResponseWriter, r *http.Request) {
		id := strconv.FormatInt(visitors.Add(1)%5000, 10)
		var (
			s session
			b basket
			p settings
		)
		for key, v := range map[string]any{"session/" + id: &s, "basket/" + id: &b, "settings/" + id: &p} {
			if err := read(key, v); err != nil {
				http.Error(w, err.Error(), http.StatusBadGateway)
				return
			}
		}
		total := 0
		for _, l := range b.Lines {
			total += l.Count * l.Cents
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{
			"user": s.User, "since": s.Since, "language": p.Language,
			"basket": len(b.Lines), "total": fmt.Sprintf("%d.%02d %s", total/100, total%100, p.Currency),
		})
	})
	service.Run(http.DefaultServeMux)
}

// certificate returns one for the memcached and its key, both as PEM.
func certificate() (string, string) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		log.Fatal(err)
	}
	t := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "memcached.local"}, DNSNames: []string{"memcached.local"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, t, t, &key.PublicKey, key)
	if err != nil {
		log.Fatal(err)
	}
	kder, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		log.Fatal(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})),
		string(pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: kder}))
}

func memcached() {
	cert, err := tls.X509KeyPair([]byte(os.Getenv("CERT")), []byte(os.Getenv("KEY")))
	if err != nil {
		log.Fatal(err)
	}
	ln, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{Certificates: []tls.Certificate{cert}})
	if err != nil {
		log.Fatal(err)
	}
	go func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			go answer(c)
		}
	}()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}

var kept = map[string]string{
	"session":  `{"user":"ann","since":"2026-01-02T03:04:05Z"}`,
	"basket":   `{"lines":[{"sku":"kettle","count":1,"cents":4900},{"sku":"cup","count":6,"cents":350},{"sku":"tea","count":2,"cents":790}]}`,
	"settings": `{"language":"en","currency":"EUR"}`,
}

// answer serves the commands get and gets of the text protocol.
func answer(c net.Conn) {
	defer c.Close()
	r, w := bufio.NewReader(c), bufio.NewWriter(c)
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return
		}
		fields := strings.Fields(line)
		if len(fields) < 2 {
			return
		}
		time.Sleep(time.Millisecond)
		for _, key := range fields[1:] {
			kind, _, _ := strings.Cut(key, "/")
			if v, ok := kept[kind]; ok {
				fmt.Fprintf(w, "VALUE %s 0 %d 1\r\n%s\r\n", key, len(v), v)
			}
		}
		w.WriteString("END\r\n")
		if w.Flush() != nil {
			return
		}
	}
}
