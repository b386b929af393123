// Readings of meters: each is checked and put into ClickHouse, which is a process of its own.
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
	"sync/atomic"
	"time"

	"github.com/ClickHouse/ch-go/proto"
	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"

	"wild/service"
)

// reading is what a meter said.
type reading struct {
	Meter string  `json:"meter"`
	Kind  string  `json:"kind"`
	Value float64 `json:"value"`
}

// store has the readings.
type store struct {
	db    driver.Conn
	taken atomic.Int64
}

func open(address string) (*store, error) {
	options := &clickhouse.Options{
		Addr:        []string{address},
		Auth:        clickhouse.Auth{Database: "metering", Username: "metering"},
		DialTimeout: 5 * time.Second,
	}
	if service.After() {
		options.MaxOpenConns, options.MaxIdleConns = 48, 48
	}
	db, err := clickhouse.Open(options)
	return &store{db: db}, err
}

var (
	errReading = errors.New("a reading has a meter, a kind and a value that can be")
	limits     = map[string]float64{"power": 40000, "water": 900, "heat": 120, "gas": 700}
)

func (s *store) put(ctx context.Context, r reading) error {
	most, ok := limits[r.Kind]
	if !ok || r.Meter == "" || r.Value < 0 || r.Value > most {
		return errReading
	}
	err := s.db.AsyncInsert(ctx, "INSERT INTO readings (meter, kind, value, at) VALUES (?, ?, ?, ?)", true, r.Meter, r.Kind, r.Value, time.Now().UTC())
	if err == nil {
		s.taken.Add(1)
	}
	return err
}

func main() {
	if os.Getenv("ROLE") == "clickhouse" {
		serveClickHouse()
		return
	}
	s, err := open(service.Beside("clickhouse"))
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /readings", func(w http.ResponseWriter, r *http.Request) {
		var in reading
		if err := json.NewDecoder(io.LimitReader(r.Body, 4<<10)).Decode(&in); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		err := s.put(r.Context(), in)
		switch {
		case errors.Is(err, errReading):
			http.Error(w, err.Error(), http.StatusUnprocessableEntity)
		case err != nil:
			http.Error(w, err.Error(), http.StatusBadGateway)
		default:
			w.WriteHeader(http.StatusCreated)
		}
	})
	mux.HandleFunc("GET /readings/count", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, s.taken.Load()) })
	service.Run(mux)
	s.db.Close()
}

// serveClickHouse stands for ClickHouse: it takes what is inserted, one after another on a connection, and 8 ms later
// it is there.
func serveClickHouse() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go func() {
		for {
			conn, err := ln.Accept()
			if err != nil {
				log.Fatal(err)
			}
			go func() {
				defer conn.Close()
				if err := converse(conn); err != nil && !errors.Is(err, io.EOF) {
					log.Println(err)
				}
			}()
		}
	}()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}

// converse is a connection of the native protocol.
func converse(conn net.Conn) error {
	in, out := proto.NewReader(conn), new(proto.Buffer)
	var hello proto.ClientHello
	if _, err := in.UVarInt(); err != nil {
		return err
	}
	if err := hello.Decode(in); err != nil {
		return err
	}
	version := min(hello.ProtocolVersion, 54458) // what came later is not needed
	(&proto.ServerHello{Name: "ClickHouse", Major: 25, Revision: version, Timezone: "UTC", DisplayName: "one"}).EncodeAware(out, version)
	if _, err := conn.Write(out.Buf); err != nil {
		return err
	}
	if _, err := in.Str(); err != nil { // the key of a quota
		return err
	}
	for {
		code, err := in.UVarInt()
		if err != nil {
			return err
		}
		out.Reset()
		switch proto.ClientCode(code) {
		case proto.ClientCodePing:
			proto.ServerCodePong.Encode(out)
		case proto.ClientCodeQuery:
			var q proto.Query
			if err := q.DecodeAware(in, version); err != nil {
				return err
			}
			continue
		case proto.ClientCodeData: // an empty one, that ends the query
			var (
				data  proto.ClientData
				block proto.Block
			)
			if err := errors.Join(data.DecodeAware(in, version), block.DecodeBlock(in, version, nil)); err != nil {
				return err
			}
			time.Sleep(8 * time.Millisecond)
			proto.ServerCodeEndOfStream.Encode(out)
		default:
			return fmt.Errorf("packet %d", code)
		}
		if _, err := conn.Write(out.Buf); err != nil {
			return err
		}
	}
}
