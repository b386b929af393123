// Orders of a warehouse: an order comes with its lines and is written to a Postgres in another zone, at the other end of a link that
// takes 1.5 ms each way. It runs as a process of its own.
package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/go-gorp/gorp/v3"
	"github.com/jackc/pgx/v5/pgproto3"
	_ "github.com/jackc/pgx/v5/stdlib"

	"wild/service"
)

const late = 1500 * time.Microsecond

// line is one of an order.
type line struct {
	Order   int64  `db:"order_id"`
	Number  int    `db:"number"`
	Article string `db:"article"`
	Pieces  int    `db:"pieces"`
}

// warehouse takes orders.
type warehouse struct {
	db   *gorp.DbMap
	last atomic.Int64
}

func open(address string) (*warehouse, error) {
	db, err := sql.Open("pgx", fmt.Sprintf("postgres://orders@%s/orders?sslmode=disable", address))
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(24)
	db.SetMaxIdleConns(24)
	w := &warehouse{db: &gorp.DbMap{Db: db, Dialect: gorp.PostgresDialect{}}}
	w.db.AddTableWithName(line{}, "order_line").SetKeys(false, "Order", "Number")
	return w, nil
}

// write writes the lines of an order, all or none.
func (s *warehouse) write(ctx context.Context, lines []line) error {
	tx, err := s.db.WithContext(ctx).(*gorp.DbMap).Begin()
	if err != nil {
		return err
	}
	if service.After() {
		err = insertAll(tx, lines)
	} else {
		var rows []any
		for i := range lines {
			rows = append(rows, &lines[i])
		}
		err = tx.Insert(rows...)
	}
	if err != nil {
		_ = tx.Rollback()
		return err
	}
	return tx.Commit()
}

// insertAll has one statement for all lines.
func insertAll(tx *gorp.Transaction, lines []line) error {
	var text strings.Builder
	var args []any
	text.WriteString(`insert into "order_line" ("order_id","number","article","pieces") values `)
	for i, l := range lines {
		if i > 0 {
			text.WriteByte(',')
		}
		n := len(args)
		fmt.Fprintf(&text, "($%d,$%d,$%d,$%d)", n+1, n+2, n+3, n+4)
		args = append(args, l.Order, l.Number, l.Article, l.Pieces)
	}
	_, err := tx.Exec(text.String(), args...)
	return err
}

func (s *warehouse) order(w http.ResponseWriter, r *http.Request) {
	var sent []struct {
		Article string
		Pieces  int
	}
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 64<<10)).Decode(&sent); err != nil || len(sent) == 0 || len(sent) > 100 {
		http.Error(w, "an order has lines", http.StatusBadRequest)
		return
	}
	id := s.last.Add(1)
	var lines []line
	for i, l := range sent {
		lines = append(lines, line{id, i + 1, l.Article, l.Pieces})
	}
	if err := s.write(r.Context(), lines); err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	fmt.Fprintf(w, "order %d, %d lines\n", id, len(lines))
}

func main() {
	if os.Getenv("ROLE") == "postgres" {
		postgres()
		return
	}
	s, err := open(service.Beside("postgres"))
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /orders", s.order)
	service.Run(mux)
}

// postgres answers behind the link.
func postgres() {
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
			near, far := net.Pipe()
			go service.Carry(near, c, late)
			go service.Carry(c, near, late)
			go session(far)
		}
	}()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}

// session takes rows, and knows no more of SQL than how many parameters a statement has.
func session(c net.Conn) {
	defer c.Close()
	b := pgproto3.NewBackend(c, c)
	if _, err := b.ReceiveStartupMessage(); err != nil {
		return
	}
	b.Send(&pgproto3.AuthenticationOk{})
	b.Send(&pgproto3.ParameterStatus{Name: "standard_conforming_strings", Value: "on"})
	b.Send(&pgproto3.ParameterStatus{Name: "client_encoding", Value: "UTF8"})
	status := byte('I')
	b.Send(&pgproto3.ReadyForQuery{TxStatus: status})
	parameters := 0
	for b.Flush() == nil {
		for ready := false; !ready; {
			m, err := b.Receive()
			if err != nil {
				return
			}
			switch m := m.(type) {
			case *pgproto3.Query:
				tag := strings.ToUpper(strings.Fields(m.String + " -")[0])
				status = map[bool]byte{true: 'T', false: 'I'}[tag == "BEGIN"]
				b.Send(&pgproto3.CommandComplete{CommandTag: []byte(tag)})
				b.Send(&pgproto3.ReadyForQuery{TxStatus: status})
				ready = true
			case *pgproto3.Parse:
				parameters = strings.Count(m.Query, "$")
				b.Send(&pgproto3.ParseComplete{})
			case *pgproto3.Describe:
				types := slices.Repeat([]uint32{20, 20, 25, 20}, parameters/4)
				b.Send(&pgproto3.ParameterDescription{ParameterOIDs: types})
				b.Send(&pgproto3.NoData{})
			case *pgproto3.Bind:
				b.Send(&pgproto3.BindComplete{})
			case *pgproto3.Execute:
				b.Send(&pgproto3.CommandComplete{CommandTag: []byte("INSERT 0 1")})
			case *pgproto3.Close:
				b.Send(&pgproto3.CloseComplete{})
			case *pgproto3.Sync:
				b.Send(&pgproto3.ReadyForQuery{TxStatus: status})
				ready = true
			default:
				return
			}
		}
	}
}
