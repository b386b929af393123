// Accounts in Postgres, through sqlx and lib/pq. The database, a process of its own that
// speaks as much of the protocol as a query needs, takes 8 ms to let a client in and 4 ms
// for a query.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"
	"github.com/jmoiron/sqlx"
	_ "github.com/lib/pq"

	"wild/service"
)

// config is as the deployment has it: the lifetime is meant in seconds.
type config struct {
	MaxOpen     int `json:"db_max_open"`
	MaxIdle     int `json:"db_max_idle"`
	MaxLifetime int `json:"db_conn_max_lifetime"`
}

type account struct {
	ID      string `db:"id" json:"id"`
	Balance string `db:"balance" json:"balance"`
}

func main() {
	if os.Getenv("ROLE") == "postgres" {
		postgres()
		return
	}
	var c config
	if err := json.Unmarshal([]byte(`{"db_max_open": 32, "db_max_idle": 32, "db_conn_max_lifetime": 1800}`), &c); err != nil {
		log.Fatal(err)
	}
	db, err := sqlx.Open("postgres", "postgres://app@"+service.Beside("postgres")+"/accounts?sslmode=disable")
	if err != nil {
		log.Fatal(err)
	}
	db.SetMaxOpenConns(c.MaxOpen)
	db.SetMaxIdleConns(c.MaxIdle)
	lifetime := time.Duration(c.MaxLifetime)
	if service.After() {
		lifetime *= time.Second
	}
	db.SetConnMaxLifetime(lifetime)

	var seq atomic.Int64
	http.HandleFunc("/balance", func(w http.ResponseWriter, r *http.Request) {
		var a account
		err := db.GetContext(r.Context(), &a, "select id, balance from account where id = $1", seq.Add(1)%1000)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(a)
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
	time.Sleep(8 * time.Millisecond) // a process is forked, and the client authenticated
	b.Send(&pgproto3.AuthenticationOk{})
	b.Send(&pgproto3.ParameterStatus{Name: "standard_conforming_strings", Value: "on"})
	b.Send(&pgproto3.ParameterStatus{Name: "client_encoding", Value: "UTF8"})
	b.Send(&pgproto3.BackendKeyData{ProcessID: 1, SecretKey: []byte{1, 2, 3, 4}})
	b.Send(&pgproto3.ReadyForQuery{TxStatus: 'I'})
	if b.Flush() != nil {
		return
	}
	var id []byte
	for {
		m, err := b.Receive()
		if err != nil {
			return
		}
		switch m := m.(type) {
		case *pgproto3.Parse:
			b.Send(&pgproto3.ParseComplete{})
		case *pgproto3.Describe:
			b.Send(&pgproto3.ParameterDescription{ParameterOIDs: []uint32{25}})
			b.Send(&pgproto3.RowDescription{Fields: []pgproto3.FieldDescription{
				{Name: []byte("id"), DataTypeOID: 25, DataTypeSize: -1},
				{Name: []byte("balance"), DataTypeOID: 25, DataTypeSize: -1},
			}})
		case *pgproto3.Bind:
			id = append([]byte(nil), m.Parameters[0]...)
			b.Send(&pgproto3.BindComplete{})
		case *pgproto3.Execute:
			time.Sleep(4 * time.Millisecond)
			b.Send(&pgproto3.DataRow{Values: [][]byte{id, []byte("100.00")}})
			b.Send(&pgproto3.CommandComplete{CommandTag: []byte("SELECT 1")})
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
