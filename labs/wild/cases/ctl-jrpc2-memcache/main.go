// Profiles of players over JSON-RPC: jrpc2 behind its HTTP bridge, with room for as many calls as
// arrive, and memcache with a connection for each. The cache, a process of its own, takes 4 ms.
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
	"strings"
	"time"

	"github.com/bradfitz/gomemcache/memcache"
	"github.com/creachadair/jrpc2"
	"github.com/creachadair/jrpc2/handler"
	"github.com/creachadair/jrpc2/jhttp"

	"wild/service"
)

const calls = 128

type player struct {
	Name  string `json:"name"`
	Level int    `json:"level"`
	Guild string `json:"guild"`
}

type profiles struct {
	cache *memcache.Client
}

func (p profiles) Get(ctx context.Context, in struct {
	Name string `json:"name"`
}) (player, error) {
	item, err := p.cache.Get("player:" + in.Name)
	if err != nil {
		return player{}, err
	}
	var out player
	err = json.Unmarshal(item.Value, &out)
	return out, err
}

func main() {
	if os.Getenv("ROLE") == "memcache" {
		serve()
		return
	}
	cache := memcache.New(service.Beside("memcache"))
	cache.MaxIdleConns = calls
	cache.Timeout = 2 * time.Second
	bridge := jhttp.NewBridge(handler.Map{
		"profile.get": handler.New(profiles{cache: cache}.Get),
	}, &jhttp.BridgeOptions{Server: &jrpc2.ServerOptions{Concurrency: calls}})
	defer bridge.Close()
	http.Handle("/rpc", bridge)
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
		if len(words) != 2 || !strings.HasPrefix(words[0], "get") {
			fmt.Fprintf(c, "ERROR\r\n")
			continue
		}
		time.Sleep(4 * time.Millisecond)
		text := fmt.Sprintf(`{"name":%q,"level":41,"guild":"foxes"}`, strings.TrimPrefix(words[1], "player:"))
		fmt.Fprintf(c, "VALUE %s 0 %d 1\r\n%s\r\nEND\r\n", words[1], len(text), text)
	}
}
