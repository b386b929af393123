// Card payments of a ticket shop: there are terminals at the acquirer, a process elsewhere, over connections that are signed on once and
// kept, each of which carries one payment at a time and takes 8 ms for it.
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
	"strconv"
	"strings"
	"time"

	"github.com/jackc/puddle/v2"

	"wild/service"
)

// terminal is a connection that is signed on.
type terminal struct {
	conn net.Conn
	in   *bufio.Reader
}

func (t *terminal) ask(line string) (string, error) {
	if err := t.conn.SetDeadline(time.Now().Add(5 * time.Second)); err != nil {
		return "", err
	}
	if _, err := fmt.Fprintln(t.conn, line); err != nil {
		return "", err
	}
	said, err := t.in.ReadString('\n')
	return strings.TrimSpace(said), err
}

// till takes payments.
type till struct{ terminals *puddle.Pool[*terminal] }

func open(address string) (*till, error) {
	size := int32(2)
	if service.After() {
		size = 32
	}
	pool, err := puddle.NewPool(&puddle.Config[*terminal]{
		Constructor: func(ctx context.Context) (*terminal, error) {
			conn, err := new(net.Dialer).DialContext(ctx, "tcp", address)
			if err != nil {
				return nil, err
			}
			t := &terminal{conn: conn, in: bufio.NewReader(conn)}
			_, err = t.ask("sign-on shop-7")
			return t, err
		},
		Destructor: func(t *terminal) { t.conn.Close() },
		MaxSize:    size,
	})
	return &till{pool}, err
}

// pay has an amount authorized.
func (t *till) pay(ctx context.Context, cents int) (string, error) {
	res, err := t.terminals.Acquire(ctx)
	if err != nil {
		return "", err
	}
	code, err := res.Value().ask("pay " + strconv.Itoa(cents))
	if err != nil {
		res.Destroy()
		return "", err
	}
	res.Release()
	return code, nil
}

func (t *till) serve(w http.ResponseWriter, r *http.Request) {
	cents, err := strconv.Atoi(r.PathValue("cents"))
	if err != nil || cents <= 0 {
		http.Error(w, "how much?", http.StatusBadRequest)
		return
	}
	code, err := t.pay(r.Context(), cents)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"cents": cents, "authorized": code})
}

func main() {
	if os.Getenv("ROLE") == "acquirer" {
		acquirer()
		return
	}
	t, err := open(service.Beside("acquirer"))
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /payments/{cents}", t.serve)
	service.Run(mux)
}

// acquirer answers each line of a terminal, 8 ms later.
func acquirer() {
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
			go func() {
				defer c.Close()
				for s := bufio.NewScanner(c); s.Scan(); {
					time.Sleep(8 * time.Millisecond)
					if _, err := fmt.Fprintf(c, "A%05d\n", len(s.Text())*7919%100000); err != nil {
						return
					}
				}
			}()
		}
	}()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
