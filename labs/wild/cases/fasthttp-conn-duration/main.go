// An edge in front of an origin in another region, both with fasthttp. The origin, a process of
// its own, speaks TLS behind a link of 4 ms each way.
package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"os"
	"time"

	"github.com/valyala/fasthttp"

	"wild/service"
)

const late = 4 * time.Millisecond

func main() {
	if os.Getenv("ROLE") == "origin" {
		origin()
		return
	}
	client := &fasthttp.HostClient{
		Addr: service.Beside("origin"), IsTLS: true, MaxConns: 256,
		TLSConfig:   &tls.Config{InsecureSkipVerify: true}, // its own certificate, on loopback
		ReadTimeout: 5 * time.Second,
		// The origin moves now and then: follow its name.
		MaxConnDuration: 300 * time.Millisecond,
	}
	if service.After() {
		client.MaxConnDuration = time.Minute
	}
	srv := &fasthttp.Server{Name: "edge", Handler: func(ctx *fasthttp.RequestCtx) {
		req := fasthttp.AcquireRequest()
		defer fasthttp.ReleaseRequest(req)
		resp := fasthttp.AcquireResponse()
		defer fasthttp.ReleaseResponse(resp)
		ctx.Request.CopyTo(req)
		req.URI().SetScheme("https")
		req.Header.Del("Connection")
		req.Header.Set("X-Forwarded-For", ctx.RemoteIP().String())
		if err := client.Do(req, resp); err != nil {
			ctx.Error(err.Error(), fasthttp.StatusBadGateway)
			return
		}
		ctx.SetStatusCode(resp.StatusCode())
		ctx.SetContentTypeBytes(resp.Header.ContentType())
		ctx.SetBody(resp.Body())
	}}
	ln := service.Listen()
	go func() { log.Println(srv.Serve(ln)) }()
	service.Wait()
}

func origin() {
	far, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	srv := &fasthttp.Server{Handler: func(ctx *fasthttp.RequestCtx) {
		ctx.SetContentType("text/plain")
		fmt.Fprintf(ctx, "%s as of today\n", ctx.Path())
	}}
	go srv.Serve(tls.NewListener(far, &tls.Config{Certificates: []tls.Certificate{certificate()}}))
	near, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go func() {
		for {
			c, err := near.Accept()
			if err != nil {
				return
			}
			o, err := net.Dial("tcp", far.Addr().String())
			if err != nil {
				c.Close()
				continue
			}
			go service.Carry(c, o, late)
			go service.Carry(o, c, late)
		}
	}()
	fmt.Println(near.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}

func certificate() tls.Certificate {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		log.Fatal(err)
	}
	t := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().AddDate(1, 0, 0), DNSNames: []string{"origin"}}
	der, err := x509.CreateCertificate(rand.Reader, t, t, key.Public(), key)
	if err != nil {
		log.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}
