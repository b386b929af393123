// Bids of an auction of cattle: each is put into a queue of SQS, so that all are taken in turn, and it is answered when it was
// taken from there and held against the highest. The queue is a process of its own, and takes 4 ms for whatever is asked.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"

	"wild/service"
)

// bid is what is offered for an animal.
type bid struct {
	ID    int64  `json:"id"`
	Lot   int    `json:"lot"`
	From  string `json:"from"`
	Cents int    `json:"cents"`
}

// auction takes bids.
type auction struct {
	client *sqs.Client
	queue  *string

	next    atomic.Int64
	mu      sync.Mutex
	highest map[int]int
	waiting map[int64]chan bool
}

func open(address string) *auction {
	a := &auction{
		client: sqs.New(sqs.Options{
			Region: "eu-west-1", BaseEndpoint: aws.String("http://" + address), Credentials: credentials.NewStaticCredentialsProvider("auction", "stand-in", ""),
			HTTPClient: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 128}}, DisableMessageChecksumValidation: true,
		}),
		queue:   aws.String("http://" + address + "/1/bids"),
		highest: map[int]int{},
		waiting: map[int64]chan bool{},
	}
	go a.listen()
	return a
}

// listen takes bids from the queue.
func (a *auction) listen() {
	ctx := context.Background()
	in := &sqs.ReceiveMessageInput{QueueUrl: a.queue, WaitTimeSeconds: 10}
	if service.After() {
		in.MaxNumberOfMessages = 10
	}
	for {
		got, err := a.client.ReceiveMessage(ctx, in)
		if err != nil {
			log.Println(err)
			return
		}
		taken := make([]types.DeleteMessageBatchRequestEntry, len(got.Messages))
		for i, m := range got.Messages {
			if err := a.judge(aws.ToString(m.Body)); err != nil {
				log.Println(err)
			}
			taken[i] = types.DeleteMessageBatchRequestEntry{Id: aws.String(strconv.Itoa(i)), ReceiptHandle: m.ReceiptHandle}
		}
		if len(taken) == 0 {
			continue
		}
		go func() {
			if _, err := a.client.DeleteMessageBatch(ctx, &sqs.DeleteMessageBatchInput{QueueUrl: a.queue, Entries: taken}); err != nil {
				log.Println(err)
			}
		}()
	}
}

// judge holds a bid against the highest.
func (a *auction) judge(text string) error {
	var b bid
	if err := json.Unmarshal([]byte(text), &b); err != nil {
		return err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if to, ok := a.waiting[b.ID]; ok {
		to <- b.Cents > a.highest[b.Lot]
		delete(a.waiting, b.ID)
	}
	a.highest[b.Lot] = max(a.highest[b.Lot], b.Cents)
	return nil
}

// offer puts a bid into the queue, and waits until it was judged.
func (a *auction) offer(ctx context.Context, b bid) (highest bool, err error) {
	b.ID = a.next.Add(1)
	body, err := json.Marshal(b)
	if err != nil {
		return false, err
	}
	judged := make(chan bool, 1)
	a.mu.Lock()
	a.waiting[b.ID] = judged
	a.mu.Unlock()
	if _, err := a.client.SendMessage(ctx, &sqs.SendMessageInput{QueueUrl: a.queue, MessageBody: aws.String(string(body))}); err != nil {
		return false, err
	}
	select {
	case highest := <-judged:
		return highest, nil
	case <-time.After(10 * time.Second):
		return false, errors.New("the bid was not heard")
	}
}

func main() {
	if os.Getenv("ROLE") == "queue" {
		queue()
		return
	}
	a := open(service.Beside("queue"))
	mux := http.NewServeMux()
	mux.HandleFunc("POST /bids", func(w http.ResponseWriter, r *http.Request) {
		var b bid
		if err := json.NewDecoder(io.LimitReader(r.Body, 4<<10)).Decode(&b); err != nil || b.From == "" || b.Cents < 1 {
			http.Error(w, "a bid is from a farm, for a lot", http.StatusBadRequest)
			return
		}
		highest, err := a.offer(r.Context(), b)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		fmt.Fprintf(w, `{"highest":%t}`, highest)
	})
	service.Run(mux)
}

// queue speaks as much of the JSON protocol of SQS as this needs.
func queue() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	waiting := make(chan string, 1<<16)
	answer := func(w http.ResponseWriter, r *http.Request) {
		var asked struct {
			MessageBody         string
			MaxNumberOfMessages int
			Entries             []struct{ ID string }
		}
		if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		time.Sleep(4 * time.Millisecond)
		out := map[string]any{}
		switch r.Header.Get("X-Amz-Target") {
		case "AmazonSQS.SendMessage":
			waiting <- asked.MessageBody
			out["MessageId"] = "m"
		case "AmazonSQS.ReceiveMessage":
			out["Messages"] = receive(r.Context(), waiting, max(1, asked.MaxNumberOfMessages))
		}
		w.Header().Set("Content-Type", "application/x-amz-json-1.0")
		if err := json.NewEncoder(w).Encode(out); err != nil {
			log.Println(err)
		}
	}
	go func() { log.Println(http.Serve(ln, http.HandlerFunc(answer))) }()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}

// receive waits for a message, and takes those with it that are there.
func receive(ctx context.Context, waiting <-chan string, most int) (out []map[string]string) {
	late := time.After(10 * time.Second)
	for len(out) < most {
		select {
		case body := <-waiting:
			out = append(out, map[string]string{"MessageId": "m", "ReceiptHandle": "r", "Body": body})
			late = time.After(0)
			continue
		default:
		}
		select {
		case body := <-waiting:
			out = append(out, map[string]string{"MessageId": "m", "ReceiptHandle": "r", "Body": body})
			late = time.After(0)
		case <-late:
			return out
		case <-ctx.Done():
			return out
		}
	}
	return out
}
