// A checkout that logs each order. A hook also sends the line to a log collector, which confirms it after 1 ms.
package main

import (
	"bufio"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"time"

	"github.com/sirupsen/logrus"

	"wild/service"
)

func main() {
	logger := logrus.New()
	logger.SetOutput(io.Discard)
	logger.AddHook(newCollectorHook(startCollector(), 32))

	mux := http.NewServeMux()
	mux.HandleFunc("/checkout", func(w http.ResponseWriter, r *http.Request) {
		logger.WithFields(logrus.Fields{"order": 4711, "items": 3}).Info("order placed")
		fmt.Fprintln(w, "placed")
	})
	service.Run(mux)
}

// collectorHook has as many connections as the service may have requests under way.
type collectorHook struct{ idle chan *link }

type link struct {
	conn net.Conn
	in   *bufio.Reader
}

func newCollectorHook(addr string, n int) *collectorHook {
	h := &collectorHook{idle: make(chan *link, n)}
	for range n {
		conn, err := net.Dial("tcp", addr)
		if err != nil {
			log.Fatal(err)
		}
		h.idle <- &link{conn: conn, in: bufio.NewReader(conn)}
	}
	return h
}

func (h *collectorHook) Levels() []logrus.Level { return logrus.AllLevels }

func (h *collectorHook) Fire(e *logrus.Entry) error {
	l := <-h.idle
	defer func() { h.idle <- l }()
	if _, err := fmt.Fprintf(l.conn, "%s %v\n", e.Message, e.Data["order"]); err != nil {
		return err
	}
	_, err := l.in.ReadString('\n')
	return err
}

// startCollector confirms each line.
func startCollector() string {
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
				lines := bufio.NewScanner(conn)
				for lines.Scan() {
					time.Sleep(time.Millisecond)
					if _, err := io.WriteString(conn, "ok\n"); err != nil {
						return
					}
				}
			}()
		}
	}()
	return ln.Addr().String()
}
