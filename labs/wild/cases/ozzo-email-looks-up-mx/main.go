// Registrations for a festival: what visitors fill in is validated before it is taken. The resolver of names is a process elsewhere that
// takes 6 ms for an answer.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"sync"
	"time"

	validation "github.com/go-ozzo/ozzo-validation/v4"
	"github.com/go-ozzo/ozzo-validation/v4/is"
	"golang.org/x/net/dns/dnsmessage"

	"wild/service"
)

// registration is of a visitor and of those that come along.
type registration struct {
	Name    string   `json:"name"`
	Email   string   `json:"email"`
	Country string   `json:"country"`
	Guests  []string `json:"guests"`
}

// desk takes registrations.
type desk struct {
	email validation.Rule

	mu    sync.Mutex
	taken map[string]registration
}

func open() *desk {
	d := &desk{email: is.Email, taken: map[string]registration{}}
	if service.After() {
		d.email = is.EmailFormat
	}
	return d
}

func (d *desk) validate(r *registration) error {
	return validation.ValidateStruct(r,
		validation.Field(&r.Name, validation.Required, validation.Length(2, 80)),
		validation.Field(&r.Email, validation.Required, d.email),
		validation.Field(&r.Country, validation.Required, is.CountryCode2),
		validation.Field(&r.Guests, validation.Each(d.email)),
	)
}

func (d *desk) register(w http.ResponseWriter, r *http.Request) {
	var in registration
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if err := d.validate(&in); err != nil {
		http.Error(w, err.Error(), http.StatusUnprocessableEntity)
		return
	}
	d.mu.Lock()
	d.taken[in.Email] = in
	n := len(d.taken)
	d.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"visitors": n, "guests": len(in.Guests)})
}

func main() {
	if os.Getenv("ROLE") == "resolver" {
		resolver()
		return
	}
	address := service.Beside("resolver")
	net.DefaultResolver = &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "udp", address)
	}}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /registrations", open().register)
	service.Run(mux)
}

// resolver says of each domain that mail for it goes to a host in it.
func resolver() {
	c, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go func() {
		b := make([]byte, 1500)
		for {
			n, from, err := c.ReadFrom(b)
			if err != nil {
				return
			}
			var m dnsmessage.Message
			if err := m.Unpack(b[:n]); err != nil || len(m.Questions) != 1 {
				continue
			}
			q := m.Questions[0]
			m.Response, m.RecursionAvailable = true, true
			m.Additionals = nil
			if q.Type == dnsmessage.TypeMX {
				m.Answers = []dnsmessage.Resource{{
					Header: dnsmessage.ResourceHeader{Name: q.Name, Type: q.Type, Class: q.Class, TTL: 300},
					Body:   &dnsmessage.MXResource{Pref: 10, MX: dnsmessage.MustNewName("mail." + q.Name.String())},
				}}
			}
			out, err := m.Pack()
			if err != nil {
				continue
			}
			time.AfterFunc(6*time.Millisecond, func() { c.WriteTo(out, from) })
		}
	}()
	fmt.Println(c.LocalAddr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
