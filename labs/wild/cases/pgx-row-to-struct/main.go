// Parcels of a depot: a page shows those of a day, which are read from Postgres into structs and
// summed up by district. The database, a process of its own, speaks as much of the protocol as a
// query needs and has the rows at hand.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgproto3"
	"github.com/jackc/pgx/v5/pgxpool"

	"wild/service"
)

const parcels = 200

type parcel struct {
	ID        int64
	Sender    string
	Recipient string
	Street    string
	District  string
	Country   string
	Weight    int32
	Length    int32
	Width     int32
	Height    int32
	Express   bool
	Insured   bool
	Carrier   string
	Note      string
}

// columns are those of a parcel, with the types that Postgres has for them.
var columns = []struct {
	name string
	oid  uint32
}{
	{"note", 25}, {"carrier", 25}, {"insured", 16}, {"express", 16}, {"height", 23}, {"width", 23}, {"length", 23}, {"weight", 23},
	{"country", 25}, {"district", 25}, {"street", 25}, {"recipient", 25}, {"sender", 25}, {"id", 20},
}

type district struct {
	Parcels int   `json:"parcels"`
	Weight  int64 `json:"weight"`
	Express int   `json:"express"`
}

type depot struct{ pool *pgxpool.Pool }

func (d depot) day(ctx context.Context, day string) (map[string]*district, error) {
	rows, err := d.pool.Query(ctx, "select * from parcel where day = $1", day)
	if err != nil {
		return nil, err
	}
	all, err := pgx.CollectRows(rows, pgx.RowToStructByName[parcel])
	if err != nil {
		return nil, err
	}
	sums := make(map[string]*district)
	for _, p := range all {
		s := sums[p.District]
		if s == nil {
			s = new(district)
			sums[p.District] = s
		}
		s.Parcels++
		s.Weight += int64(p.Weight)
		if p.Express {
			s.Express++
		}
	}
	return sums, nil
}

func main() {
	if os.Getenv("ROLE") == "postgres" {
		postgres()
		return
	}
	config, err := pgxpool.ParseConfig("postgres://app@" + service.Beside("postgres") + "/depot?sslmode=disable&pool_max_conns=16")
	if err != nil {
		log.Fatal(err)
	}
	config.ConnConfig.DefaultQueryExecMode = pgx.QueryExecModeSimpleProtocol
	pool, err := pgxpool.NewWithConfig(context.Background(), config)
	if err != nil {
		log.Fatal(err)
	}
	d := depot{pool}
	http.HandleFunc("/parcels", func(w http.ResponseWriter, r *http.Request) {
		day, err := time.Parse(time.DateOnly, r.FormValue("day"))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		sums, err := d.day(r.Context(), day.Format(time.DateOnly))
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(sums)
	})
	service.Run(http.DefaultServeMux)
}

func postgres() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	page := answer()
	go func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			go serve(c, page)
		}
	}()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}

// answer is what is sent for every query.
func answer() []byte {
	var fields pgproto3.RowDescription
	for _, c := range columns {
		fields.Fields = append(fields.Fields, pgproto3.FieldDescription{Name: []byte(c.name), DataTypeOID: c.oid, DataTypeSize: -1, TypeModifier: -1})
	}
	messages := []pgproto3.BackendMessage{&fields}
	for i := range parcels {
		row := make([][]byte, len(columns))
		for j, c := range columns {
			switch c.oid {
			case 16:
				row[j] = []byte("ft"[i%2 : i%2+1])
			case 25:
				row[j] = fmt.Appendf(nil, "%s %d", c.name, i%7)
			default:
				row[j] = fmt.Append(nil, 10*i+j)
			}
		}
		messages = append(messages, &pgproto3.DataRow{Values: row})
	}
	messages = append(messages, &pgproto3.CommandComplete{CommandTag: []byte("SELECT 200")}, &pgproto3.ReadyForQuery{TxStatus: 'I'})
	var out []byte
	for _, m := range messages {
		var err error
		if out, err = m.Encode(out); err != nil {
			log.Fatal(err)
		}
	}
	return out
}

func serve(c net.Conn, page []byte) {
	defer c.Close()
	b := pgproto3.NewBackend(c, c)
	if _, err := b.ReceiveStartupMessage(); err != nil {
		return
	}
	b.Send(&pgproto3.AuthenticationOk{})
	b.Send(&pgproto3.ParameterStatus{Name: "standard_conforming_strings", Value: "on"})
	b.Send(&pgproto3.ParameterStatus{Name: "client_encoding", Value: "UTF8"})
	b.Send(&pgproto3.BackendKeyData{ProcessID: 1, SecretKey: 1})
	b.Send(&pgproto3.ReadyForQuery{TxStatus: 'I'})
	if b.Flush() != nil {
		return
	}
	for {
		m, err := b.Receive()
		if err != nil {
			return
		}
		if _, ok := m.(*pgproto3.Query); !ok {
			return
		}
		if _, err := c.Write(page); err != nil {
			return
		}
	}
}
