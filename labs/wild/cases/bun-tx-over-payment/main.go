// Checkout of a shop: an order is written to Postgres with bun, paid with a provider over HTTP,
// and marked as paid. The database takes 1 ms for a statement and allows 8 connections; the
// provider takes 25 ms. Both are a process of their own.
package main

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"
	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/pgdialect"
	"github.com/uptrace/bun/driver/pgdriver"

	"wild/service"
)

const places = 8

type order struct {
	ID     int64  `bun:"id,pk" json:"id"`
	Amount int    `bun:"amount" json:"amount"`
	State  string `bun:"state" json:"state"`
}

type shop struct {
	db       *bun.DB
	client   *http.Client
	provider string
}

// pay has the provider take the money.
func (s *shop) pay(ctx context.Context, o *order) error {
	body, err := json.Marshal(o)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.provider, bytes.NewReader(body))
	if err != nil {
		return err
	}
	res, err := s.client.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if _, err := io.Copy(io.Discard, res.Body); err != nil {
		return err
	}
	o.State = "paid"
	return nil
}

// place writes, pays and marks an order.
func (s *shop) place(ctx context.Context, db bun.IDB, o *order) error {
	if _, err := db.NewInsert().Model(o).Exec(ctx); err != nil {
		return err
	}
	if err := s.pay(ctx, o); err != nil {
		return err
	}
	_, err := db.NewUpdate().Model(o).Column("state").WherePK().Exec(ctx)
	return err
}

func main() {
	if os.Getenv("ROLE") == "neighbours" {
		neighbours()
		return
	}
	postgres, provider, _ := strings.Cut(service.Beside("neighbours"), " ")
	db := sql.OpenDB(pgdriver.NewConnector(pgdriver.WithAddr(postgres), pgdriver.WithInsecure(true),
		pgdriver.WithUser("app"), pgdriver.WithDatabase("shop")))
	db.SetMaxOpenConns(places)
	db.SetMaxIdleConns(places)
	s := &shop{
		db:       bun.NewDB(db, pgdialect.New()),
		client:   &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}},
		provider: "http://" + provider,
	}
	checkout := func(ctx context.Context, o *order) error {
		return s.db.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error { return s.place(ctx, tx, o) })
	}
	if service.After() {
		checkout = func(ctx context.Context, o *order) error { return s.place(ctx, s.db, o) }
	}
	var seq atomic.Int64
	http.HandleFunc("/checkout", func(w http.ResponseWriter, r *http.Request) {
		o := &order{ID: seq.Add(1), Amount: 1995, State: "new"}
		if err := checkout(r.Context(), o); err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(o)
	})
	service.Run(http.DefaultServeMux)
}

func neighbours() {
	database, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	provider, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go func() {
		for {
			c, err := database.Accept()
			if err != nil {
				return
			}
			go serve(c)
		}
	}()
	go http.Serve(provider, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		time.Sleep(25 * time.Millisecond)
		io.WriteString(w, "{\"accepted\":true}")
	}))
	fmt.Println(database.Addr(), provider.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}

// serve speaks as much of the protocol of Postgres as statements without parameters need.
func serve(c net.Conn) {
	defer c.Close()
	b := pgproto3.NewBackend(c, c)
	if _, err := b.ReceiveStartupMessage(); err != nil {
		return
	}
	b.Send(&pgproto3.AuthenticationOk{})
	b.Send(&pgproto3.BackendKeyData{ProcessID: 1, SecretKey: 4711})
	b.Send(&pgproto3.ReadyForQuery{TxStatus: 'I'})
	if b.Flush() != nil {
		return
	}
	for {
		m, err := b.Receive()
		if err != nil {
			return
		}
		q, ok := m.(*pgproto3.Query)
		if !ok {
			return
		}
		tag, _, _ := strings.Cut(strings.TrimRight(q.String, ";"), " ")
		switch tag {
		case "INSERT":
			tag = "INSERT 0 1"
		case "UPDATE":
			tag = "UPDATE 1"
		}
		time.Sleep(time.Millisecond)
		b.Send(&pgproto3.CommandComplete{CommandTag: []byte(tag)})
		b.Send(&pgproto3.ReadyForQuery{TxStatus: 'I'})
		if b.Flush() != nil {
			return
		}
	}
}
