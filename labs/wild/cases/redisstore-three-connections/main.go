// A shop's baskets: they are in the visitors' sessions, which are kept in Redis, here a process elsewhere that takes 2 ms for an answer, and has
// many connections.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/alexedwards/scs/redisstore"
	"github.com/alexedwards/scs/v2"
	"github.com/gomodule/redigo/redis"

	"wild/service"
)

// shop knows its visitors by sessions.
type shop struct{ sessions *scs.SessionManager }

func open(address string) *shop {
	most := 3
	if service.After() {
		most = 64
	}
	pool := &redis.Pool{
		MaxIdle: most, MaxActive: most, Wait: true,
		Dial: func() (redis.Conn, error) { return redis.Dial("tcp", address) },
	}
	s := &shop{scs.New()}
	s.sessions.Store = redisstore.New(pool)
	return s
}

// add puts an item into the basket.
func (s *shop) add(w http.ResponseWriter, r *http.Request) {
	items := s.sessions.GetInt(r.Context(), "items") + 1
	s.sessions.Put(r.Context(), "items", items)
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"item": r.PathValue("item"), "items": items})
}

func main() {
	if os.Getenv("ROLE") == "redis" {
		serveRedis()
		return
	}
	s := open(service.Beside("redis"))
	mux := http.NewServeMux()
	mux.HandleFunc("POST /basket/{item}", s.add)
	service.Run(s.sessions.LoadAndSave(mux))
}

// store has what the stand-in keeps, up to some thousands.
type store struct {
	kept  sync.Map
	count atomic.Int64
}

// serveRedis answers the commands that sessions need, 2 ms later.
func serveRedis() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	all := &store{}
	go func() {
		for {
			conn, err := ln.Accept()
			if err != nil {
				return
			}
			go answer(conn, all)
		}
	}()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}

// answer is what a connection of the stand-in does.
func answer(conn net.Conn, all *store) {
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
		out := "+QUEUED\r\n"
		switch strings.ToUpper(args[0]) {
		case "MULTI":
			out = "+OK\r\n"
		case "SET":
			if all.count.Add(1) < 20000 {
				all.kept.Store(args[1], args[2])
			}
		case "GET":
			time.Sleep(2 * time.Millisecond)
			out = "$-1\r\n"
			if v, ok := all.kept.Load(args[1]); ok {
				out = fmt.Sprintf("$%d\r\n%s\r\n", len(v.(string)), v)
			}
		case "EXEC":
			time.Sleep(2 * time.Millisecond)
			out = "*2\r\n+OK\r\n:1\r\n"
		}
		if _, err := io.WriteString(conn, out); err != nil {
			return
		}
	}
}
