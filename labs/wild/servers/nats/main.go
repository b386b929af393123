// Command nats is a NATS server with JetStream, and an HTTP front to it: POST /ask is a request
// that a subscriber answers, POST /events publishes into a stream whose file is synced for each
// message.
package main

import (
	"flag"
	"io"
	"log"
	"net/http"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

func main() {
	address := flag.String("listen", "127.0.0.1:8080", "address of the HTTP front")
	port := flag.Int("port", 4222, "port of the NATS server")
	dir := flag.String("store", "", "folder of the streams")
	flag.Parse()

	s, err := server.NewServer(&server.Options{
		Host: "127.0.0.1", Port: *port, NoSigs: true,
		JetStream: true, StoreDir: *dir, SyncAlways: true,
	})
	check(err)
	go s.Start()
	if !s.ReadyForConnections(10 * time.Second) {
		log.Fatal("the NATS server is not ready")
	}

	answers, err := nats.Connect(s.ClientURL())
	check(err)
	_, err = answers.Subscribe("prices.get", func(m *nats.Msg) { _ = m.Respond([]byte(`{"price":1250}`)) })
	check(err)
	check(answers.Flush())

	nc, err := nats.Connect(s.ClientURL())
	check(err)
	js, err := jetstream.New(nc)
	check(err)
	front := &front{nc, js}
	http.HandleFunc("POST /ask", front.ask)
	http.HandleFunc("POST /events", front.publish)
	http.HandleFunc("GET /ready", func(w http.ResponseWriter, r *http.Request) {
		_, err := js.CreateOrUpdateStream(r.Context(), jetstream.StreamConfig{Name: "EVENTS", Subjects: []string{"events.>"}})
		if err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
		}
	})
	log.Fatal(http.ListenAndServe(*address, nil))
}

type front struct {
	nc *nats.Conn
	js jetstream.JetStream
}

func (f *front) ask(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	m, err := f.nc.Request("prices.get", body, 2*time.Second)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	_, _ = w.Write(m.Data)
}

func (f *front) publish(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if _, err := f.js.Publish(r.Context(), "events.order", body); err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	w.WriteHeader(http.StatusAccepted)
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
