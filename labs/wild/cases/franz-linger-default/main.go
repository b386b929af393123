// Payments that are told to Kafka before they are answered: a request is checked, signed, and
// produced, and the answer says at which offset. The broker, kfake, is a process of its own.
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"

	"wild/service"
)

const topic = "payments"

type payment struct {
	From   string `json:"from"`
	To     string `json:"to"`
	Amount int64  `json:"amount"`
	Seal   []byte `json:"seal,omitempty"`
}

type desk struct {
	client *kgo.Client
	key    []byte
}

func (d *desk) pay(w http.ResponseWriter, r *http.Request) {
	var p payment
	if err := json.NewDecoder(r.Body).Decode(&p); err != nil || p.Amount <= 0 {
		http.Error(w, "from whom, to whom, how much?", http.StatusBadRequest)
		return
	}
	mac := hmac.New(sha256.New, d.key)
	fmt.Fprint(mac, p.From, p.To, p.Amount)
	p.Seal = mac.Sum(nil)
	value, err := json.Marshal(p)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	record, err := d.client.ProduceSync(r.Context(), &kgo.Record{Topic: topic, Key: []byte(p.From), Value: value}).First()
	if err != nil {
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
		return
	}
	fmt.Fprintf(w, "partition %d, offset %d\n", record.Partition, record.Offset)
}

func main() {
	if os.Getenv("ROLE") == "kafka" {
		kafka()
		return
	}
	options := []kgo.Opt{kgo.SeedBrokers(service.Beside("kafka")), kgo.RequiredAcks(kgo.AllISRAcks())}
	if service.After() {
		options = append(options, kgo.ProducerLinger(0))
	}
	client, err := kgo.NewClient(options...)
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	d := &desk{client: client, key: []byte("not the one of production")}
	http.HandleFunc("/pay", d.pay)
	service.Run(http.DefaultServeMux)
}

func kafka() {
	cluster, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(4, topic))
	if err != nil {
		log.Fatal(err)
	}
	defer cluster.Close()
	fmt.Println(cluster.ListenAddrs()[0])
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
