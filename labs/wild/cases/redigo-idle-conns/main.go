// A flag service over Redis. The pool of connections keeps two idle ones, and
// forty requests are under way: most requests dial, log in, ask once, and hang up.
package main

import (
	"bufio"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/gomodule/redigo/redis"
	"wild/service"
)

func main() {
	addr := startRedis(200 * time.Microsecond)
	pool := &redis.Pool{
		MaxIdle:     2,
		IdleTimeout: time.Minute,
		Dial: func() (redis.Conn, error) {
			return redis.Dial("tcp", addr, redis.DialPassword("secret"), redis.DialDatabase(3))
		},
	}
	if service.After() {
		pool.MaxIdle = 64
	}
	var seq atomic.Int64
	mux := http.NewServeMux()
	mux.HandleFunc("/flag", func(w http.ResponseWriter, r *http.Request) {
		c := pool.Get()
		defer c.Close()
		v, err := redis.String(c.Do("GET", "flag:"+strconv.FormatInt(seq.Add(1)%500, 10)))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		fmt.Fprintln(w, v)
	})
	service.Run(mux)
}

// startRedis is a server with as much of the Redis protocol as the clients here
// need; wait is what the way to it takes.
func startRedis(wait time.Duration) string {
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
			go serveRedis(c, wait)
		}
	}()
	return ln.Addr().String()
}

func serveRedis(c net.Conn, wait time.Duration) {
	defer c.Close()
	in, out := bufio.NewReader(c), bufio.NewWriter(c)
	for {
		args, err := readCommand(in)
		if err != nil {
			return
		}
		switch strings.ToUpper(args[0]) {
		case "GET":
			v := "value of " + args[1]
			fmt.Fprintf(out, "$%d\r\n%s\r\n", len(v), v)
		case "HELLO", "CLIENT":
			out.WriteString("-ERR unknown command\r\n")
		default:
			out.WriteString("+OK\r\n")
		}
		if in.Buffered() == 0 {
			if wait > 0 {
				time.Sleep(wait)
			}
			if out.Flush() != nil {
				return
			}
		}
	}
}

func readCommand(in *bufio.Reader) ([]string, error) {
	n, err := readLength(in, '*')
	if err != nil {
		return nil, err
	}
	args := make([]string, n)
	for i := range args {
		size, err := readLength(in, '$')
		if err != nil {
			return nil, err
		}
		buf := make([]byte, size+2)
		if _, err := io.ReadFull(in, buf); err != nil {
			return nil, err
		}
		args[i] = string(buf[:size])
	}
	return args, nil
}

func readLength(in *bufio.Reader, kind byte) (int, error) {
	line, err := in.ReadString('\n')
	if err != nil {
		return 0, err
	}
	if len(line) < 3 || line[0] != kind {
		return 0, fmt.Errorf("not a command: %q", line)
	}
	return strconv.Atoi(line[1 : len(line)-2])
}
