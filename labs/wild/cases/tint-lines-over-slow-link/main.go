// Turnstiles of a stadium: a ticket lets one in once, and each passage with a child's ticket is a line of the log, which goes over a link to
// the guards' room, a process elsewhere; it says of each part that it has it, after 1 ms.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"github.com/lmittmann/tint"

	"wild/service"
)

// link writes to the guards' room, and waits until it has what was written.
type link struct {
	conn    net.Conn
	answers *bufio.Reader
}

func (l *link) Write(p []byte) (int, error) {
	n, err := l.conn.Write(p)
	if err != nil {
		return n, err
	}
	_, err = l.answers.ReadByte()
	return n, err
}

// queue keeps lines for a link, and writes as many at once as have come.
type queue struct{ lines chan []byte }

func (q queue) Write(p []byte) (int, error) {
	q.lines <- append([]byte(nil), p...)
	return len(p), nil
}

func (q queue) run(to io.Writer) {
	for line := range q.lines {
		for more := true; more && len(line) < 32<<10; {
			select {
			case next := <-q.lines:
				line = append(line, next...)
			default:
				more = false
			}
		}
		if _, err := to.Write(line); err != nil {
			log.Println(err)
		}
	}
}

// gate lets in.
type gate struct {
	log  *slog.Logger
	seen atomic.Int64
}

func open(address string) (*gate, error) {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return nil, err
	}
	var to io.Writer = &link{conn, bufio.NewReader(conn)}
	if service.After() {
		q := queue{make(chan []byte, 8192)}
		go q.run(to)
		to = q
	}
	return &gate{log: slog.New(tint.NewTextHandler(to, &tint.Options{NoColor: true, TimeFormat: time.TimeOnly}))}, nil
}

func (g *gate) serve(w http.ResponseWriter, r *http.Request) {
	n := g.seen.Add(1)
	if ticket := r.PathValue("ticket"); strings.HasPrefix(ticket, "child") {
		g.log.Info("passage", "gate", r.PathValue("gate"), "ticket", ticket, "number", n)
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"gate": r.PathValue("gate"), "number": n})
}

func main() {
	if os.Getenv("ROLE") == "room" {
		serveRoom()
		return
	}
	g, err := open(service.Beside("room"))
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /gates/{gate}/tickets/{ticket}", g.serve)
	service.Run(mux)
}

// serveRoom takes lines.
func serveRoom() {
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
			go func() {
				defer conn.Close()
				part := make([]byte, 256<<10)
				for {
					if _, err := conn.Read(part); err != nil {
						return
					}
					time.Sleep(time.Millisecond)
					if _, err := conn.Write([]byte{'\n'}); err != nil {
						return
					}
				}
			}()
		}
	}()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
