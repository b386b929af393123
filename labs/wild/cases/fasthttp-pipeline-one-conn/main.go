// Prices that a fasthttp server asks of another, a process of its own, through fasthttp's
// PipelineClient. The other looks each price up in 3 ms.
package main

import (
	"fmt"
	"io"
	"log"
	"net"
	"os"
	"sync/atomic"
	"time"

	"github.com/valyala/fasthttp"

	"wild/service"
)

// doer is what the clients of the module have in common.
type doer interface {
	Do(req *fasthttp.Request, resp *fasthttp.Response) error
}

func main() {
	if os.Getenv("ROLE") == "prices" {
		prices()
		return
	}
	address := service.Beside("prices")
	var client doer = &fasthttp.PipelineClient{Addr: address}
	if service.After() {
		client = &fasthttp.HostClient{Addr: address, MaxConns: 64}
	}
	var seq atomic.Int64
	srv := &fasthttp.Server{Handler: func(ctx *fasthttp.RequestCtx) { price(ctx, client, address, seq.Add(1)%1000) }}
	go func() { log.Println(srv.Serve(service.Listen())) }()
	service.Wait()
	srv.Shutdown()
}

func price(ctx *fasthttp.RequestCtx, client doer, address string, article int64) {
	req, resp := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
	defer fasthttp.ReleaseRequest(req)
	defer fasthttp.ReleaseResponse(resp)
	req.SetRequestURI(fmt.Sprintf("http://%s/price?article=%d", address, article))
	if err := client.Do(req, resp); err != nil {
		ctx.Error(err.Error(), fasthttp.StatusBadGateway)
		return
	}
	ctx.SetStatusCode(resp.StatusCode())
	ctx.SetContentType("application/json")
	ctx.SetBody(resp.Body())
}

func prices() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	srv := &fasthttp.Server{Handler: func(ctx *fasthttp.RequestCtx) {
		time.Sleep(3 * time.Millisecond)
		fmt.Fprintf(ctx, `{"article": %s, "price": "9.90"}`+"\n", ctx.QueryArgs().Peek("article"))
	}}
	go srv.Serve(ln)
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
