// Invitations of a choir: a concert's guests are written to, each in a letter of their own, by a mail server, a process elsewhere, which
// takes 3 ms to greet whoever connects, and 0.2 ms for a letter.
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

	"github.com/wneessen/go-mail"

	"wild/service"
)

// concert is what guests are invited to.
type concert struct {
	Title  string   `json:"title"`
	Guests []string `json:"guests"`
}

// choir writes letters.
type choir struct{ mails *mail.Client }

func open(address string) (*choir, error) {
	at, err := net.ResolveTCPAddr("tcp", address)
	if err != nil {
		return nil, err
	}
	client, err := mail.NewClient(at.IP.String(), mail.WithPort(at.Port), mail.WithTLSPolicy(mail.NoTLS), mail.WithHELO("choir.example"))
	return &choir{client}, err
}

// letters are those to all guests.
func (c *choir) letters(to concert) ([]*mail.Msg, error) {
	var out []*mail.Msg
	for _, guest := range to.Guests {
		m := mail.NewMsg()
		if err := m.From("choir@choir.example"); err != nil {
			return nil, err
		}
		if err := m.To(guest); err != nil {
			return nil, err
		}
		m.Subject(to.Title)
		m.SetBodyString(mail.TypeTextPlain, "We sing on Sunday at five. There is a seat for you.")
		out = append(out, m)
	}
	return out, nil
}

// invite writes to the guests of a concert.
func (c *choir) invite(ctx context.Context, to concert) error {
	letters, err := c.letters(to)
	if err != nil {
		return err
	}
	if service.After() {
		return c.mails.DialAndSendWithContext(ctx, letters...)
	}
	for _, m := range letters {
		if err := c.mails.DialAndSendWithContext(ctx, m); err != nil {
			return err
		}
	}
	return nil
}

func (c *choir) serve(w http.ResponseWriter, r *http.Request) {
	var in concert
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil || len(in.Guests) == 0 {
		http.Error(w, "who is invited?", http.StatusBadRequest)
		return
	}
	if err := c.invite(r.Context(), in); err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	fmt.Fprintf(w, "%d invited\n", len(in.Guests))
}

func main() {
	if os.Getenv("ROLE") == "mail" {
		serveMail()
		return
	}
	c, err := open(service.Beside("mail"))
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /concerts", c.serve)
	service.Run(mux)
}

// serveMail takes letters.
func serveMail() {
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
			go take(conn)
		}
	}()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}

func take(conn net.Conn) {
	defer conn.Close()
	time.Sleep(3 * time.Millisecond)
	fmt.Fprint(conn, "220 mail.example\r\n")
	letter := false
	for in := bufio.NewScanner(conn); in.Scan(); {
		line := in.Text()
		switch {
		case letter && line == ".":
			letter = false
			time.Sleep(200 * time.Microsecond)
			fmt.Fprint(conn, "250 taken\r\n")
		case letter:
		case line == "DATA":
			letter = true
			fmt.Fprint(conn, "354 go on\r\n")
		case line == "QUIT":
			fmt.Fprint(conn, "221 bye\r\n")
			return
		case strings.HasPrefix(line, "EHLO"):
			fmt.Fprint(conn, "250-mail.example\r\n250 8BITMIME\r\n")
		default:
			fmt.Fprint(conn, "250 ok\r\n")
		}
	}
}
