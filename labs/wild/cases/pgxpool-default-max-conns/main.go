// Accounts in Postgres, through pgxpool. The database, a process of its own that
// speaks as much of the protocol as a query needs, takes 8 ms for each.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgproto3"
	"github.com/jackc/pgx/v5/pgxpool"

	"wild/service"
)

func main() {
	if os.Getenv("ROLE") == "postgres" {
		postgres()
		return
	}
	config, err := pgxpool.ParseConfig("postgres://app@" + service.Beside("postgres") + "/accounts?sslmode=disable")
	if err != nil {
		log.Fatal(err)
	}
	config.ConnConfig.DefaultQueryExecMode = pgx.QueryExecModeSimpleProtocol
	if service.After() {
		config.MaxConns = 64
	}
	pool, err := pgxpool.NewWithConfig(context.Background(), config)
	if err != nil {
		log.Fatal(err)
	}
	var seq atomic.Int64
	http.HandleFunc("/balance", func(w http.ResponseWriter, r *http.Request) {
		var balance string
		err := pool.QueryRow(r.Context(), "select balance from account where id = $1", seq.Add(1)%1000).Scan(&balance)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		fmt.Fprintln(w, balance)
	})
	service.Run(http.DefaultServeMux)
}

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
			go serve(c)
		}
	}()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}

func serve(c net.Conn) {
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
	for {
		m, err := b.Receive()
		if err != nil {
			return
		}
		if _, ok := m.(*pgproto3.Query); !ok {
			return
		}
		time.Sleep(8 * time.Millisecond)
		b.Send(&pgproto3.RowDescription{Fields: []pgproto3.FieldDescription{{Name: []byte("balance"), DataTypeOID: 25, DataTypeSize: -1}}})
		b.Send(&pgproto3.DataRow{Values: [][]byte{[]byte("100.00")}})
		b.Send(&pgproto3.CommandComplete{CommandTag: []byte("SELECT 1")})
		b.Send(&pgproto3.ReadyForQuery{TxStatus: 'I'})
		if b.Flush() != nil {
			return
		}
	}
}
