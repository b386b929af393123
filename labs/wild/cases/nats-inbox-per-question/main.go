// Rooms of a chain of hotels: whether there is one, and what it costs, is known by two services that are asked over NATS.
// The server of NATS and both services, as much of them as this needs, are a process of their own.
package main

import (
	"bufio"
	"bytes"
	"context"
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
	"time"

	"github.com/nats-io/nats.go"

	"wild/service"
)

// stay is what a guest asks for.
type stay struct {
	Hotel  string `json:"hotel"`
	Day    int    `json:"day"`
	Nights int    `json:"nights"`
}

// room is what is said of it.
type room struct {
	Hotel string `json:"hotel"`
	Free  int    `json:"free"`
	Cents int    `json:"cents"`
}

// desk answers guests.
type desk struct {
	conn *nats.Conn
}

// ask sends a question, and waits for what is answered.
func (d *desk) ask(ctx context.Context, subject string, question, answer any) error {
	body, err := json.Marshal(question)
	if err != nil {
		return err
	}
	var said *nats.Msg
	if service.After() {
		said, err = d.conn.RequestWithContext(ctx, subject, body)
	} else {
		said, err = d.exchange(ctx, subject, body)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", subject, err)
	}
	return json.Unmarshal(said.Data, answer)
}

func (d *desk) exchange(ctx context.Context, subject string, body []byte) (*nats.Msg, error) {
	inbox := d.conn.NewRespInbox()
	sub, err := d.conn.SubscribeSync(inbox)
	if err != nil {
		return nil, err
	}
	defer sub.Unsubscribe()
	if err := d.conn.PublishRequest(subject, inbox, body); err != nil {
		return nil, err
	}
	return sub.NextMsgWithContext(ctx)
}

func (d *desk) offer(w http.ResponseWriter, r *http.Request) {
	day, errDay := strconv.Atoi(r.FormValue("day"))
	nights, errNights := strconv.Atoi(r.FormValue("nights"))
	if errDay != nil || errNights != nil || nights < 1 || nights > 30 {
		http.Error(w, "a stay has a day, and up to 30 nights", http.StatusBadRequest)
		return
	}
	s := stay{r.PathValue("hotel"), day, nights}
	out := room{Hotel: s.Hotel}
	ctx, cancel := context.WithTimeout(r.Context(), 2*time.Second)
	defer cancel()
	if err := d.ask(ctx, "rooms.free", s, &out); err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	if out.Free > 0 {
		if err := d.ask(ctx, "rooms.price", s, &out); err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(out)
}

func main() {
	if os.Getenv("ROLE") == "bus" {
		serveBus()
		return
	}
	conn, err := nats.Connect("nats://"+service.Beside("bus"), nats.CustomInboxPrefix("_INBOX"))
	if err != nil {
		log.Fatal(err)
	}
	d := &desk{conn}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /hotels/{hotel}/offer", d.offer)
	service.Run(mux)
}

// serveBus is the server, and the services that answer.
func serveBus() {
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
			go (&link{c: c, subs: map[string]string{}}).serve()
		}
	}()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}

// link is a client of the bus.
type link struct {
	c    net.Conn
	mu   sync.Mutex
	subs map[string]string // by subject, what is told of it
}

func (l *link) serve() {
	defer l.c.Close()
	l.say(`INFO {"server_id":"bus","version":"2.10.0","proto":1,"max_payload":1048576,"headers":false}` + "\r\n")
	in := bufio.NewReader(l.c)
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		switch strings.ToUpper(words[0]) {
		case "PING":
			l.say("PONG\r\n")
		case "SUB":
			l.mu.Lock()
			l.subs[words[1]] = words[len(words)-1]
			l.mu.Unlock()
		case "UNSUB":
			l.mu.Lock()
			for subject, id := range l.subs {
				if id == words[1] {
					delete(l.subs, subject)
				}
			}
			l.mu.Unlock()
		case "PUB":
			n, _ := strconv.Atoi(words[len(words)-1])
			body := make([]byte, n+2)
			if _, err := io.ReadFull(in, body); err != nil {
				return
			}
			if len(words) == 4 {
				time.AfterFunc(time.Millisecond, func() { l.answer(words[1], words[2], body[:n]) })
			}
		}
	}
}

func (l *link) say(line string) { l.c.Write([]byte(line)) }

// answer is that of the service that a subject is of.
func (l *link) answer(subject, to string, body []byte) {
	var s stay
	if json.Unmarshal(body, &s) != nil {
		return
	}
	out := fmt.Appendf(nil, `{"free":%d}`, (len(s.Hotel)*7+s.Day)%9+1)
	if subject == "rooms.price" {
		out = fmt.Appendf(nil, `{"cents":%d}`, (len(s.Hotel)*1100+s.Day*13)*s.Nights)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	id, ok := l.subs[to]
	if !ok {
		id, ok = l.subs[to[:strings.LastIndexByte(to, '.')]+".*"]
	}
	if !ok {
		return
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "MSG %s %s %d\r\n%s\r\n", to, id, len(out), out)
	l.c.Write(b.Bytes())
}
