// An order intake that publishes each order to Kafka and answers when the broker
// has it. The writer is used with its default settings. The broker is a fake in
// the same process.
package main

import (
	"fmt"
	"log"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/segmentio/kafka-go"
	"github.com/twmb/franz-go/pkg/kfake"
	"wild/service"
)

func main() {
	broker, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(1, "orders"))
	if err != nil {
		log.Fatal(err)
	}
	defer broker.Close()
	out := &kafka.Writer{Addr: kafka.TCP(broker.ListenAddrs()...), Topic: "orders", RequiredAcks: kafka.RequireOne}
	if service.After() {
		out.BatchTimeout = 5 * time.Millisecond
	}

	body := make([]byte, 300)
	var seq atomic.Int64
	mux := http.NewServeMux()
	mux.HandleFunc("/order", func(w http.ResponseWriter, r *http.Request) {
		id := strconv.FormatInt(seq.Add(1), 10)
		if err := out.WriteMessages(r.Context(), kafka.Message{Key: []byte(id), Value: body}); err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		fmt.Fprintln(w, id)
	})
	service.Run(mux)
}
