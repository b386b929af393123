// Parcels: what sending one costs is asked of the carrier, a service that takes 15 ms, over few connections, for the carrier once asked
// for that; then what the sender's contract takes off is counted.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"time"

	"github.com/cloudwego/hertz/pkg/app"
	"github.com/cloudwego/hertz/pkg/app/client"
	"github.com/cloudwego/hertz/pkg/app/server"
	"github.com/cloudwego/hertz/pkg/common/hlog"
	"github.com/cloudwego/hertz/pkg/network/standard"
	"github.com/cloudwego/hertz/pkg/protocol"
	"github.com/cloudwego/hertz/pkg/protocol/consts"

	"wild/service"
)

// price is what the carrier wants.
type price struct {
	Cents int    `json:"cents"`
	Days  int    `json:"days"`
	Via   string `json:"via"`
}

// desk asks the carrier.
type desk struct {
	carrier string
	client  *client.Client
	off     map[string]int // percent, by sender
}

func open(carrier string) (*desk, error) {
	most := 4
	if service.After() {
		most = 128
	}
	c, err := client.NewClient(
		client.WithDialer(standard.NewDialer()),
		client.WithMaxConnsPerHost(most),
		client.WithMaxConnWaitTimeout(10*time.Second),
		client.WithMaxIdleConnDuration(time.Minute),
	)
	if err != nil {
		return nil, err
	}
	d := &desk{"http://" + carrier, c, map[string]int{}}
	for n := range 50 {
		d.off["s"+strconv.Itoa(n)] = n % 4 * 5
	}
	return d, nil
}

// ask has the carrier say what a parcel costs.
func (d *desk) ask(ctx context.Context, from, to, grams string) (p price, err error) {
	req, resp := protocol.AcquireRequest(), protocol.AcquireResponse()
	defer protocol.ReleaseRequest(req)
	defer protocol.ReleaseResponse(resp)
	req.SetMethod(consts.MethodGet)
	req.SetRequestURI(d.carrier + "/prices?from=" + from + "&to=" + to + "&grams=" + grams)
	if err := d.client.Do(ctx, req, resp); err != nil {
		return p, err
	}
	if resp.StatusCode() != consts.StatusOK {
		return p, fmt.Errorf("the carrier says %d", resp.StatusCode())
	}
	return p, json.Unmarshal(resp.Body(), &p)
}

func (d *desk) serve(ctx context.Context, c *app.RequestContext) {
	off, ok := d.off[c.Param("sender")]
	if !ok {
		c.String(consts.StatusNotFound, "no such sender")
		return
	}
	if n, err := strconv.Atoi(c.Query("grams")); err != nil || n < 1 || n > 31_500 {
		c.String(consts.StatusBadRequest, "how heavy is it?")
		return
	}
	p, err := d.ask(ctx, c.Query("from"), c.Query("to"), c.Query("grams"))
	if err != nil {
		c.String(consts.StatusBadGateway, err.Error())
		return
	}
	c.JSON(consts.StatusOK, map[string]any{"cents": p.Cents * (100 - off) / 100, "days": p.Days, "via": p.Via, "percent_off": off})
}

func main() {
	if os.Getenv("ROLE") == "carrier" {
		carrier()
		return
	}
	d, err := open(service.Beside("carrier"))
	if err != nil {
		log.Fatal(err)
	}
	hlog.SetLevel(hlog.LevelError)
	h := server.New(server.WithHostPorts("127.0.0.1:"+os.Getenv("PORT")), server.WithTransport(standard.NewTransporter), server.WithExitWaitTime(time.Second), server.WithDisablePrintRoute(true))
	h.GET("/senders/:sender/price", d.serve)
	h.GET("/senders", func(_ context.Context, c *app.RequestContext) { c.JSON(consts.StatusOK, d.off) })
	go func() {
		if err := h.Run(); err != nil {
			log.Println(err)
		}
	}()
	service.Wait()
}

// carrier has prices.
func carrier() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /prices", func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(15 * time.Millisecond)
		grams, _ := strconv.Atoi(r.FormValue("grams"))
		to := r.FormValue("to")
		json.NewEncoder(w).Encode(price{450 + grams/20 + len(to)*10, 1 + len(to)%3, "hub " + r.FormValue("from")})
	})
	go func() { log.Println(http.Serve(ln, mux)) }()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
