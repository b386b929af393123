// Exchange rates for a shop: the bank, a process of its own, takes 20 ms for each answer, of
// which the service, with fasthttp on both sides, takes the rate that was asked for. Bodies are
// read by parsers of fastjson that are kept in a pool, and there is a connection for each call.
package main

import (
	"fmt"
	"io"
	"log"
	"net"
	"os"
	"time"

	"github.com/valyala/fasthttp"
	"github.com/valyala/fastjson"

	"wild/service"
)

func main() {
	if os.Getenv("ROLE") == "bank" {
		bank()
		return
	}
	client := &fasthttp.HostClient{Addr: service.Beside("bank"), MaxConns: 512, ReadTimeout: 5 * time.Second, WriteTimeout: 5 * time.Second}
	var parsers fastjson.ParserPool
	srv := &fasthttp.Server{Name: "rates", Handler: func(ctx *fasthttp.RequestCtx) {
		to := string(ctx.QueryArgs().Peek("to"))
		req, resp := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
		defer fasthttp.ReleaseRequest(req)
		defer fasthttp.ReleaseResponse(resp)
		req.SetRequestURI("http://bank/rates")
		if err := client.Do(req, resp); err != nil {
			ctx.Error(err.Error(), fasthttp.StatusBadGateway)
			return
		}
		p := parsers.Get()
		defer parsers.Put(p)
		v, err := p.ParseBytes(resp.Body())
		if err != nil || !v.Exists("rates", to) {
			ctx.Error("no such currency", fasthttp.StatusNotFound)
			return
		}
		ctx.SetContentType("application/json")
		fmt.Fprintf(ctx, `{"from":"EUR","to":%q,"rate":%g}`, to, v.GetFloat64("rates", to))
	}}
	ln := service.Listen()
	go func() { log.Println(srv.Serve(ln)) }()
	service.Wait()
}

func bank() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	srv := &fasthttp.Server{Handler: func(ctx *fasthttp.RequestCtx) {
		time.Sleep(20 * time.Millisecond)
		ctx.SetContentType("application/json")
		ctx.SetBodyString(`{"base":"EUR","rates":{"USD":1.08,"GBP":0.85,"CHF":0.95,"JPY":161.2,"SEK":11.4,"NOK":11.6,"PLN":4.3}}`)
	}}
	go srv.Serve(ln)
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
