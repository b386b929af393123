// An activity feed in a memory stream of an embedded NATS server. A request adds
// an entry and drops what is older than the last hundred. The stream has lived for a
// long time: its sequence numbers start at a million.
package main

import (
	"fmt"
	"log"
	"net/http"
	"os"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"wild/service"
)

const (
	stream = "FEED"
	keep   = 100
)

func main() {
	dir, err := os.MkdirTemp("", "feed-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	ns, err := server.NewServer(&server.Options{DontListen: true, JetStream: true, StoreDir: dir, NoSigs: true})
	if err != nil {
		log.Fatal(err)
	}
	go ns.Start()
	if !ns.ReadyForConnections(10 * time.Second) {
		log.Fatal("the embedded server is not ready")
	}
	nc, err := nats.Connect("", nats.InProcessServer(ns))
	if err != nil {
		log.Fatal(err)
	}
	js, err := nc.JetStream()
	if err != nil {
		log.Fatal(err)
	}
	if _, err := js.AddStream(&nats.StreamConfig{
		Name: stream, Subjects: []string{"feed"}, Storage: nats.MemoryStorage, FirstSeq: 1_000_000,
	}); err != nil {
		log.Fatal(err)
	}

	body := make([]byte, 200)
	mux := http.NewServeMux()
	mux.HandleFunc("/feed", func(w http.ResponseWriter, r *http.Request) {
		ack, err := js.Publish("feed", body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		// Another request may have dropped more in the meantime: that is as good.
		_ = js.PurgeStream(stream, &nats.StreamPurgeRequest{Keep: keep})
		fmt.Fprintln(w, ack.Sequence)
	})
	service.Run(mux)
}
