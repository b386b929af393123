// Orders of a shop: an order is checked and priced, and for each of its lines an event is written
// to Kafka, which the warehouse reads. The order is confirmed when the broker has all of them. The
// broker is a process of its own, which answers after 2 ms.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"sync/atomic"
	"time"

	"github.com/IBM/sarama"

	"wild/service"
)

const topic = "order-lines"

type line struct {
	SKU   string `json:"sku"`
	Count int    `json:"count"`
	Cents int64  `json:"cents"`
}

type order struct {
	Customer string `json:"customer"`
	Lines    []line `json:"lines"`
}

func (o order) check() error {
	if o.Customer == "" || len(o.Lines) == 0 || len(o.Lines) > 100 {
		return fmt.Errorf("an order has a customer and 1 to 100 lines")
	}
	for i, l := range o.Lines {
		if l.SKU == "" || l.Count < 1 || l.Cents < 0 {
			return fmt.Errorf("line %d: %+v", i, l)
		}
	}
	return nil
}

// sum is in cents, with a discount from ten pieces of an article on.
func (o order) sum() (sum int64) {
	for _, l := range o.Lines {
		price := l.Cents * int64(l.Count)
		if l.Count >= 10 {
			price -= price / 20
		}
		sum += price
	}
	return sum
}

// outbox writes events.
type outbox struct{ kafka sarama.SyncProducer }

func (b outbox) messages(id string, o order) ([]*sarama.ProducerMessage, error) {
	var all []*sarama.ProducerMessage
	for i, l := range o.Lines {
		value, err := json.Marshal(map[string]any{"order": id, "customer": o.Customer, "line": i, "sku": l.SKU, "count": l.Count})
		if err != nil {
			return nil, err
		}
		all = append(all, &sarama.ProducerMessage{Topic: topic, Key: sarama.StringEncoder(o.Customer), Value: sarama.ByteEncoder(value)})
	}
	return all, nil
}

func (b outbox) publish(id string, o order) error {
	all, err := b.messages(id, o)
	if err != nil {
		return err
	}
	if service.After() {
		return b.kafka.SendMessages(all)
	}
	for _, m := range all {
		if _, _, err := b.kafka.SendMessage(m); err != nil {
			return fmt.Errorf("order %s: %w", id, err)
		}
	}
	return nil
}

func main() {
	if os.Getenv("ROLE") == "kafka" {
		broker()
		return
	}
	config := sarama.NewConfig()
	config.Version, config.ApiVersionsRequest = sarama.V2_1_0_0, false
	config.Producer.RequiredAcks = sarama.WaitForAll
	config.Producer.Return.Successes = true
	producer, err := sarama.NewSyncProducer([]string{service.Beside("kafka")}, config)
	if err != nil {
		log.Fatal(err)
	}
	b := outbox{producer}
	var seq atomic.Int64
	http.HandleFunc("POST /orders", func(w http.ResponseWriter, r *http.Request) {
		var o order
		if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 64<<10)).Decode(&o); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		if err := o.check(); err != nil {
			http.Error(w, err.Error(), http.StatusUnprocessableEntity)
			return
		}
		id := fmt.Sprintf("A-%08d", seq.Add(1))
		if err := b.publish(id, o); err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"order": id, "cents": o.sum(), "lines": len(o.Lines)})
	})
	service.Run(http.DefaultServeMux)
}

// reporter is what the broker of the library's tests complains to.
type reporter struct{ *log.Logger }

func (r reporter) Error(args ...any)                 { r.Println(args...) }
func (r reporter) Errorf(format string, args ...any) { r.Printf(format, args...) }
func (r reporter) Helper()                           {}

func broker() {
	t := reporter{log.New(os.Stderr, "kafka: ", 0)}
	sarama.Logger = log.New(io.Discard, "", 0)
	b := sarama.NewMockBroker(t, 1)
	b.SetLatency(2 * time.Millisecond)
	b.SetHandlerByMap(map[string]sarama.MockResponse{
		"MetadataRequest": sarama.NewMockMetadataResponse(t).SetBroker(b.Addr(), b.BrokerID()).SetLeader(topic, 0, b.BrokerID()),
		"ProduceRequest":  sarama.NewMockProduceResponse(t),
	})
	fmt.Println(b.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
