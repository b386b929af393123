// Prices of a wholesaler: what an article costs a customer now, from a Postgres in another zone, at the other end of a link
// that takes 2 ms each way. It runs as a process of its own.
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
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgproto3"
	"github.com/jackc/pgx/v5/pgxpool"

	"wild/service"
)

const late = 2 * time.Millisecond

type price struct {
	Article  string `json:"article"`
	Customer string `json:"customer"`
	Cents    string `json:"cents"`
	Unit     string `json:"unit"`
}

// list is the list of prices.
type list struct{ pool *pgxpool.Pool }

func open(address string) (list, error) {
	config, err := pgxpool.ParseConfig("postgres://app@" + address + "/prices?sslmode=disable")
	if err != nil {
		return list{}, err
	}
	config.MaxConns, config.MinConns = 40, 40
	pool, err := pgxpool.NewWithConfig(context.Background(), config)
	return list{pool}, err
}

var names = regexp.MustCompile(`^[a-z]-[0-9]{1,6}$`) // nothing that would have to be quoted

const columns = "select cents::text, unit from price where "

// price is that of an article for a customer at a time.
func (l list) price(ctx context.Context, article, customer string, at time.Time) (*price, error) {
	out := &price{Article: article, Customer: customer}
	var row pgx.Row
	if service.After() {
		row = l.pool.QueryRow(ctx, columns+"article = $1 and customer in ($2, 'any') and valid @> $3::text::timestamptz order by cents limit 1",
			article, customer, at.Format(time.RFC3339Nano))
	} else {
		row = l.pool.QueryRow(ctx, columns+fmt.Sprintf("article = '%s' and customer in ('%s', 'any') and valid @> '%s'::timestamptz order by cents limit 1",
			article, customer, at.Format(time.RFC3339Nano)))
	}
	return out, row.Scan(&out.Cents, &out.Unit)
}

func main() {
	if os.Getenv("ROLE") == "postgres" {
		postgres()
		return
	}
	l, err := open(service.Beside("postgres"))
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /articles/{article}/price", func(w http.ResponseWriter, r *http.Request) {
		article, customer := r.PathValue("article"), r.FormValue("for")
		if !names.MatchString(article) || !names.MatchString(customer) {
			http.Error(w, "an article is a-1, and a customer is c-1", http.StatusBadRequest)
			return
		}
		out, err := l.price(r.Context(), article, customer, time.Now())
		switch {
		case errors.Is(err, pgx.ErrNoRows):
			http.NotFound(w, r)
			return
		case err != nil:
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(out)
	})
	service.Run(mux)
}

// postgres has prices.
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

func greet(b *pgproto3.Backend) error {
	if _, err := b.ReceiveStartupMessage(); err != nil {
		return err
	}
	b.Send(&pgproto3.AuthenticationOk{})
	b.Send(&pgproto3.ParameterStatus{Name: "standard_conforming_strings", Value: "on"})
	b.Send(&pgproto3.ParameterStatus{Name: "client_encoding", Value: "UTF8"})
	b.Send(&pgproto3.BackendKeyData{ProcessID: 1, SecretKey: []byte{1, 2, 3, 4}})
	b.Send(&pgproto3.ReadyForQuery{TxStatus: 'I'})
	return b.Flush()
}

// article finds the number of the article that is asked for.
func article(query string, values [][]byte) int {
	name := strings.Split(query+"'a-0'", "'")[1]
	if len(values) > 0 {
		name = string(values[0])
	}
	n, _ := strconv.Atoi(strings.TrimPrefix(name, "a-"))
	return n
}

// kinds are those of what a statement leaves open.
func kinds(query string) []uint32 {
	out := []uint32{}
	for range strings.Count(query, "$") {
		out = append(out, 25)
	}
	return out
}

func session(c net.Conn) {
	defer c.Close()
	b := pgproto3.NewBackend(c, c)
	if greet(b) != nil {
		return
	}
	parsed := map[string]string{}
	query, n := "", 0
	text := func(name string) pgproto3.FieldDescription {
		return pgproto3.FieldDescription{Name: []byte(name), DataTypeOID: 25, DataTypeSize: -1}
	}
	for {
		m, err := b.Receive()
		if err != nil {
			return
		}
		switch m := m.(type) {
		case *pgproto3.Parse:
			query = m.Query
			parsed[m.Name] = query
			b.Send(&pgproto3.ParseComplete{})
		case *pgproto3.Describe:
			if m.ObjectType == 'S' {
				b.Send(&pgproto3.ParameterDescription{ParameterOIDs: kinds(query)})
			}
			b.Send(&pgproto3.RowDescription{Fields: []pgproto3.FieldDescription{text("cents"), text("unit")}})
		case *pgproto3.Bind:
			n = article(parsed[m.PreparedStatement], m.Parameters)
			b.Send(&pgproto3.BindComplete{})
		case *pgproto3.Execute:
			b.Send(&pgproto3.DataRow{Values: [][]byte{strconv.AppendInt(nil, int64(95+n*37%9000), 10), []byte("piece")}})
			b.Send(&pgproto3.CommandComplete{CommandTag: []byte("SELECT 1")})
		case *pgproto3.Close:
			delete(parsed, m.Name)
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
