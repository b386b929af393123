// Confirmations of a registry office: who has an appointment is sent a letter at once, by the office's mail server, a process elsewhere, over
// sessions that are greeted once and kept. The server takes 3 ms to accept a letter, and takes one at a time of each session.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/emersion/go-smtp"

	"wild/service"
)

// appointment is what a letter says.
type appointment struct {
	Mail string `json:"mail"`
	Day  string `json:"day"`
}

// office has sessions with its mail server, those that are free.
type office struct{ sessions chan *smtp.Client }

func open(address string) (*office, error) {
	n := 3
	if service.After() {
		n = 24
	}
	o := &office{make(chan *smtp.Client, n)}
	for range n {
		s, err := smtp.Dial(address)
		if err != nil {
			return nil, err
		}
		if err := s.Hello("office.example"); err != nil {
			return nil, err
		}
		o.sessions <- s
	}
	return o, nil
}

// confirm sends a letter.
func (o *office) confirm(a appointment) error {
	text := fmt.Sprintf("From: office@office.example\r\nTo: %s\r\nSubject: Your appointment\r\n\r\nWe expect you on %s.\r\n", a.Mail, a.Day)
	s := <-o.sessions
	defer func() { o.sessions <- s }()
	if err := s.SendMail("office@office.example", []string{a.Mail}, strings.NewReader(text)); err != nil {
		s.Reset()
		return err
	}
	return nil
}

func (o *office) serve(w http.ResponseWriter, r *http.Request) {
	var in appointment
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil || !strings.Contains(in.Mail, "@") {
		http.Error(w, "who comes?", http.StatusBadRequest)
		return
	}
	if err := o.confirm(in); err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	w.WriteHeader(http.StatusCreated)
	fmt.Fprintf(w, "%s: confirmed\n", in.Day)
}

func main() {
	if os.Getenv("ROLE") == "mail" {
		serveMail()
		return
	}
	o, err := open(service.Beside("mail"))
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /appointments", o.serve)
	service.Run(mux)
}

// session accepts letters.
type session struct{}

func (session) Reset()                               {}
func (session) Logout() error                        { return nil }
func (session) Mail(string, *smtp.MailOptions) error { return nil }
func (session) Rcpt(string, *smtp.RcptOptions) error { return nil }

func (session) Data(r io.Reader) error {
	time.Sleep(3 * time.Millisecond)
	_, err := io.Copy(io.Discard, r)
	return err
}

func serveMail() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	srv := smtp.NewServer(smtp.BackendFunc(func(*smtp.Conn) (smtp.Session, error) { return session{}, nil }))
	srv.Domain = "mail.example"
	go srv.Serve(ln)
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
