// Tills of a market: each sends its receipts, and they go to Kafka compressed, a topic with sixteen partitions. The broker,
// a process of its own that speaks as much of the protocol as this needs, takes them and keeps nothing.
package main

import (
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

	"github.com/Shopify/sarama"

	"wild/service"
)

const topic, partitions = "receipts", 16

// receipt is what was bought at a till.
type receipt struct {
	Till  string `json:"till"`
	Cents int    `json:"cents"`
	Lines []line `json:"lines"`
}

type line struct {
	Article string `json:"article"`
	Pieces  int    `json:"pieces"`
}

// market sends receipts on.
type market struct{ out sarama.SyncProducer }

func open(address string) (*market, error) {
	c := sarama.NewConfig()
	c.Version = sarama.V0_11_0_0
	c.Producer.Compression = sarama.CompressionGZIP
	c.Producer.RequiredAcks = sarama.WaitForLocal
	c.Producer.Return.Successes = true
	c.Producer.Partitioner = sarama.NewHashPartitioner
	out, err := sarama.NewSyncProducer([]string{address}, c)
	return &market{out}, err
}

func (m *market) send(receipts []receipt) error {
	all := make([]*sarama.ProducerMessage, len(receipts))
	for i, r := range receipts {
		b, err := json.Marshal(r)
		if err != nil {
			return err
		}
		all[i] = &sarama.ProducerMessage{Topic: topic, Key: sarama.StringEncoder(r.Till), Value: sarama.ByteEncoder(b)}
	}
	return m.out.SendMessages(all)
}

func main() {
	if os.Getenv("ROLE") == "broker" {
		broker()
		return
	}
	m, err := open(service.Beside("broker"))
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /receipts", func(w http.ResponseWriter, r *http.Request) {
		var all []receipt
		if err := json.NewDecoder(io.LimitReader(r.Body, 64<<10)).Decode(&all); err != nil || len(all) == 0 {
			http.Error(w, "receipts are of a till", http.StatusBadRequest)
			return
		}
		if err := m.send(all); err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		fmt.Fprintf(w, `{"kept":%d}`, len(all))
	})
	service.Run(mux)
}

func broker() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	_, port, err := net.SplitHostPort(ln.Addr().String())
	if err != nil {
		log.Fatal(err)
	}
	n, err := strconv.Atoi(port)
	if err != nil {
		log.Fatal(err)
	}
	go func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				if err := serve(c, uint32(n)); err != nil && !errors.Is(err, io.EOF) {
					log.Println(err)
				}
			}()
		}
	}()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}

// serve answers requests: a length, what is asked, its version, its number, and the name of the client.
func serve(c net.Conn, port uint32) error {
	be := binary.BigEndian
	var size [4]byte
	for {
		if _, err := io.ReadFull(c, size[:]); err != nil {
			return err
		}
		b := make([]byte, be.Uint32(size[:]))
		if _, err := io.ReadFull(c, b); err != nil {
			return err
		}
		kind, body := be.Uint16(b), b[10+be.Uint16(b[8:]):]
		out := append([]byte{0, 0, 0, 0}, b[4:8]...)
		switch kind {
		case 0:
			out = produced(out, body)
		case 3:
			out = metadata(out, be.Uint16(b[2:]), port)
		default:
			return fmt.Errorf("broker: request of kind %d", kind)
		}
		be.PutUint32(out, uint32(len(out)-4))
		if _, err := c.Write(out); err != nil {
			return err
		}
	}
}

// metadata says that this broker leads all partitions.
func metadata(out []byte, version uint16, port uint32) []byte {
	be := binary.BigEndian
	text := func(s string) { out = append(be.AppendUint16(out, uint16(len(s))), s...) }
	out = be.AppendUint32(be.AppendUint32(out, 1), 1)
	text("127.0.0.1")
	out = be.AppendUint32(out, port)
	if version > 0 {
		out = be.AppendUint32(be.AppendUint16(out, 0xffff), 1) // no rack; the controller
	}
	out = be.AppendUint16(be.AppendUint32(out, 1), 0)
	text(topic)
	if version > 0 {
		out = append(out, 0) // not internal
	}
	out = be.AppendUint32(out, partitions)
	for p := range uint32(partitions) {
		out = be.AppendUint32(be.AppendUint32(be.AppendUint16(out, 0), p), 1)
		for range 2 { // replicas, and those in sync
			out = be.AppendUint32(be.AppendUint32(out, 1), 1)
		}
	}
	return out
}

// produced says that all was kept.
func produced(out, body []byte) []byte {
	be := binary.BigEndian
	body = body[2+2+4:] // no transaction, acks, timeout
	topics := be.Uint32(body)
	out, body = be.AppendUint32(out, topics), body[4:]
	for range topics {
		name := 2 + int(be.Uint16(body))
		n := be.Uint32(body[name:])
		out, body = append(out, body[:name+4]...), body[name+4:]
		for range n {
			out = be.AppendUint64(be.AppendUint64(be.AppendUint16(append(out, body[:4]...), 0), 0), 1<<64-1)
			body = body[8+be.Uint32(body[4:]):]
		}
	}
	return be.AppendUint32(out, 0)
}
