// Orders whose twenty lines each go to a JetStream stream as an event. The NATS server is
// a process of its own, and a millisecond away.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"wild/service"
)

const lines = 20

func main() {
	if os.Getenv("ROLE") == "nats" {
		serve()
		return
	}
	nc, err := nats.Connect("nats://" + service.Beside("nats"))
	if err != nil {
		log.Fatal(err)
	}
	js, err := jetstream.New(nc)
	if err != nil {
		log.Fatal(err)
	}
	if _, err := js.CreateStream(context.Background(), jetstream.StreamConfig{
		Name: "ORDERS", Subjects: []string{"orders.>"}, Storage: jetstream.MemoryStorage, MaxMsgs: 20_000,
	}); err != nil {
		log.Fatal(err)
	}
	send := inTurn
	if service.After() {
		send = together
	}
	var seq atomic.Int64
	http.HandleFunc("/order", func(w http.ResponseWriter, r *http.Request) {
		id := seq.Add(1)
		last, err := send(r.Context(), js, fmt.Sprint("orders.", id%100), id)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		fmt.Fprintln(w, "order", id, "ends at", last)
	})
	service.Run(http.DefaultServeMux)
}

func event(id int64, line int) []byte {
	return fmt.Appendf(nil, `{"order":%d,"line":%d,"article":%d,"count":1}`, id, line, line*37)
}

func inTurn(ctx context.Context, js jetstream.JetStream, subject string, id int64) (last uint64, err error) {
	for line := range lines {
		ack, err := js.Publish(ctx, subject, event(id, line))
		if err != nil {
			return 0, err
		}
		last = ack.Sequence
	}
	return last, nil
}

func together(ctx context.Context, js jetstream.JetStream, subject string, id int64) (last uint64, err error) {
	var sent [lines]jetstream.PubAckFuture
	for line := range sent {
		if sent[line], err = js.PublishAsync(subject, event(id, line)); err != nil {
			return 0, err
		}
	}
	for _, f := range sent {
		select {
		case ack := <-f.Ok():
			last = ack.Sequence
		case err := <-f.Err():
			return 0, err
		case <-ctx.Done():
			return 0, ctx.Err()
		}
	}
	return last, nil
}

func serve() {
	dir, err := os.MkdirTemp("", "nats-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: -1, JetStream: true, StoreDir: dir, NoSigs: true})
	if err != nil {
		log.Fatal(err)
	}
	go s.Start()
	if !s.ReadyForConnections(10 * time.Second) {
		log.Fatal("nats: not ready")
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			up, err := net.Dial("tcp", s.Addr().String())
			if err != nil {
				log.Fatal(err)
			}
			go far(up, c)
			go far(c, up)
		}
	}()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}

// far brings what comes from one end to the other, a millisecond later.
func far(to, from net.Conn) {
	defer to.Close()
	type part struct {
		data []byte
		due  time.Time
	}
	way := make(chan part, 4096)
	go func() {
		defer close(way)
		for {
			b := make([]byte, 32<<10)
			n, err := from.Read(b)
			if err != nil {
				return
			}
			way <- part{b[:n], time.Now().Add(time.Millisecond)}
		}
	}()
	for p := range way {
		time.Sleep(time.Until(p.due))
		if _, err := to.Write(p.data); err != nil {
			return
		}
	}
}
