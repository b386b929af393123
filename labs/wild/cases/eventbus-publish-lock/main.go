// A shop: each order is announced on an event bus, and the subscriber tells the
// warehouse. The bus runs subscribers under its lock, so that orders are announced
// one after the other.
package main

import (
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/asaskevich/EventBus"
	"wild/service"
)

type shop struct {
	warehouse string
	client    *http.Client
}

func main() {
	s := &shop{startWarehouse(), &http.Client{Transport: &http.Transport{MaxIdleConns: 64, MaxIdleConnsPerHost: 64}}}
	announce := s.bus()
	if service.After() {
		announce = s.reserve
	}
	var seq atomic.Int64
	mux := http.NewServeMux()
	mux.HandleFunc("/order", func(w http.ResponseWriter, r *http.Request) {
		id := seq.Add(1)
		announce(id)
		fmt.Fprintln(w, id)
	})
	service.Run(mux)
}

// bus announces by way of the event bus.
func (s *shop) bus() func(int64) {
	bus := EventBus.New()
	if err := bus.Subscribe("order", s.reserve); err != nil {
		log.Fatal(err)
	}
	return func(id int64) { bus.Publish("order", id) }
}

// reserve tells the warehouse of one order.
func (s *shop) reserve(id int64) {
	res, err := s.client.Get(fmt.Sprintf("%s/reserve/%d", s.warehouse, id))
	if err != nil {
		log.Println(err)
		return
	}
	io.Copy(io.Discard, res.Body)
	res.Body.Close()
}

// startWarehouse is the other service; an answer takes it 3 ms.
func startWarehouse() string {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go http.Serve(ln, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(3 * time.Millisecond)
		io.WriteString(w, "reserved")
	}))
	return "http://" + ln.Addr().String()
}
