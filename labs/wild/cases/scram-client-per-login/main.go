// Balances of shops: the ledger, which another machine has, is asked in the name of the shop that wants to know, and
// closes the connection after an answer. A connection begins with SCRAM-SHA-256, so that no password is sent.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/xdg-go/scram"

	"wild/service"
)

// rounds is how often the ledger has a password hashed.
const rounds = 8192

func password(shop string) string { return "for tests only, " + shop }

// ledger asks the ledger.
type ledger struct {
	address string
	mu      sync.Mutex
	clients map[string]*scram.Client
}

// client is what logs a shop in.
func (l *ledger) client(shop string) (*scram.Client, error) {
	if !service.After() {
		return scram.SHA256.NewClient(shop, password(shop), "")
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if c := l.clients[shop]; c != nil {
		return c, nil
	}
	c, err := scram.SHA256.NewClient(shop, password(shop), "")
	if err == nil {
		l.clients[shop] = c
	}
	return c, err
}

var errRefused = errors.New("the ledger refuses")

// login proves over a connection that this is a shop.
func (l *ledger) login(rw *bufio.ReadWriter, shop string) error {
	c, err := l.client(shop)
	if err != nil {
		return err
	}
	talk := c.NewConversation()
	answer := ""
	for !talk.Done() {
		next, err := talk.Step(answer)
		if err != nil {
			return fmt.Errorf("%w %s: %w", errRefused, shop, err)
		}
		if talk.Done() {
			break
		}
		if answer, err = say(rw, next); err != nil {
			return err
		}
	}
	if !talk.Valid() {
		return fmt.Errorf("%w %s", errRefused, shop)
	}
	return nil
}

// say sends a line and reads one.
func say(rw *bufio.ReadWriter, line string) (string, error) {
	rw.WriteString(line + "\n")
	if err := rw.Flush(); err != nil {
		return "", err
	}
	answer, err := rw.ReadString('\n')
	return strings.TrimSuffix(answer, "\n"), err
}

// balance is what a shop has, in cents.
func (l *ledger) balance(shop string) (int64, error) {
	conn, err := net.DialTimeout("tcp", l.address, time.Second)
	if err != nil {
		return 0, err
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(5 * time.Second))
	rw := bufio.NewReadWriter(bufio.NewReader(conn), bufio.NewWriter(conn))
	if err := l.login(rw, shop); err != nil {
		return 0, err
	}
	answer, err := say(rw, "balance")
	if err != nil {
		return 0, err
	}
	return strconv.ParseInt(answer, 10, 64)
}

func main() {
	if os.Getenv("ROLE") == "ledger" {
		serveLedger()
		return
	}
	l := &ledger{address: service.Beside("ledger"), clients: map[string]*scram.Client{}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /shops/{shop}/balance", func(w http.ResponseWriter, r *http.Request) {
		cents, err := l.balance(r.PathValue("shop"))
		switch {
		case errors.Is(err, errRefused):
			http.Error(w, err.Error(), http.StatusForbidden)
			return
		case err != nil:
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"shop": r.PathValue("shop"), "cents": cents})
	})
	service.Run(mux)
}

// serveLedger is the ledger. It knows of each shop what proves that it has the password, which was computed when the
// shop joined.
func serveLedger() {
	known := map[string]scram.StoredCredentials{}
	for i := range 60 {
		shop := fmt.Sprintf("shop%d", i)
		c, err := scram.SHA256.NewClient(shop, password(shop), "")
		if err != nil {
			log.Fatal(err)
		}
		known[shop] = c.GetStoredCredentials(scram.KeyFactors{Salt: "salt of " + shop, Iters: rounds})
	}
	srv, err := scram.SHA256.NewServer(func(shop string) (scram.StoredCredentials, error) {
		if c, ok := known[shop]; ok {
			return c, nil
		}
		return scram.StoredCredentials{}, errors.New("no such shop")
	})
	if err != nil {
		log.Fatal(err)
	}
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
			go answer(conn, srv)
		}
	}()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}

// answer talks with one shop.
func answer(conn net.Conn, srv *scram.Server) {
	defer conn.Close()
	talk := srv.NewConversation()
	lines := bufio.NewScanner(conn)
	for lines.Scan() {
		out := ""
		if !talk.Done() {
			var err error
			if out, err = talk.Step(lines.Text()); err != nil && out == "" {
				out = "e=" + err.Error()
			}
		} else if talk.Valid() {
			n, _ := strconv.Atoi(strings.TrimPrefix(talk.Username(), "shop"))
			out = strconv.Itoa(100000 + n*1337)
		}
		if _, err := io.WriteString(conn, out+"\n"); err != nil || talk.Done() && !talk.Valid() {
			return
		}
	}
}
