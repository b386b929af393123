// Statements of customers: who it is, what is open, what was paid last, from a Postgres in another
// zone, at the other end of a link that takes 2 ms each way. It runs as a process of its own.
package main

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"
	_ "github.com/lib/pq"

	"wild/service"
)

const late = 2 * time.Millisecond

type invoice struct {
	Number string `json:"number"`
	Cents  int64  `json:"cents"`
	Due    string `json:"due"`
}

type statement struct {
	Customer string    `json:"customer"`
	Name     string    `json:"name"`
	Open     []invoice `json:"open"`
	Sum      string    `json:"sum"`
	LastPaid string    `json:"last_paid"`
}

type ledger struct{ db *sql.DB }

func (l ledger) customer(ctx context.Context, id string) (name string, err error) {
	err = l.db.QueryRowContext(ctx, "select name from customer where id = $1", id).Scan(&name)
	return name, err
}

func (l ledger) open(ctx context.Context, id string) ([]invoice, error) {
	rows, err := l.db.QueryContext(ctx, "select number, cents, due from invoice where customer = $1 and paid is null order by due", id)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []invoice
	for rows.Next() {
		var i invoice
		if err := rows.Scan(&i.Number, &i.Cents, &i.Due); err != nil {
			return nil, err
		}
		all = append(all, i)
	}
	return all, rows.Err()
}

func (l ledger) lastPaid(ctx context.Context, id string) (at string, err error) {
	err = l.db.QueryRowContext(ctx, "select max(paid) from payment where customer = $1", id).Scan(&at)
	return at, err
}

func (l ledger) statement(ctx context.Context, id string) (*statement, error) {
	name, err := l.customer(ctx, id)
	if err != nil {
		return nil, fmt.Errorf("customer %s: %w", id, err)
	}
	open, err := l.open(ctx, id)
	if err != nil {
		return nil, fmt.Errorf("open invoices of %s: %w", id, err)
	}
	paid, err := l.lastPaid(ctx, id)
	if err != nil {
		return nil, fmt.Errorf("last payment of %s: %w", id, err)
	}
	var sum int64
	for _, i := range open {
		sum += i.Cents
	}
	return &statement{id, name, open, fmt.Sprintf("%d.%02d", sum/100, sum%100), paid}, nil
}

var wanted = regexp.MustCompile(`^c-[0-9]{1,6}$`)

func main() {
	if os.Getenv("ROLE") == "postgres" {
		postgres()
		return
	}
	dsn := "postgres://app@" + service.Beside("postgres") + "/billing?sslmode=disable"
	if service.After() {
		dsn += "&binary_parameters=yes"
	}
	db, err := sql.Open("postgres", dsn)
	if err != nil {
		log.Fatal(err)
	}
	db.SetMaxOpenConns(48)
	db.SetMaxIdleConns(48)
	l := ledger{db}
	http.HandleFunc("GET /customers/{id}/statement", func(w http.ResponseWriter, r *http.Request) {
		id := r.PathValue("id")
		if !wanted.MatchString(id) {
			http.Error(w, "a customer is c-123", http.StatusBadRequest)
			return
		}
		s, err := l.statement(r.Context(), id)
		switch {
		case errors.Is(err, sql.ErrNoRows):
			http.NotFound(w, r)
			return
		case err != nil:
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(s)
	})
	service.Run(http.DefaultServeMux)
}

// postgres answers the three queries.
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

type table struct {
	columns []string
	rows    func(id []byte) [][][]byte
}

func find(query []byte) table {
	switch {
	case bytes.Contains(query, []byte("from customer")):
		return table{[]string{"name"}, func(id []byte) [][][]byte { return [][][]byte{{append([]byte("Customer "), id...)}} }}
	case bytes.Contains(query, []byte("from invoice")):
		return table{[]string{"number", "cents", "due"}, func(id []byte) [][][]byte {
			var rows [][][]byte
			for i := range 6 {
				rows = append(rows, [][]byte{fmt.Appendf(nil, "R-%s-%d", id, i), strconv.AppendInt(nil, int64(1990+i*735), 10), fmt.Appendf(nil, "2026-12-%02d", i+1)})
			}
			return rows
		}}
	}
	return table{[]string{"max"}, func([]byte) [][][]byte { return [][][]byte{{[]byte("2026-11-02")}} }}
}

func session(c net.Conn) {
	defer c.Close()
	b := pgproto3.NewBackend(c, c)
	if _, err := b.ReceiveStartupMessage(); err != nil {
		return
	}
	b.Send(&pgproto3.AuthenticationOk{})
	b.Send(&pgproto3.ParameterStatus{Name: "standard_conforming_strings", Value: "on"})
	b.Send(&pgproto3.ParameterStatus{Name: "client_encoding", Value: "UTF8"})
	b.Send(&pgproto3.BackendKeyData{ProcessID: 1, SecretKey: []byte{1, 2, 3, 4}})
	b.Send(&pgproto3.ReadyForQuery{TxStatus: 'I'})
	if b.Flush() != nil {
		return
	}
	var asked table
	var id []byte
	for {
		m, err := b.Receive()
		if err != nil {
			return
		}
		switch m := m.(type) {
		case *pgproto3.Parse:
			asked = find([]byte(m.Query))
			b.Send(&pgproto3.ParseComplete{})
		case *pgproto3.Describe:
			if m.ObjectType == 'S' {
				b.Send(&pgproto3.ParameterDescription{ParameterOIDs: []uint32{25}})
			}
			var fields []pgproto3.FieldDescription
			for _, name := range asked.columns {
				fields = append(fields, pgproto3.FieldDescription{Name: []byte(name), DataTypeOID: 25, DataTypeSize: -1})
			}
			b.Send(&pgproto3.RowDescription{Fields: fields})
		case *pgproto3.Bind:
			id = append(id[:0], m.Parameters[0]...)
			b.Send(&pgproto3.BindComplete{})
		case *pgproto3.Execute:
			rows := asked.rows(id)
			for _, row := range rows {
				b.Send(&pgproto3.DataRow{Values: row})
			}
			b.Send(&pgproto3.CommandComplete{CommandTag: fmt.Appendf(nil, "SELECT %d", len(rows))})
		case *pgproto3.Close:
			b.Send(&pgproto3.CloseComplete{})
		case *pgproto3.Sync:
			b.Send(&pgproto3.ReadyForQuery{TxStatus: 'I'})
			if b.Flush() != nil {
				return
			}
		default:
			return
		}
	}
}
