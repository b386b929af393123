// Shipping rates, asked of a carrier over its line protocol. The connections to the carrier
// are kept in a pool of go-commons-pool. The carrier, a process of its own, takes 10 ms for an answer.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/textproto"
	"os"
	"strconv"
	"strings"
	"time"

	pool "github.com/jolestar/go-commons-pool/v2"

	"wild/service"
)

type rate struct {
	Zip   string `json:"zip"`
	Grams int    `json:"grams"`
	Cents int    `json:"cents"`
}

type carrier struct {
	conns *pool.ObjectPool
}

// rate asks for the price of a parcel. A connection that failed is not used again.
func (c *carrier) rate(ctx context.Context, zip string, grams int) (int, error) {
	obj, err := c.conns.BorrowObject(ctx)
	if err != nil {
		return 0, err
	}
	conn, ok := obj.(*textproto.Conn)
	if !ok {
		return 0, errors.New("not a connection")
	}
	text, err := ask(conn, zip, grams)
	if err != nil {
		_ = c.conns.InvalidateObject(ctx, obj)
		return 0, err
	}
	if err := c.conns.ReturnObject(ctx, obj); err != nil {
		return 0, err
	}
	return strconv.Atoi(text)
}

func ask(conn *textproto.Conn, zip string, grams int) (string, error) {
	if err := conn.PrintfLine("RATE %s %d", zip, grams); err != nil {
		return "", err
	}
	_, text, err := conn.ReadCodeLine(200)
	return text, err
}

func main() {
	if os.Getenv("ROLE") == "carrier" {
		serve()
		return
	}
	addr := service.Beside("carrier")
	factory := pool.NewPooledObjectFactory(
		func(context.Context) (any, error) { return textproto.Dial("tcp", addr) },
		func(_ context.Context, o *pool.PooledObject) error { return o.Object.(*textproto.Conn).Close() },
		nil, nil, nil)
	config := pool.NewDefaultPoolConfig()
	if service.After() {
		config.MaxTotal = 64
		config.MaxIdle = 64
	}
	ups := &carrier{conns: pool.NewObjectPool(context.Background(), factory, config)}

	http.HandleFunc("/rate", func(w http.ResponseWriter, r *http.Request) {
		grams, err := strconv.Atoi(r.FormValue("grams"))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		zip := r.FormValue("zip")
		cents, err := ups.rate(r.Context(), zip, grams)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(rate{Zip: zip, Grams: grams, Cents: cents})
	})
	service.Run(http.DefaultServeMux)
}

func serve() {
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
	lines := bufio.NewScanner(c)
	for lines.Scan() {
		words := strings.Fields(lines.Text())
		if len(words) != 3 {
			fmt.Fprintf(c, "500 what?\r\n")
			continue
		}
		grams, _ := strconv.Atoi(words[2])
		time.Sleep(10 * time.Millisecond)
		fmt.Fprintf(c, "200 %d\r\n", 390+grams/10)
	}
}
