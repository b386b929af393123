// A checkout that asks a payment gateway over TLS with certificates on both sides.
// The gateway ends each connection after its answer, as such gateways do, so that
// every payment begins with a handshake.
package main

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
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

	"wild/service"
)

func main() {
	if os.Getenv("ROLE") == "gateway" {
		gateway()
		return
	}
	certPEM, keyPEM := certificate()
	base := "https://" + service.Beside("gateway", "CERT="+certPEM, "KEY="+keyPEM)
	config := tlsConfig(certPEM, keyPEM)
	if service.After() {
		config.ClientSessionCache = tls.NewLRUClientSessionCache(64)
	}
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: config}, Timeout: 5 * time.Second}

	var seq atomic.Int64
	http.HandleFunc("/checkout", func(w http.ResponseWriter, r *http.Request) {
		resp, err := client.Post(fmt.Sprintf("%s/pay?order=%d", base, seq.Add(1)), "text/plain", strings.NewReader("amount=1290"))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		defer resp.Body.Close()
		receipt, err := io.ReadAll(resp.Body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		w.Write(receipt)
	})
	service.Run(http.DefaultServeMux)
}

// tlsConfig trusts the one certificate there is and shows it, on either side.
func tlsConfig(certPEM, keyPEM string) *tls.Config {
	pair, err := tls.X509KeyPair([]byte(certPEM), []byte(keyPEM))
	if err != nil {
		log.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM([]byte(certPEM))
	return &tls.Config{
		Certificates: []tls.Certificate{pair},
		RootCAs:      roots,
		ClientCAs:    roots,
		ClientAuth:   tls.RequireAndVerifyClientCert,
	}
}

func gateway() {
	ln, err := tls.Listen("tcp", "127.0.0.1:0", tlsConfig(os.Getenv("CERT"), os.Getenv("KEY")))
	if err != nil {
		log.Fatal(err)
	}
	srv := &http.Server{
		ErrorLog: log.New(io.Discard, "", 0),
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Connection", "close")
			fmt.Fprintln(w, "paid", r.URL.Query().Get("order"))
		}),
	}
	go srv.Serve(ln)
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}

// certificate makes one for 127.0.0.1, signed by itself, good for both sides.
func certificate() (certPEM, keyPEM string) {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		log.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber:          big.NewInt(1),
		Subject:               pkix.Name{CommonName: "payments"},
		NotBefore:             time.Now().Add(-time.Hour),
		NotAfter:              time.Now().Add(24 * time.Hour),
		IPAddresses:           []net.IP{net.IPv4(127, 0, 0, 1)},
		IsCA:                  true,
		BasicConstraintsValid: true,
		KeyUsage:              x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage:           []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
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
