// Tickets of a theatre by mail: what was sold is mailed before the till is told so. The mail server is a process of its own, that takes
// some milliseconds for each mail.
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
	"strings"
	"time"

	"github.com/jordan-wright/email"

	"wild/service"
)

// sale is what a till sends.
type sale struct {
	To    string   `json:"to"`
	Play  string   `json:"play"`
	Seats []string `json:"seats"`
}

// office mails tickets.
type office struct{ pool *email.Pool }

func open(address string) (*office, error) {
	conns := 2
	if service.After() {
		conns = 16
	}
	pool, err := email.NewPool(address, conns, nil)
	return &office{pool}, err
}

// mail sends the tickets of a sale.
func (o *office) mail(s sale) error {
	e := email.NewEmail()
	e.From = "Theatre <tickets@theatre.example>"
	e.To = []string{s.To}
	e.Subject = "Your tickets for " + s.Play
	var text strings.Builder
	for _, seat := range s.Seats {
		fmt.Fprintf(&text, "Seat %s, doors open at half past seven.\n", seat)
	}
	e.Text = []byte(text.String())
	return o.pool.Send(e, 10*time.Second)
}

func (o *office) serve(w http.ResponseWriter, r *http.Request) {
	var s sale
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 16<<10)).Decode(&s); err != nil || s.To == "" || len(s.Seats) == 0 {
		http.Error(w, "a sale has seats, and an address to mail them to", http.StatusBadRequest)
		return
	}
	if err := o.mail(s); err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	fmt.Fprintf(w, "%d tickets mailed\n", len(s.Seats))
}

func main() {
	if os.Getenv("ROLE") == "mail" {
		mailServer()
		return
	}
	o, err := open(service.Beside("mail"))
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /sales", o.serve)
	mux.HandleFunc("GET /plays", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "The Seagull\nFaust\nMedea") })
	service.Run(mux)
}

// mailServer takes mails on as many connections as come.
func mailServer() {
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
			go take(c)
		}
	}()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}

// take answers the commands of a connection; a mail is looked through for six milliseconds.
func take(c net.Conn) {
	defer c.Close()
	in := bufio.NewReader(c)
	say := func(line string) { io.WriteString(c, line+"\r\n") }
	say("220 mail.example ready")
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		switch command, _, _ := strings.Cut(strings.TrimSpace(line), " "); strings.ToUpper(command) {
		case "DATA":
			say("354 go on")
			for {
				line, err := in.ReadString('\n')
				if err != nil {
					return
				}
				if line == ".\r\n" {
					break
				}
			}
			time.Sleep(6 * time.Millisecond)
			say("250 taken")
		case "QUIT":
			say("221 bye")
			return
		default:
			say("250 fine")
		}
	}
}
