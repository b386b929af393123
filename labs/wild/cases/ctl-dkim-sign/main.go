// Mail that leaves a shop: a request names a template and a customer, and the mail is made, signed with the DKIM key
// of the shop, and handed to the queue of the relay.
package main

import (
	"bytes"
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"strings"
	"sync"
	"text/template"
	"time"

	"github.com/emersion/go-msgauth/dkim"

	"wild/service"
)

type customer struct{ Name, Mail, Order string }

// relay keeps the last mails until they are fetched.
type relay struct {
	mu   sync.Mutex
	last [64][]byte
	n    int
}

func (r *relay) put(mail []byte) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.last[r.n%len(r.last)] = mail
	r.n++
	return r.n
}

// shop signs as its domain.
type shop struct {
	texts *template.Template
	sign  *dkim.SignOptions
	out   relay
}

func newShop() (*shop, error) {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return nil, err
	}
	texts, err := template.New("mail").Parse(`{{define "sent"}}Dear {{.Name}},

your order {{.Order}} is on its way.
{{end}}{{define "paid"}}Dear {{.Name}},

we have your payment for {{.Order}}. Thank you!
{{end}}`)
	if err != nil {
		return nil, err
	}
	return &shop{texts: texts, sign: &dkim.SignOptions{
		Domain: "shop.example", Selector: "s2026", Signer: crypto.Signer(key), Hash: crypto.SHA256,
		HeaderCanonicalization: dkim.CanonicalizationRelaxed, BodyCanonicalization: dkim.CanonicalizationRelaxed,
		HeaderKeys: []string{"From", "To", "Subject", "Date", "Message-ID"},
	}}, nil
}

func (s *shop) mail(kind string, to customer) ([]byte, error) {
	var body bytes.Buffer
	if err := s.texts.ExecuteTemplate(&body, kind, to); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	now := time.Now()
	fmt.Fprintf(&b, "From: Shop <orders@shop.example>\r\nTo: %s <%s>\r\nSubject: Your order %s\r\nDate: %s\r\nMessage-ID: <%d@shop.example>\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n",
		to.Name, to.Mail, to.Order, now.Format(time.RFC1123Z), now.UnixNano())
	b.WriteString(strings.ReplaceAll(body.String(), "\n", "\r\n"))
	var signed bytes.Buffer
	if err := dkim.Sign(&signed, &b, s.sign); err != nil {
		return nil, fmt.Errorf("sign: %w", err)
	}
	return signed.Bytes(), nil
}

func main() {
	s, err := newShop()
	if err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("POST /mails/{kind}", func(w http.ResponseWriter, r *http.Request) {
		var to customer
		if err := json.NewDecoder(io.LimitReader(r.Body, 4096)).Decode(&to); err != nil || to.Mail == "" {
			http.Error(w, "a customer has a name and a mail", http.StatusBadRequest)
			return
		}
		kind := r.PathValue("kind")
		if s.texts.Lookup(kind) == nil {
			http.NotFound(w, r)
			return
		}
		mail, err := s.mail(kind, to)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]int{"queued": s.out.put(mail), "bytes": len(mail)})
	})
	service.Run(http.DefaultServeMux)
}
