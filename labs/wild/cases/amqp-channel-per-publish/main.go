// Orders that are told to the other services of a shop: each is published to RabbitMQ and confirmed
// before the request is answered. The broker, a process of its own that speaks as much of AMQP as
// this needs, is behind a link of 1 ms each way.
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
	"sync/atomic"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"

	"wild/service"
)

const late = time.Millisecond

// order is what a customer asks for.
type order struct {
	Number   int64          `json:"number"`
	Customer string         `json:"customer"`
	Lines    map[string]int `json:"lines"`
	Total    float64        `json:"total"`
}

var prices = map[string]float64{"lamp": 19.9, "desk": 149, "chair": 79.5, "shelf": 54}

// price adds up what an order costs.
func (o *order) price() error {
	for item, n := range o.Lines {
		p, ok := prices[item]
		if !ok || n < 1 {
			return errors.New("no such item: " + strconv.Quote(item))
		}
		o.Total += p * float64(n)
	}
	return nil
}

// publisher sends events to the exchange of orders.
type publisher struct {
	conn *amqp.Connection
	free chan *amqp.Channel // nil: each event has a channel of its own
}

func (p *publisher) channel() (*amqp.Channel, error) {
	select {
	case ch := <-p.free:
		return ch, nil
	default:
	}
	ch, err := p.conn.Channel()
	if err != nil {
		return nil, err
	}
	return ch, ch.Confirm(false)
}

func (p *publisher) release(ch *amqp.Channel) error {
	select {
	case p.free <- ch:
		return nil
	default:
		return ch.Close()
	}
}

func (p *publisher) publish(ctx context.Context, key string, event any) error {
	body, err := json.Marshal(event)
	if err != nil {
		return err
	}
	ch, err := p.channel()
	if err != nil {
		return err
	}
	sent, err := ch.PublishWithDeferredConfirmWithContext(ctx, "orders", key, false, false, amqp.Publishing{
		ContentType: "application/json", DeliveryMode: amqp.Persistent, Timestamp: time.Now(), Body: body,
	})
	if err != nil {
		return err
	}
	ok, err := sent.WaitContext(ctx)
	if err != nil {
		return err
	}
	if !ok {
		return errors.New("the broker refused " + key)
	}
	return p.release(ch)
}

func main() {
	if os.Getenv("ROLE") == "broker" {
		broker()
		return
	}
	conn, err := amqp.Dial("amqp://" + service.Beside("broker") + "/")
	if err != nil {
		log.Fatal(err)
	}
	p := &publisher{conn: conn}
	if service.After() {
		p.free = make(chan *amqp.Channel, 64)
	}
	var numbers atomic.Int64
	http.HandleFunc("POST /orders", func(w http.ResponseWriter, r *http.Request) {
		var o order
		if err := json.NewDecoder(io.LimitReader(r.Body, 64<<10)).Decode(&o); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		if err := o.price(); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		o.Number = numbers.Add(1)
		if err := p.publish(r.Context(), "order.placed", o); err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(o)
	})
	service.Run(http.DefaultServeMux)
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
			go serve(c)
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

// Methods of AMQP 0-9-1, class and method.
const (
	startOK, tuneOK, connOpen    = 10<<16 | 11, 10<<16 | 31, 10<<16 | 40
	connClose                    = 10<<16 | 50
	chanOpen, chanClose, confirm = 20<<16 | 10, 20<<16 | 40, 85<<16 | 10
	publish                      = 60<<16 | 40
)

// serve speaks to one client: frames of a type, a channel, a length, a payload and an end.
func serve(c net.Conn) {
	defer c.Close()
	var hello [8]byte
	if _, err := io.ReadFull(c, hello[:]); err != nil {
		return
	}
	answer := func(channel uint16, method uint32, args ...byte) { send(c, channel, method, args) }
	long := func(s string) []byte { return append(binary.BigEndian.AppendUint32(nil, uint32(len(s))), s...) }
	start := append([]byte{0, 9, 0, 0, 0, 0}, long("PLAIN")...)
	answer(0, 10<<16|10, append(start, long("en_US")...)...)
	tags := map[uint16]uint64{}
	left := map[uint16]uint64{} // of the body that is on its way
	taken := func(channel uint16) {
		delete(left, channel)
		tags[channel]++
		answer(channel, 60<<16|80, append(binary.BigEndian.AppendUint64(nil, tags[channel]), 0)...)
	}
	for {
		kind, channel, p, err := frame(c)
		if err != nil {
			return
		}
		switch kind {
		case 2: // header: class, weight, length of the body
			left[channel] = binary.BigEndian.Uint64(p[4:])
			if left[channel] == 0 {
				taken(channel)
			}
			continue
		case 3: // body
			left[channel] -= uint64(len(p) - 1)
			if left[channel] == 0 {
				taken(channel)
			}
			continue
		case 8: // heartbeat
			continue
		}
		switch method := binary.BigEndian.Uint32(p); method {
		case startOK:
			answer(0, 10<<16|30, 0x07, 0xff, 0, 2, 0, 0, 0, 60) // 2047 channels, frames of 128 KB, a minute
		case connOpen:
			answer(0, 10<<16|41, 0)
		case chanOpen:
			answer(channel, 20<<16|11, 0, 0, 0, 0)
		case confirm:
			tags[channel] = 0
			answer(channel, 85<<16|11)
		case chanClose:
			answer(channel, 20<<16|41)
		case connClose:
			answer(0, 10<<16|51)
			return
		case tuneOK, publish, 20<<16 | 41:
		default:
			log.Printf("broker: method %d.%d", method>>16, method&0xffff)
			return
		}
	}
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

// send writes a frame of a method.
func send(w io.Writer, channel uint16, method uint32, args []byte) {
	b := append([]byte{1}, byte(channel>>8), byte(channel))
	b = binary.BigEndian.AppendUint32(b, uint32(4+len(args)))
	b = binary.BigEndian.AppendUint32(b, method)
	w.Write(append(append(b, args...), 0xce))
}
