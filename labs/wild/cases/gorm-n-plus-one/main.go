// A list of orders, each with its customer, through gorm. The database, a process of
// its own, answers the two queries of this service and is 1 ms away.
package main

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"gorm.io/driver/mysql"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"

	"wild/service"
)

type customer struct {
	ID   int64
	Name string
}

type order struct {
	ID         int64
	CustomerID int64
	Customer   customer
}

func main() {
	if os.Getenv("ROLE") == "database" {
		database()
		return
	}
	pool := sql.OpenDB(connector(service.Beside("database")))
	pool.SetMaxIdleConns(64)
	db, err := gorm.Open(mysql.New(mysql.Config{Conn: pool, SkipInitializeWithVersion: true}), &gorm.Config{
		Logger: logger.Discard, DisableAutomaticPing: true,
	})
	if err != nil {
		log.Fatal(err)
	}
	list := oneByOne
	if service.After() {
		list = preloaded
	}
	http.HandleFunc("/orders", func(w http.ResponseWriter, r *http.Request) {
		orders, err := list(db.WithContext(r.Context()))
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(orders)
	})
	service.Run(http.DefaultServeMux)
}

// oneByOne asks for the customer of each order.
func oneByOne(db *gorm.DB) ([]order, error) {
	var orders []order
	if err := db.Limit(25).Find(&orders).Error; err != nil {
		return nil, err
	}
	for i := range orders {
		if err := db.Where("id = ?", orders[i].CustomerID).Find(&orders[i].Customer).Error; err != nil {
			return nil, err
		}
	}
	return orders, nil
}

func preloaded(db *gorm.DB) ([]order, error) {
	var orders []order
	err := db.Preload("Customer").Limit(25).Find(&orders).Error
	return orders, err
}

// The protocol of the database: a line of JSON each way.
type question struct {
	Query string
	Args  []int64
}

type rows struct {
	Names []string
	Data  [][]driver.Value
	next  int
}

func (r *rows) Columns() []string { return r.Names }
func (r *rows) Close() error      { return nil }
func (r *rows) Next(dest []driver.Value) error {
	if r.next == len(r.Data) {
		return io.EOF
	}
	for i, v := range r.Data[r.next] {
		if f, ok := v.(float64); ok {
			v = int64(f)
		}
		dest[i] = v
	}
	r.next++
	return nil
}

type connector string

func (c connector) Driver() driver.Driver { return nil }
func (c connector) Connect(ctx context.Context) (driver.Conn, error) {
	var d net.Dialer
	nc, err := d.DialContext(ctx, "tcp", string(c))
	if err != nil {
		return nil, err
	}
	return &conn{nc, json.NewEncoder(nc), json.NewDecoder(nc)}, nil
}

type conn struct {
	net.Conn
	enc *json.Encoder
	dec *json.Decoder
}

func (c *conn) Prepare(string) (driver.Stmt, error) { return nil, errors.New("not here") }
func (c *conn) Begin() (driver.Tx, error)           { return nil, errors.New("not here") }

func (c *conn) QueryContext(_ context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	q := question{Query: query}
	for _, a := range args {
		if n, ok := a.Value.(int64); ok {
			q.Args = append(q.Args, n)
		}
	}
	if err := c.enc.Encode(q); err != nil {
		return nil, err
	}
	var r rows
	if err := c.dec.Decode(&r); err != nil {
		return nil, err
	}
	return &r, nil
}

func database() {
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
			go answer(c)
		}
	}()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}

func answer(c net.Conn) {
	defer c.Close()
	enc, dec := json.NewEncoder(c), json.NewDecoder(c)
	for {
		var q question
		if dec.Decode(&q) != nil {
			return
		}
		time.Sleep(time.Millisecond)
		var r rows
		if strings.Contains(q.Query, "`customers`") {
			r.Names = []string{"id", "name"}
			for _, id := range q.Args {
				r.Data = append(r.Data, []driver.Value{id, fmt.Sprint("customer ", id)})
			}
		} else {
			r.Names = []string{"id", "customer_id"}
			for i := range 25 {
				r.Data = append(r.Data, []driver.Value{i + 1, 100 + i})
			}
		}
		if enc.Encode(&r) != nil {
			return
		}
	}
}
