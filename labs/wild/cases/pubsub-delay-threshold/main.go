// Orders of a shop: an order is checked and priced, published to a topic for those that pack and bill it, and
// confirmed when the topic has it. Pub/Sub is a process of its own.
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
	"time"

	"cloud.google.com/go/pubsub"
	"cloud.google.com/go/pubsub/pstest"
	"google.golang.org/api/option"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"wild/service"
)

// wanted is a line of an order.
type wanted struct {
	SKU   string `json:"sku"`
	Count int    `json:"count"`
}

// order is as it is posted.
type order struct {
	Customer string   `json:"customer"`
	Country  string   `json:"country"`
	Lines    []wanted `json:"lines"`
	Cents    int64    `json:"cents"`
}

// shop takes orders.
type shop struct {
	prices map[string]int64
	topic  *pubsub.Topic
}

func open(ctx context.Context, address string) (*shop, error) {
	client, err := pubsub.NewClient(ctx, "shop", option.WithEndpoint(address), option.WithoutAuthentication(),
		option.WithGRPCDialOption(grpc.WithTransportCredentials(insecure.NewCredentials())))
	if err != nil {
		return nil, fmt.Errorf("connect %s: %w", address, err)
	}
	topic, err := client.CreateTopic(ctx, "orders")
	if err != nil {
		return nil, fmt.Errorf("topic: %w", err)
	}
	if service.After() {
		topic.PublishSettings.DelayThreshold = time.Millisecond
	}
	s := &shop{prices: map[string]int64{}, topic: topic}
	for i := range 500 {
		s.prices[fmt.Sprintf("sku-%03d", i)] = int64(99 + i*53%7000)
	}
	return s, nil
}

func (s *shop) price(o *order) error {
	if o.Customer == "" || len(o.Lines) == 0 {
		return errors.New("an order has a customer and lines")
	}
	o.Cents = 0
	for _, l := range o.Lines {
		cents, ok := s.prices[l.SKU]
		if !ok || l.Count < 1 {
			return fmt.Errorf("%d of %q", l.Count, l.SKU)
		}
		o.Cents += cents * int64(l.Count)
	}
	return nil
}

// publish returns when the topic has the order.
func (s *shop) publish(ctx context.Context, o order) (string, error) {
	data, err := json.Marshal(o)
	if err != nil {
		return "", err
	}
	id, err := s.topic.Publish(ctx, &pubsub.Message{Data: data, Attributes: map[string]string{"country": o.Country}}).Get(ctx)
	if err != nil {
		return "", fmt.Errorf("order of %s: %w", o.Customer, err)
	}
	return id, nil
}

func (s *shop) take(w http.ResponseWriter, r *http.Request) {
	var o order
	if err := json.NewDecoder(io.LimitReader(r.Body, 1<<20)).Decode(&o); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if err := s.price(&o); err != nil {
		http.Error(w, err.Error(), http.StatusUnprocessableEntity)
		return
	}
	id, err := s.publish(r.Context(), o)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusCreated)
	json.NewEncoder(w).Encode(map[string]any{"order": id, "cents": o.Cents})
}

func main() {
	if os.Getenv("ROLE") == "pubsub" {
		broker()
		return
	}
	s, err := open(context.Background(), service.Beside("pubsub"))
	if err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("POST /orders", s.take)
	service.Run(http.DefaultServeMux)
}

// broker is the fake of the client library, whose messages are forgotten now and then.
func broker() {
	srv := pstest.NewServer()
	go func() {
		for range time.Tick(time.Second) {
			srv.ClearMessages()
		}
	}()
	fmt.Println(srv.Addr)
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
