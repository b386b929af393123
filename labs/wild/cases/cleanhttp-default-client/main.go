// Quotes: for each one the tariff and the customer's discount are asked of two other services,
// one after the other, over HTTP with TLS. They run as a process of their own.
package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/hashicorp/go-cleanhttp"

	"wild/service"
)

type answer struct {
	Name  string `json:"name"`
	Value int    `json:"value"`
}

func main() {
	if os.Getenv("ROLE") == "services" {
		services()
		return
	}
	url := "https://" + service.Beside("services")
	client := cleanhttp.DefaultClient()
	transport := client.Transport.(*http.Transport)
	if service.After() {
		client = cleanhttp.DefaultPooledClient()
		transport = client.Transport.(*http.Transport)
		transport.MaxIdleConnsPerHost = 64
	}
	transport.TLSClientConfig = &tls.Config{InsecureSkipVerify: true} // its own certificate, on loopback
	transport.ForceAttemptHTTP2 = false
	http.HandleFunc("/quote", func(w http.ResponseWriter, r *http.Request) {
		customer := r.URL.Query().Get("customer")
		tariff, err := ask(client, url+"/tariff?customer="+customer)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		discount, err := ask(client, url+"/discount?customer="+customer)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"customer": customer, "cents": tariff.Value * (100 - discount.Value) / 100})
	})
	service.Run(http.DefaultServeMux)
}

func ask(client *http.Client, url string) (answer, error) {
	var a answer
	resp, err := client.Get(url)
	if err != nil {
		return a, err
	}
	defer resp.Body.Close()
	if err := json.NewDecoder(resp.Body).Decode(&a); err != nil {
		return a, err
	}
	_, err = io.Copy(io.Discard, resp.Body)
	return a, err
}

func services() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("/tariff", func(w http.ResponseWriter, r *http.Request) {
		json.NewEncoder(w).Encode(answer{"tariff", 12900})
	})
	http.HandleFunc("/discount", func(w http.ResponseWriter, r *http.Request) {
		json.NewEncoder(w).Encode(answer{"discount", len(r.URL.Query().Get("customer"))})
	})
	go http.Serve(tls.NewListener(ln, &tls.Config{Certificates: []tls.Certificate{certificate()}}), nil)
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}

func certificate() tls.Certificate {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		log.Fatal(err)
	}
	t := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().AddDate(1, 0, 0), DNSNames: []string{"services"}}
	der, err := x509.CreateCertificate(rand.Reader, t, t, key.Public(), key)
	if err != nil {
		log.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}
