// Seats of a theatre: what is asked of the hall goes through a topic of Kafka, so that all instances take it in the same
// order, and it is answered when it came back from there and was applied. The broker is a process of its own.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/segmentio/kafka-go"
	"github.com/twmb/franz-go/pkg/kfake"

	"wild/service"
)

// wish is what is asked of the hall.
type wish struct {
	ID   int64  `json:"id"`
	Seat string `json:"seat"`
	Name string `json:"name"`
	Take bool   `json:"take"`
}

// hall has seats.
type hall struct {
	in  *kafka.Writer
	out *kafka.Reader

	mu    sync.Mutex
	next  int64
	seats map[string]string
	waits map[int64]chan bool
}

const topic = "hall"

func open(broker string) *hall {
	h := &hall{
		in:    &kafka.Writer{Addr: kafka.TCP(broker), Topic: topic, BatchTimeout: time.Millisecond, RequiredAcks: kafka.RequireOne},
		seats: map[string]string{},
		waits: map[int64]chan bool{},
	}
	cfg := kafka.ReaderConfig{Brokers: []string{broker}, Topic: topic, MinBytes: 10e3, MaxBytes: 10e6, MaxWait: 300 * time.Millisecond}
	if service.After() {
		cfg.MinBytes = 1
	}
	h.out = kafka.NewReader(cfg)
	go h.apply()
	return h
}

// apply takes wishes in the order of the topic.
func (h *hall) apply() {
	for {
		m, err := h.out.ReadMessage(context.Background())
		if errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			log.Println(err)
			continue
		}
		var w wish
		if err := json.Unmarshal(m.Value, &w); err != nil {
			log.Println(err)
			continue
		}
		h.mu.Lock()
		held := h.seats[w.Seat]
		done := held == "" || held == w.Name
		switch {
		case done && w.Take:
			h.seats[w.Seat] = w.Name
		case done:
			delete(h.seats, w.Seat)
		}
		wait := h.waits[w.ID]
		delete(h.waits, w.ID)
		h.mu.Unlock()
		if wait != nil {
			wait <- done
		}
	}
}

// ask puts a wish into the topic, and waits until it was applied.
func (h *hall) ask(ctx context.Context, w wish) (bool, error) {
	wait := make(chan bool, 1)
	h.mu.Lock()
	h.next++
	w.ID = h.next
	h.waits[w.ID] = wait
	h.mu.Unlock()
	data, err := json.Marshal(w)
	if err != nil {
		return false, err
	}
	if err := h.in.WriteMessages(ctx, kafka.Message{Key: []byte(w.Seat), Value: data}); err != nil {
		return false, err
	}
	select {
	case done := <-wait:
		return done, nil
	case <-ctx.Done():
		return false, ctx.Err()
	}
}

func main() {
	if os.Getenv("ROLE") == "broker" {
		serveBroker()
		return
	}
	h := open(service.Beside("broker"))
	mux := http.NewServeMux()
	mux.HandleFunc("POST /seats/{seat}", func(w http.ResponseWriter, r *http.Request) {
		var in wish
		if err := json.NewDecoder(io.LimitReader(r.Body, 4<<10)).Decode(&in); err != nil || in.Name == "" {
			http.Error(w, "a wish has a name", http.StatusBadRequest)
			return
		}
		in.Seat = r.PathValue("seat")
		done, err := h.ask(r.Context(), in)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"done":%t}`, done)
	})
	service.Run(mux)
	h.out.Close()
	h.in.Close()
}

// serveBroker is a Kafka of one broker.
func serveBroker() {
	broker, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(1, topic))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(broker.ListenAddrs()[0])
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
