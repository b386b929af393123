// A shop that sends an event of each request to fluentd, a process of its own, by a Unix
// socket. fluentd is behind: its output takes half a megabyte in a second.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/fluent/fluent-logger-golang/fluent"

	"wild/service"
)

func main() {
	if os.Getenv("ROLE") == "fluentd" {
		fluentd()
		return
	}
	events, err := fluent.New(fluent.Config{
		FluentNetwork: "unix", FluentSocketPath: service.Beside("fluentd"),
		Async: service.After(), BufferLimit: 4096,
	})
	if err != nil {
		log.Fatal(err)
	}
	var seq, dropped atomic.Int64
	http.HandleFunc("/basket", func(w http.ResponseWriter, r *http.Request) {
		n := seq.Add(1)
		began := time.Now()
		total := n * 37 % 9973
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]int64{"basket": n, "total": total})
		err := events.Post("shop.basket", map[string]any{
			"path": r.URL.Path, "basket": n, "total": total, "agent": r.UserAgent(), "peer": r.RemoteAddr,
			"took": time.Since(began).Microseconds(), "status": http.StatusOK, "host": r.Host, "proto": r.Proto,
		})
		if err != nil { // the buffer is full
			dropped.Add(1)
		}
	})
	service.Run(http.DefaultServeMux)
}

func fluentd() {
	dir, err := os.MkdirTemp("", "fluentd-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	ln, err := net.Listen("unix", filepath.Join(dir, "fluentd.sock"))
	if err != nil {
		log.Fatal(err)
	}
	go func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			go take(c)
		}
	}()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}

func take(c net.Conn) {
	defer c.Close()
	chunk := make([]byte, 2048)
	for {
		if _, err := io.ReadFull(c, chunk); err != nil {
			return
		}
		time.Sleep(4 * time.Millisecond)
	}
}
