// Parcels: what it costs to send one is asked of the carriers, through RabbitMQ; their answers come back by a queue of
// this service. The broker with the carriers, a process of its own that speaks as much of AMQP as this needs, is behind a
// link of 2 ms each way.
package main

import (
	"context"
	"encoding/binary"
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

	amqp "github.com/rabbitmq/amqp091-go"

	"wild/service"
)

const late = 2 * time.Millisecond

// parcel is what is to be sent.
type parcel struct {
	From  string `json:"from"`
	To    string `json:"to"`
	Grams int    `json:"grams"`
}

// office asks carriers.
type office struct {
	asks    *amqp.Channel
	next    atomic.Int64
	mu      sync.Mutex
	waiting map[string]chan []byte
}

func open(address string) (*office, error) {
	conn, err := amqp.Dial("amqp://" + address + "/")
	if err != nil {
		return nil, err
	}
	asks, err := conn.Channel()
	if err != nil {
		return nil, err
	}
	answers, err := conn.Channel()
	if err != nil {
		return nil, err
	}
	ahead := 1
	if service.After() {
		ahead = 100
	}
	if err := answers.Qos(ahead, 0, false); err != nil {
		return nil, err
	}
	deliveries, err := answers.Consume("answers", "office", false, true, false, false, nil)
	if err != nil {
		return nil, err
	}
	o := &office{asks: asks, waiting: map[string]chan []byte{}}
	go o.hear(deliveries)
	return o, nil
}

// hear passes on answers to what waits for them.
func (o *office) hear(deliveries <-chan amqp.Delivery) {
	for d := range deliveries {
		o.mu.Lock()
		to, ok := o.waiting[d.CorrelationId]
		delete(o.waiting, d.CorrelationId)
		o.mu.Unlock()
		if ok {
			to <- d.Body
		}
		if err := d.Ack(false); err != nil {
			log.Println(err)
		}
	}
}

// ask is what carriers say of a parcel.
func (o *office) ask(ctx context.Context, p parcel) ([]byte, error) {
	body, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	id := strconv.FormatInt(o.next.Add(1), 36)
	answer := make(chan []byte, 1)
	o.mu.Lock()
	o.waiting[id] = answer
	o.mu.Unlock()
	if err := o.asks.PublishWithContext(ctx, "", "carriers", false, false, amqp.Publishing{CorrelationId: id, ReplyTo: "answers", Body: body}); err != nil {
		return nil, err
	}
	select {
	case said := <-answer:
		return said, nil
	case <-ctx.Done():
		o.mu.Lock()
		delete(o.waiting, id)
		o.mu.Unlock()
		return nil, ctx.Err()
	}
}

func main() {
	if os.Getenv("ROLE") == "broker" {
		broker()
		return
	}
	o, err := open(service.Beside("broker"))
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /parcels/price", func(w http.ResponseWriter, r *http.Request) {
		var p parcel
		if err := json.NewDecoder(io.LimitReader(r.Body, 4<<10)).Decode(&p); err != nil || p.From == "" || p.To == "" || p.Grams <= 0 {
			http.Error(w, "a parcel goes from here to there, and weighs some grams", http.StatusBadRequest)
			return
		}
		ctx, cancel := context.WithTimeout(r.Context(), 5*time.Second)
		defer cancel()
		said, err := o.ask(ctx, p)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Write(said)
	})
	service.Run(mux)
}

// broker listens behind the link.
func broker() {
	far, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	near, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go func() {
		for {
			c, err := far.Accept()
			if err != nil {
				return
			}
			go (&client{c: c}).serve()
		}
	}()
	go func() {
		for {
			c, err := near.Accept()
			if err != nil {
				return
			}
			o, err := net.Dial("tcp", far.Addr().String())
			if err != nil {
				c.Close()
				continue
			}
			go service.Carry(c, o, late)
			go service.Carry(o, c, late)
		}
	}()
	fmt.Println(near.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}

// client is one, with its queue of answers: as many as it allows are on their way to it at a time.
type client struct {
	c       net.Conn
	mu      sync.Mutex
	queue   [][2][]byte // the number of a question, and the answer
	to      uint16
	allowed int
	away    int
	tag     uint64
}

// push sends what may be sent; mu is held.
func (cl *client) push() {
	for len(cl.queue) > 0 && cl.away < cl.allowed {
		next := cl.queue[0]
		cl.queue = cl.queue[1:]
		cl.away++
		cl.tag++
		deliver := append(append([]byte{0, 60, 0, 60, 6}, "office"...), binary.BigEndian.AppendUint64(nil, cl.tag)...)
		send(cl.c, 1, cl.to, append(deliver, 0, 0, 7, 'a', 'n', 's', 'w', 'e', 'r', 's'))
		head := binary.BigEndian.AppendUint64([]byte{0, 60, 0, 0}, uint64(len(next[1])))
		send(cl.c, 2, cl.to, append(append(head, 0x04, 0, byte(len(next[0]))), next[0]...)) // its one property is the number
		send(cl.c, 3, cl.to, next[1])
	}
}

// carriers answer a question after 3 ms.
func (cl *client) carriers(id, body []byte) {
	var p parcel
	if json.Unmarshal(body, &p) != nil {
		return
	}
	time.AfterFunc(3*time.Millisecond, func() {
		cl.mu.Lock()
		defer cl.mu.Unlock()
		cents := 390 + p.Grams/10 + 25*len(p.To)
		cl.queue = append(cl.queue, [2][]byte{id, fmt.Appendf(nil, `{"road":%d,"air":%d}`, cents, cents*3)})
		cl.push()
	})
}

func (cl *client) answer(channel uint16, method uint32, args ...byte) {
	cl.mu.Lock()
	defer cl.mu.Unlock()
	send(cl.c, 1, channel, append(binary.BigEndian.AppendUint32(nil, method), args...))
}

// serve speaks to one client: frames of a type, a channel, a length, a payload and an end.
func (cl *client) serve() {
	defer cl.c.Close()
	if _, err := io.ReadFull(cl.c, make([]byte, 8)); err != nil {
		return
	}
	long := func(s string) []byte { return append(binary.BigEndian.AppendUint32(nil, uint32(len(s))), s...) }
	cl.answer(0, 10<<16|10, append(append([]byte{0, 9, 0, 0, 0, 0}, long("PLAIN")...), long("en_US")...)...)
	var id []byte
	for {
		kind, channel, p, err := frame(cl.c)
		if err != nil {
			return
		}
		switch kind {
		case 1:
			if err := cl.method(channel, binary.BigEndian.Uint32(p), p[4:]); err != nil {
				log.Println(err)
				return
			}
		case 2: // class, weight, length of the body, properties: the number of the question is the first
			id = append([]byte(nil), p[15:15+int(p[14])]...)
		case 3:
			cl.carriers(id, p[:len(p)-1])
		}
	}
}

func (cl *client) method(channel uint16, method uint32, args []byte) error {
	switch method {
	case 10<<16 | 11:
		cl.answer(0, 10<<16|30, 0x07, 0xff, 0, 2, 0, 0, 0, 60) // 2047 channels, frames of 128 KB, a minute
	case 10<<16 | 40:
		cl.answer(0, 10<<16|41, 0)
	case 20<<16 | 10:
		cl.answer(channel, 20<<16|11, 0, 0, 0, 0)
	case 60<<16 | 10: // how many may be on their way
		cl.allowed, cl.to = int(binary.BigEndian.Uint16(args[4:])), channel
		cl.answer(channel, 60<<16|11)
	case 60<<16 | 20:
		cl.answer(channel, 60<<16|21, append([]byte{6}, "office"...)...)
	case 60<<16 | 80: // ack
		cl.mu.Lock()
		defer cl.mu.Unlock()
		cl.away--
		cl.push()
	case 10<<16 | 31, 60<<16 | 40:
	case 10<<16 | 50:
		cl.answer(0, 10<<16|51)
		return io.EOF
	default:
		return errors.New("broker: method " + strconv.FormatUint(uint64(method), 16))
	}
	return nil
}

// frame reads one: its type, its channel, and what it holds with the end.
func frame(r io.Reader) (kind byte, channel uint16, payload []byte, err error) {
	var head [7]byte
	if _, err = io.ReadFull(r, head[:]); err != nil {
		return 0, 0, nil, err
	}
	payload = make([]byte, binary.BigEndian.Uint32(head[3:])+1)
	_, err = io.ReadFull(r, payload)
	return head[0], binary.BigEndian.Uint16(head[1:]), payload, err
}

func send(w io.Writer, kind byte, channel uint16, payload []byte) {
	b := binary.BigEndian.AppendUint32([]byte{kind, byte(channel >> 8), byte(channel)}, uint32(len(payload)))
	w.Write(append(append(b, payload...), 0xce))
}
