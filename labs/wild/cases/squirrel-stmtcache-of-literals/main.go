// Auctions: what is for sale in a category and still open, with what was bid last, from a Postgres in another zone, at the other end
// of a link that takes 1.5 ms each way. It runs as a process of its own. Statements are prepared once and kept.
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
	"regexp"
	"strconv"
	"time"

	sq "github.com/Masterminds/squirrel"
	"github.com/jackc/pgx/v5/pgproto3"
	_ "github.com/lib/pq"

	"wild/service"
)

const late = 1500 * time.Microsecond

// lot is something for sale.
type lot struct {
	ID    int    `json:"id"`
	Title string `json:"title"`
	Cents int    `json:"cents"`
	Ends  int64  `json:"ends"`
}

// house holds auctions.
type house struct {
	db  *sql.DB
	sql sq.StatementBuilderType
}

func open(address string) (*house, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	db, err := sql.Open("postgres", fmt.Sprintf("host=%s port=%s user=auctions dbname=auctions sslmode=disable", host, port))
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(24)
	db.SetMaxIdleConns(24)
	return &house{db, sq.StatementBuilder.PlaceholderFormat(sq.Dollar).RunWith(sq.NewStmtCache(db))}, nil
}

// running are the lots of a category that can be bid for.
func (h *house) running(ctx context.Context, category, most int) ([]lot, error) {
	now := time.Now().UnixMilli()
	q := h.sql.Select("id", "title", "cents", "ends").From("lot").Where(sq.Eq{"category": category}).OrderBy("ends").Limit(20)
	if service.After() {
		q = q.Where(sq.Gt{"ends": now}).Where(sq.LtOrEq{"cents": most})
	} else {
		q = q.Where(fmt.Sprintf("ends > %d", now)).Where(sq.LtOrEq{"cents": most})
	}
	rows, err := q.QueryContext(ctx)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []lot
	for rows.Next() {
		var l lot
		if err := rows.Scan(&l.ID, &l.Title, &l.Cents, &l.Ends); err != nil {
			return nil, err
		}
		all = append(all, l)
	}
	return all, rows.Err()
}

func (h *house) serve(w http.ResponseWriter, r *http.Request) {
	category, err := strconv.Atoi(r.PathValue("category"))
	if err != nil {
		http.Error(w, "categories have numbers", http.StatusBadRequest)
		return
	}
	most, err := strconv.Atoi(r.FormValue("most"))
	if err != nil {
		most = 1_000_000
	}
	all, err := h.running(r.Context(), category, most)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"category": category, "lots": all})
}

func main() {
	if os.Getenv("ROLE") == "postgres" {
		postgres()
		return
	}
	h, err := open(service.Beside("postgres"))
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /categories/{category}/lots", h.serve)
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

var columns = []string{"id", "title", "cents", "ends"}

var parameter = regexp.MustCompile(`\$\d+`)

// session answers the one query that there is.
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
	parameters := map[string]int{}
	for b.Flush() == nil {
		for ready := false; !ready; {
			m, err := b.Receive()
			if err != nil {
				return
			}
			switch m := m.(type) {
			case *pgproto3.Parse:
				parameters[m.Name] = len(parameter.FindAllString(m.Query, -1))
				b.Send(&pgproto3.ParseComplete{})
			case *pgproto3.Describe:
				types := make([]uint32, parameters[m.Name])
				for i := range types {
					types[i] = 20
				}
				b.Send(&pgproto3.ParameterDescription{ParameterOIDs: types})
				var fields []pgproto3.FieldDescription
				for _, name := range columns {
					fields = append(fields, pgproto3.FieldDescription{Name: []byte(name), DataTypeOID: 25, DataTypeSize: -1})
				}
				b.Send(&pgproto3.RowDescription{Fields: fields})
			case *pgproto3.Bind:
				b.Send(&pgproto3.BindComplete{})
			case *pgproto3.Execute:
				for i := range 12 {
					b.Send(&pgproto3.DataRow{Values: [][]byte{strconv.AppendInt(nil, int64(7000+i), 10), fmt.Appendf(nil, "Clock, walnut, %d", 1890+i), strconv.AppendInt(nil, int64(4500+i*700), 10), strconv.AppendInt(nil, int64(1_900_000_000_000+i), 10)}})
				}
				b.Send(&pgproto3.CommandComplete{CommandTag: []byte("SELECT 12")})
			case *pgproto3.Close:
				b.Send(&pgproto3.CloseComplete{})
			case *pgproto3.Sync:
				b.Send(&pgproto3.ReadyForQuery{TxStatus: 'I'})
				ready = true
			default:
				return
			}
		}
	}
}
