// An account service on database/sql and pgx. The database is a process of its own
// that speaks PostgreSQL's protocol: 2 ms for a new connection, as a server that
// forks and asks for a password needs, and 1 ms for a query.
package main

import (
	"database/sql"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"
	_ "github.com/jackc/pgx/v5/stdlib"

	"wild/service"
)

const places = 32

func main() {
	if os.Getenv("ROLE") == "database" {
		database()
		return
	}
	db, err := sql.Open("pgx", "postgres://app@"+service.Beside("database")+"/app?sslmode=disable&default_query_exec_mode=simple_protocol")
	if err != nil {
		log.Fatal(err)
	}
	db.SetMaxOpenConns(places)
	if service.After() {
		db.SetMaxIdleConns(places)
	}
	var seq atomic.Int64
	http.HandleFunc("/account", func(w http.ResponseWriter, r *http.Request) {
		var name string
		err := db.QueryRowContext(r.Context(), "SELECT name FROM account WHERE id = $1", seq.Add(1)).Scan(&name)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		fmt.Fprintln(w, name)
	})
	service.Run(http.DefaultServeMux)
}

func database() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go func() {
		for {
			conn, err := ln.Accept()
			if err != nil {
				return
			}
			go session(conn)
		}
	}()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}

// session is one connection: a welcome, and one row for each query.
func session(conn net.Conn) {
	defer conn.Close()
	b := pgproto3.NewBackend(conn, conn)
	if _, err := b.ReceiveStartupMessage(); err != nil {
		return
	}
	time.Sleep(2 * time.Millisecond)
	b.Send(&pgproto3.AuthenticationOk{})
	b.Send(&pgproto3.ParameterStatus{Name: "standard_conforming_strings", Value: "on"})
	b.Send(&pgproto3.ParameterStatus{Name: "client_encoding", Value: "UTF8"})
	b.Send(&pgproto3.ReadyForQuery{TxStatus: 'I'})
	const text = 25 // the OID of PostgreSQL's text
	for b.Flush() == nil {
		msg, err := b.Receive()
		if err != nil {
			return
		}
		if _, ok := msg.(*pgproto3.Query); !ok {
			return
		}
		time.Sleep(time.Millisecond)
		b.Send(&pgproto3.RowDescription{Fields: []pgproto3.FieldDescription{
			{Name: []byte("name"), DataTypeOID: text, DataTypeSize: -1, TypeModifier: -1},
		}})
		b.Send(&pgproto3.DataRow{Values: [][]byte{[]byte("Ada Lovelace")}})
		b.Send(&pgproto3.CommandComplete{CommandTag: []byte("SELECT 1")})
		b.Send(&pgproto3.ReadyForQuery{TxStatus: 'I'})
	}
}
