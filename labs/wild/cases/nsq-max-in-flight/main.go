// An interface that hands work to its workers through NSQ and waits for the outcome.
// A worker asks a store that takes 5 ms. The queue, which speaks as much of NSQ's protocol as is
// needed, and the store are one process beside.
package main

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nsqio/go-nsq"

	"wild/service"
)

const workers = 16

type job struct {
	ID   int64  `json:"id"`
	Item string `json:"item"`
}

// dispatcher knows which requests wait for which jobs.
type dispatcher struct {
	waiting sync.Map // of channels by a job's number
	client  *http.Client
	store   string
}

// HandleMessage does a job.
func (d *dispatcher) HandleMessage(m *nsq.Message) error {
	var j job
	if err := json.Unmarshal(m.Body, &j); err != nil {
		return err
	}
	resp, err := d.client.Get(d.store + j.Item)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	left, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	if done, ok := d.waiting.LoadAndDelete(j.ID); ok {
		done.(chan string) <- string(left)
	}
	return nil
}

func main() {
	if os.Getenv("ROLE") == "queue" {
		queue()
		return
	}
	addresses := strings.Fields(service.Beside("queue"))
	d := &dispatcher{
		client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}, Timeout: 5 * time.Second},
		store:  "http://" + addresses[1] + "/left?item=",
	}
	config := nsq.NewConfig()
	if service.After() {
		config.MaxInFlight = workers
	}
	consumer, err := nsq.NewConsumer("orders", "workers", config)
	if err != nil {
		log.Fatal(err)
	}
	consumer.SetLoggerLevel(nsq.LogLevelError)
	consumer.AddConcurrentHandlers(d, workers)
	if err := consumer.ConnectToNSQD(addresses[0]); err != nil {
		log.Fatal(err)
	}
	producer, err := nsq.NewProducer(addresses[0], nsq.NewConfig())
	if err != nil {
		log.Fatal(err)
	}
	producer.SetLoggerLevel(nsq.LogLevelError)

	var seq atomic.Int64
	http.HandleFunc("/order", func(w http.ResponseWriter, r *http.Request) {
		j := job{ID: seq.Add(1)}
		j.Item = "item" + strconv.FormatInt(j.ID%1000, 10)
		body, err := json.Marshal(j)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		done := make(chan string, 1)
		d.waiting.Store(j.ID, done)
		if err := producer.Publish("orders", body); err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		}
		select {
		case left := <-done:
			fmt.Fprintln(w, j.Item, left)
		case <-r.Context().Done():
			d.waiting.Delete(j.ID)
		}
	})
	service.Run(http.DefaultServeMux)
}

func queue() {
	listen := func() net.Listener {
		ln, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			log.Fatal(err)
		}
		return ln
	}
	store, ln := listen(), listen()
	go http.Serve(store, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(5 * time.Millisecond)
		io.WriteString(w, "7 left")
	}))
	go func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			go (&peer{c: c}).serve()
		}
	}()
	fmt.Println(ln.Addr(), store.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}

// topic is what is published and not yet taken.
var topic = make(chan []byte, 100_000)

// peer is one client of the queue.
type peer struct {
	c      net.Conn
	mu     sync.Mutex // of writes
	places chan struct{}
}

func (p *peer) frame(kind uint32, data []byte) error {
	b := binary.BigEndian.AppendUint32(nil, uint32(len(data)+4))
	b = binary.BigEndian.AppendUint32(b, kind)
	p.mu.Lock()
	defer p.mu.Unlock()
	_, err := p.c.Write(append(b, data...))
	return err
}

func (p *peer) serve() {
	defer p.c.Close()
	r := bufio.NewReader(p.c)
	if _, err := r.Discard(len("  V2")); err != nil {
		return
	}
	done := make(chan struct{})
	defer close(done)
	go p.beat(done)
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return
		}
		words := strings.Fields(line)
		switch words[0] {
		case "IDENTIFY", "PUB":
			var size [4]byte
			if _, err := io.ReadFull(r, size[:]); err != nil {
				return
			}
			body := make([]byte, binary.BigEndian.Uint32(size[:]))
			if _, err := io.ReadFull(r, body); err != nil {
				return
			}
			if words[0] == "PUB" {
				topic <- body
			}
			p.frame(0, []byte("OK"))
		case "SUB":
			p.frame(0, []byte("OK"))
		case "RDY": // the client takes so many at a time; it says the same number again
			n, err := strconv.Atoi(words[1])
			if err != nil {
				return
			}
			if p.places == nil && n > 0 {
				p.places = make(chan struct{}, n)
				go p.push(done)
			}
		case "FIN":
			<-p.places
		case "CLS":
			return
		}
	}
}

// push sends messages while the client takes more of them.
func (p *peer) push(done chan struct{}) {
	var seq int64
	for {
		select {
		case p.places <- struct{}{}:
		case <-done:
			return
		}
		select {
		case body := <-topic:
			seq++
			b := binary.BigEndian.AppendUint64(nil, uint64(time.Now().UnixNano()))
			b = append(b, 0, 1)
			b = fmt.Appendf(b, "%016x", seq)
			if p.frame(2, append(b, body...)) != nil {
				return
			}
		case <-done:
			return
		}
	}
}

func (p *peer) beat(done chan struct{}) {
	for {
		select {
		case <-time.After(20 * time.Second):
			p.frame(0, []byte("_heartbeat_"))
		case <-done:
			return
		}
	}
}
