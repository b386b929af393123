// A ticker: a request posts a price, which goes to all connected screens over
// WebSocket. One screen pauses now and then; a write to it blocks, under the lock of
// the hub, and all requests of that moment wait.
package main

import (
	"fmt"
	"log"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gorilla/websocket"
	"wild/service"
)

const screens = 4

type hub struct {
	mu    sync.Mutex
	conns []*websocket.Conn
	sends []chan []byte
}

func main() {
	h := &hub{}
	if err := h.connectScreens(); err != nil {
		log.Fatal(err)
	}
	broadcast := h.direct
	if service.After() {
		for _, c := range h.conns {
			send := make(chan []byte, 256)
			h.sends = append(h.sends, send)
			go writePump(c, send)
		}
		broadcast = h.queued
	}
	var seq atomic.Int64
	mux := http.NewServeMux()
	mux.HandleFunc("/price", func(w http.ResponseWriter, r *http.Request) {
		n := seq.Add(1)
		broadcast([]byte(fmt.Sprintf(`{"tick":%d,"note":%q}`, n, strings.Repeat("price ", 30))))
		fmt.Fprintln(w, n)
	})
	service.Run(mux)
}

// direct writes to each connection.
func (h *hub) direct(msg []byte) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, c := range h.conns {
		if err := c.WriteMessage(websocket.TextMessage, msg); err != nil {
			log.Println(err)
		}
	}
}

// queued hands the message to the goroutine of each connection; one that does not
// keep up misses prices.
func (h *hub) queued(msg []byte) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, send := range h.sends {
		select {
		case send <- msg:
		default:
		}
	}
}

func writePump(c *websocket.Conn, send <-chan []byte) {
	for msg := range send {
		if err := c.WriteMessage(websocket.TextMessage, msg); err != nil {
			return
		}
	}
}

// connectScreens connects screens that read and forget; the first one stops for
// 120 ms each half second.
func (h *hub) connectScreens() error {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	joined := make(chan *websocket.Conn)
	var up websocket.Upgrader
	go http.Serve(ln, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c, err := up.Upgrade(w, r, nil)
		if err != nil {
			log.Println(err)
			return
		}
		c.NetConn().(*net.TCPConn).SetWriteBuffer(8 << 10)
		joined <- c
	}))
	for i := 0; i < screens; i++ {
		raw, err := net.Dial("tcp", ln.Addr().String())
		if err != nil {
			return err
		}
		raw.(*net.TCPConn).SetReadBuffer(8 << 10)
		if _, err := fmt.Fprintf(raw, "GET / HTTP/1.1\r\nHost: %s\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"+
			"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n", ln.Addr()); err != nil {
			return err
		}
		go screen(raw, i == 0)
		h.conns = append(h.conns, <-joined)
	}
	return nil
}

func screen(c net.Conn, pauses bool) {
	buf := make([]byte, 64<<10)
	last := time.Now()
	for {
		if _, err := c.Read(buf); err != nil {
			return
		}
		if pauses && time.Since(last) > 500*time.Millisecond {
			time.Sleep(120 * time.Millisecond)
			last = time.Now()
		}
	}
}
