// Seats of a cinema: a reseller may book so many a minute, over all of the cinema's servers, which Redis counts, here a process elsewhere that
// takes 1 ms for an answer. A group books its seats together.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/go-redis/redis_rate/v10"
	"github.com/redis/go-redis/v9"

	"wild/service"
)

const most = 20 // seats at a time

// cinema limits its resellers.
type cinema struct {
	limits *redis_rate.Limiter
	each   redis_rate.Limit
}

func open(address string) *cinema {
	rdb := redis.NewClient(&redis.Options{Addr: address, PoolSize: 64})
	return &cinema{redis_rate.NewLimiter(rdb), redis_rate.PerMinute(600000)}
}

// may says whether a reseller may book that many seats.
func (c *cinema) may(ctx context.Context, reseller string, seats int) (bool, error) {
	if service.After() {
		res, err := c.limits.AllowN(ctx, reseller, c.each, seats)
		return err == nil && res.Allowed == seats, err
	}
	for range seats {
		res, err := c.limits.Allow(ctx, reseller, c.each)
		if err != nil || res.Allowed == 0 {
			return false, err
		}
	}
	return true, nil
}

func (c *cinema) serve(w http.ResponseWriter, r *http.Request) {
	seats, err := strconv.Atoi(r.URL.Query().Get("seats"))
	if err != nil || seats < 1 || seats > most {
		http.Error(w, "how many seats?", http.StatusBadRequest)
		return
	}
	ok, err := c.may(r.Context(), r.PathValue("reseller"), seats)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"seats": seats, "booked": ok})
}

func main() {
	if os.Getenv("ROLE") == "redis" {
		serveRedis()
		return
	}
	c := open(service.Beside("redis"))
	mux := http.NewServeMux()
	mux.HandleFunc("POST /resellers/{reseller}/bookings", c.serve)
	service.Run(mux)
}

// serveRedis runs the one script that is asked for: all that was wanted is allowed, 1 ms later.
func serveRedis() {
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
			go answer(conn)
		}
	}()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}

// answer is what a connection of the stand-in does.
func answer(conn net.Conn) {
	defer conn.Close()
	in := bufio.NewReader(conn)
	number := func() int {
		line, err := in.ReadString('\n')
		if err != nil || len(line) < 3 {
			return -1
		}
		n, _ := strconv.Atoi(strings.TrimSpace(line[1:]))
		return n
	}
	for {
		args := make([]string, max(number(), 0))
		if len(args) == 0 {
			return
		}
		for i := range args {
			b := make([]byte, number()+2)
			if _, err := io.ReadFull(in, b); err != nil {
				return
			}
			args[i] = string(b[:len(b)-2])
		}
		out := "-ERR unknown command\r\n"
		if name := strings.ToUpper(args[0]); name == "EVALSHA" || name == "EVAL" {
			time.Sleep(time.Millisecond)
			out = fmt.Sprintf("*4\r\n:%s\r\n:99\r\n$2\r\n-1\r\n$4\r\n0.01\r\n", args[len(args)-1])
		}
		if _, err := io.WriteString(conn, out); err != nil {
			return
		}
	}
}
