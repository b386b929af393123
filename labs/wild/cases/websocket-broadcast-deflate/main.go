// A scoreboard: a request posts a score, which goes to all connected viewers over
// compressed WebSocket connections. The message is compressed once for each viewer.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/gorilla/websocket"
	"wild/service"
)

const viewers = 24

type hub struct {
	mu    sync.Mutex
	conns []*websocket.Conn
}

func main() {
	h := &hub{}
	if err := h.connectViewers(); err != nil {
		log.Fatal(err)
	}
	broadcast := h.each
	if service.After() {
		broadcast = h.prepared
	}
	var seq atomic.Int64
	mux := http.NewServeMux()
	mux.HandleFunc("/score", func(w http.ResponseWriter, r *http.Request) {
		msg, err := json.Marshal(board(seq.Add(1)))
		if err == nil {
			err = broadcast(msg)
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		fmt.Fprintln(w, len(msg))
	})
	service.Run(mux)
}

func (h *hub) each(msg []byte) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, c := range h.conns {
		if err := c.WriteMessage(websocket.TextMessage, msg); err != nil {
			return err
		}
	}
	return nil
}

func (h *hub) prepared(msg []byte) error {
	p, err := websocket.NewPreparedMessage(websocket.TextMessage, msg)
	if err != nil {
		return err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, c := range h.conns {
		if err := c.WritePreparedMessage(p); err != nil {
			return err
		}
	}
	return nil
}

type entry struct {
	Team   string `json:"team"`
	Points int64  `json:"points"`
}

func board(n int64) []entry {
	list := make([]entry, 40)
	for i := range list {
		list[i] = entry{fmt.Sprintf("team number %d", i), n * int64(i) % 997}
	}
	return list
}

// connectViewers connects viewers that read and forget.
func (h *hub) connectViewers() error {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	joined := make(chan *websocket.Conn)
	up := websocket.Upgrader{EnableCompression: true}
	go http.Serve(ln, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c, err := up.Upgrade(w, r, nil)
		if err != nil {
			log.Println(err)
			return
		}
		joined <- c
	}))
	for i := 0; i < viewers; i++ {
		raw, err := net.Dial("tcp", ln.Addr().String())
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(raw, "GET / HTTP/1.1\r\nHost: %s\r\n%s\r\n\r\n", ln.Addr(), strings.Join([]string{
			"Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13",
			"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Extensions: permessage-deflate",
		}, "\r\n")); err != nil {
			return err
		}
		go func() {
			buf := make([]byte, 64<<10)
			for {
				if _, err := raw.Read(buf); err != nil {
					return
				}
			}
		}()
		h.conns = append(h.conns, <-joined)
	}
	return nil
}
