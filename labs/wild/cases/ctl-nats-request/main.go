// A gateway: each request asks a pricing service over NATS and hands on the answer. The
// broker and the pricing service are a process of their own; a price takes 12 ms.
package main

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"wild/service"
)

func main() {
	if os.Getenv("ROLE") == "pricing" {
		pricing()
		return
	}
	nc, err := nats.Connect(service.Beside("pricing"))
	if err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("/price", func(w http.ResponseWriter, r *http.Request) {
		id, err := strconv.Atoi(r.FormValue("id"))
		if err != nil {
			http.Error(w, "no number", http.StatusBadRequest)
			return
		}
		answer, err := nc.RequestWithContext(r.Context(), "price", []byte(strconv.Itoa(id)))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Write(answer.Data)
	})
	service.Run(http.DefaultServeMux)
}

func pricing() {
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, NoLog: true, NoSigs: true})
	if err != nil {
		log.Fatal(err)
	}
	s.Start()
	if !s.ReadyForConnections(5 * time.Second) {
		log.Fatal("the broker does not come up")
	}
	nc, err := nats.Connect(s.ClientURL())
	if err != nil {
		log.Fatal(err)
	}
	_, err = nc.Subscribe("price", func(m *nats.Msg) {
		go func() {
			time.Sleep(12 * time.Millisecond)
			id, _ := strconv.Atoi(string(m.Data))
			m.Respond(fmt.Appendf(nil, `{"id":%d,"cents":%d}`, id, id*37%9000+100))
		}()
	})
	if err != nil {
		log.Fatal(err)
	}
	if err := nc.Flush(); err != nil {
		log.Fatal(err)
	}
	fmt.Println(s.ClientURL())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
