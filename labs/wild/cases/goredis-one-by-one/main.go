// A page service: each request needs thirty values from Redis, which is a
// millisecond away, and asks for one after the other.
package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"
	"wild/service"
)

const values = 30

func main() {
	rdb := redis.NewClient(&redis.Options{Addr: startRedis(time.Millisecond), Protocol: 2, DisableIndentity: true, PoolSize: 64})
	load := oneByOne
	if service.After() {
		load = pipelined
	}
	var seq atomic.Int64
	mux := http.NewServeMux()
	mux.HandleFunc("/page", func(w http.ResponseWriter, r *http.Request) {
		n := seq.Add(1)
		size, err := load(r.Context(), rdb, n)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		fmt.Fprintln(w, size)
	})
	service.Run(mux)
}

func oneByOne(ctx context.Context, rdb *redis.Client, n int64) (size int, err error) {
	for i := int64(0); i < values; i++ {
		v, err := rdb.Get(ctx, key(n, i)).Result()
		if err != nil {
			return 0, err
		}
		size += len(v)
	}
	return size, nil
}

func pipelined(ctx context.Context, rdb *redis.Client, n int64) (size int, err error) {
	cmds, err := rdb.Pipelined(ctx, func(p redis.Pipeliner) error {
		for i := int64(0); i < values; i++ {
			p.Get(ctx, key(n, i))
		}
		return nil
	})
	for _, c := range cmds {
		size += len(c.(*redis.StringCmd).Val())
	}
	return size, err
}

func key(n, i int64) string {
	return "page:" + strconv.FormatInt(n%100, 10) + ":" + strconv.FormatInt(i, 10)
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
