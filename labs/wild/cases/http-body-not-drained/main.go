// A code host's front: for each request it asks the search API, over TLS, for the
// best hit, which is the first of the lines that the API answers. What it does not
// need it leaves unread.
package main

import (
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
	"sync/atomic"
	"time"

	"wild/service"
)

type hit struct {
	Repo  string `json:"repo"`
	Path  string `json:"path"`
	Score int    `json:"score"`
}

func main() {
	if os.Getenv("ROLE") == "api" {
		api()
		return
	}
	certPEM, keyPEM := certificate()
	base := "https://" + service.Beside("api", "CERT="+certPEM, "KEY="+keyPEM)
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM([]byte(certPEM))
	client := &http.Client{
		Transport: &http.Transport{
			TLSClientConfig:     &tls.Config{RootCAs: roots},
			MaxIdleConns:        64,
			MaxIdleConnsPerHost: 64,
			IdleConnTimeout:     90 * time.Second,
		},
		Timeout: 5 * time.Second,
	}

	var seq atomic.Int64
	http.HandleFunc("/best", func(w http.ResponseWriter, r *http.Request) {
		best, err := search(client, fmt.Sprintf("%s/search?q=%d", base, seq.Add(1)))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		fmt.Fprintln(w, best.Repo, best.Path)
	})
	service.Run(http.DefaultServeMux)
}

func search(client *http.Client, url string) (hit, error) {
	var best hit
	resp, err := client.Get(url)
	if err != nil {
		return best, err
	}
	defer resp.Body.Close()
	if service.After() {
		defer io.Copy(io.Discard, resp.Body) // before Close: what is deferred last runs first
	}
	err = json.NewDecoder(resp.Body).Decode(&best)
	return best, err
}

// api answers a search with 60 hits, one on each line.
func api() {
	pair, err := tls.X509KeyPair([]byte(os.Getenv("CERT")), []byte(os.Getenv("KEY")))
	if err != nil {
		log.Fatal(err)
	}
	ln, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{Certificates: []tls.Certificate{pair}})
	if err != nil {
		log.Fatal(err)
	}
	srv := &http.Server{
		ErrorLog: log.New(io.Discard, "", 0),
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			enc := json.NewEncoder(w)
			for i := range 60 {
				enc.Encode(hit{Repo: "repo-" + r.URL.Query().Get("q"), Path: fmt.Sprintf("pkg/part%d/file.go", i), Score: 100 - i})
			}
		}),
	}
	go srv.Serve(ln)
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}

// certificate makes one for 127.0.0.1, signed by itself.
func certificate() (certPEM, keyPEM string) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		log.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber:          big.NewInt(1),
		Subject:               pkix.Name{CommonName: "search"},
		NotBefore:             time.Now().Add(-time.Hour),
		NotAfter:              time.Now().Add(24 * time.Hour),
		IPAddresses:           []net.IP{net.IPv4(127, 0, 0, 1)},
		IsCA:                  true,
		BasicConstraintsValid: true,
		KeyUsage:              x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
	}
	cert, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		log.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		log.Fatal(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: cert})),
		string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}))
}
