// Codes that are sent by text message to confirm a telephone number: a code is kept for ten minutes, or until it was
// entered, and no more than a few thousand at a time.
package main

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"math/big"
	"net/http"
	"regexp"
	"time"

	"github.com/bluele/gcache"

	"wild/service"
)

// code is one that was sent.
type code struct {
	sum   [sha256.Size]byte
	phone string
	tries int
}

// desk sends codes, and knows them again.
type desk struct {
	sent gcache.Cache
	out  chan string // what goes to the provider of messages
}

func open() *desk {
	kept := gcache.New(4000).Expiration(10 * time.Minute)
	if service.After() {
		kept = kept.LRU()
	}
	d := &desk{sent: kept.Build(), out: make(chan string, 1024)}
	go func() {
		for range d.out { // it takes what it is given
		}
	}()
	return d
}

var phones = regexp.MustCompile(`^\+[1-9][0-9]{7,14}$`)

// send makes a code for a telephone, and returns what it is asked for by.
func (d *desk) send(phone string) (string, error) {
	if !phones.MatchString(phone) {
		return "", errors.New("a telephone number starts with + and its country")
	}
	n, err := rand.Int(rand.Reader, big.NewInt(1000000))
	if err != nil {
		return "", err
	}
	digits := fmt.Sprintf("%06d", n)
	id := make([]byte, 12)
	rand.Read(id)
	ticket := hex.EncodeToString(id)
	err = d.sent.Set(ticket, &code{sum: sha256.Sum256([]byte(ticket + digits)), phone: phone})
	d.out <- phone + " " + digits
	return ticket, err
}

// confirm says whether a code is the one that was sent.
func (d *desk) confirm(ticket, digits string) (string, error) {
	v, err := d.sent.Get(ticket)
	if err != nil {
		return "", errors.New("the code is too old, or was never sent")
	}
	c := v.(*code)
	if c.sum != sha256.Sum256([]byte(ticket+digits)) {
		return "", errors.New("the code is another")
	}
	d.sent.Remove(ticket)
	return c.phone, nil
}

func answer(w http.ResponseWriter, out any, err error) {
	w.Header().Set("Content-Type", "application/json")
	if err != nil {
		out = map[string]string{"refused": err.Error()}
	}
	json.NewEncoder(w).Encode(out)
}

func main() {
	d := open()
	mux := http.NewServeMux()
	mux.HandleFunc("POST /codes", func(w http.ResponseWriter, r *http.Request) {
		var in struct {
			Phone string `json:"phone"`
		}
		if err := json.NewDecoder(io.LimitReader(r.Body, 1<<10)).Decode(&in); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		ticket, err := d.send(in.Phone)
		answer(w, map[string]string{"ticket": ticket}, err)
	})
	mux.HandleFunc("POST /codes/{ticket}", func(w http.ResponseWriter, r *http.Request) {
		var in struct {
			Digits string `json:"digits"`
		}
		if err := json.NewDecoder(io.LimitReader(r.Body, 1<<10)).Decode(&in); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		phone, err := d.confirm(r.PathValue("ticket"), in.Digits)
		answer(w, map[string]string{"phone": phone}, err)
	})
	log.SetFlags(log.LstdFlags | log.Lmicroseconds)
	service.Run(mux)
}
