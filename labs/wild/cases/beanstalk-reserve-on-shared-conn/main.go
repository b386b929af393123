// Orders of a bakery: each goes to the ovens through beanstalkd, and the ovens say there what is ready. The broker with the
// ovens is a process of its own, that speaks as much of the protocol as this needs.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
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

	"github.com/beanstalkd/go-beanstalk"

	"wild/service"
)

// order is what a shop wants.
type order struct {
	Shop   string `json:"shop"`
	Bread  string `json:"bread"`
	Loaves int    `json:"loaves"`
}

// bakery passes orders on, and knows how many loaves are ready.
type bakery struct {
	orders *beanstalk.Tube
	ready  *beanstalk.TubeSet
	loaves atomic.Int64
}

func open(address string) (*bakery, error) {
	conn, err := beanstalk.Dial("tcp", address)
	if err != nil {
		return nil, err
	}
	listening := conn
	if service.After() {
		if listening, err = beanstalk.Dial("tcp", address); err != nil {
			return nil, err
		}
	}
	b := &bakery{orders: beanstalk.NewTube(conn, "orders"), ready: beanstalk.NewTubeSet(listening, "ready")}
	go b.listen()
	return b, nil
}

// listen hears what is ready.
func (b *bakery) listen() {
	for {
		id, body, err := b.ready.Reserve(time.Second)
		if errors.Is(err, beanstalk.ErrTimeout) {
			continue
		} else if err != nil {
			log.Println(err)
			return
		}
		n, err := strconv.ParseInt(string(body), 10, 64)
		if err != nil {
			log.Println(err)
		}
		b.loaves.Add(n)
		if err := b.ready.Conn.Delete(id); err != nil {
			log.Println(err)
		}
	}
}

// send passes an order on to the ovens.
func (b *bakery) send(o order) (id uint64, err error) {
	body, err := json.Marshal(o)
	if err != nil {
		return 0, err
	}
	return b.orders.Put(body, 100, 0, time.Minute)
}

func main() {
	if os.Getenv("ROLE") == "broker" {
		broker()
		return
	}
	b, err := open(service.Beside("broker"))
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /orders", func(w http.ResponseWriter, r *http.Request) {
		var o order
		if err := json.NewDecoder(io.LimitReader(r.Body, 4<<10)).Decode(&o); err != nil || o.Shop == "" || o.Bread == "" || o.Loaves < 1 {
			http.Error(w, "an order is of a shop, and has some loaves of a bread", http.StatusBadRequest)
			return
		}
		id, err := b.send(o)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusAccepted)
		fmt.Fprintf(w, `{"order":%d}`, id)
	})
	mux.HandleFunc("GET /ready", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintln(w, b.loaves.Load())
	})
	service.Run(mux)
}

// tubes are those of the broker: jobs that wait, and what waits for jobs.
type tubes struct {
	mu    sync.Mutex
	next  uint64
	ready chan job
}

type job struct {
	id   uint64
	body []byte
}

func (t *tubes) id() uint64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.next++
	return t.next
}

// broker has ovens that take whatever is ordered, and say thirty times a second what is ready.
func broker() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	t := &tubes{ready: make(chan job, 64)}
	go func() {
		for range time.Tick(33 * time.Millisecond) {
			select {
			case t.ready <- job{t.id(), []byte("24")}:
			default:
			}
		}
	}()
	go func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			go t.serve(c)
		}
	}()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}

// serve answers the commands of a connection, one after the other.
func (t *tubes) serve(c net.Conn) {
	defer c.Close()
	in, out := bufio.NewReader(c), bufio.NewWriter(c)
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		words := strings.Fields(line)
		if len(words) == 0 {
			return
		}
		if err := t.answer(out, in, words); err != nil {
			log.Println(err)
			return
		}
		if in.Buffered() == 0 && out.Flush() != nil {
			return
		}
	}
}

func (t *tubes) answer(out *bufio.Writer, in *bufio.Reader, words []string) error {
	switch words[0] {
	case "put": // priority, delay, time to run, length
		n, err := strconv.Atoi(words[len(words)-1])
		if err != nil {
			return err
		}
		if _, err := in.Discard(n + 2); err != nil {
			return err
		}
		fmt.Fprintf(out, "INSERTED %d\r\n", t.id())
	case "use":
		fmt.Fprintf(out, "USING %s\r\n", words[1])
	case "watch", "ignore":
		fmt.Fprint(out, "WATCHING 1\r\n")
	case "delete":
		fmt.Fprint(out, "DELETED\r\n")
	case "reserve-with-timeout":
		seconds, err := strconv.Atoi(words[1])
		if err != nil {
			return err
		}
		if err := out.Flush(); err != nil {
			return err
		}
		select {
		case j := <-t.ready:
			fmt.Fprintf(out, "RESERVED %d %d\r\n%s\r\n", j.id, len(j.body), j.body)
		case <-time.After(time.Duration(seconds) * time.Second):
			fmt.Fprint(out, "TIMED_OUT\r\n")
		}
	default:
		return fmt.Errorf("broker: %q", words[0])
	}
	return nil
}
