// The session service of a shop: each page view brings the cookie of a visitor, which is looked up, and one
// in eight asks for a token against forged forms, which is good for a second and a half. Both are kept in memory.
package main

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/muesli/cache2go"

	"wild/service"
)

const (
	visitors = 200_000
	stay     = 45 * time.Minute
	good     = 1500 * time.Millisecond
)

// session is what is known of a visitor.
type session struct {
	Visitor  string   `json:"visitor"`
	Language string   `json:"language"`
	Basket   []string `json:"basket"`
	Seen     int      `json:"seen"`
}

// memory keeps sessions, and the tokens that were given out.
type memory struct {
	sessions, tokens *cache2go.CacheTable
	key              []byte
}

func newMemory() *memory {
	m := &memory{sessions: cache2go.Cache("sessions"), key: make([]byte, 32)}
	m.tokens = m.sessions
	if service.After() {
		m.tokens = cache2go.Cache("tokens")
	}
	rand.Read(m.key)
	for i := range visitors {
		id := fmt.Sprint("v-", i)
		m.sessions.Add(id, stay, &session{Visitor: id, Language: []string{"de", "en", "fr"}[i%3], Basket: []string{fmt.Sprint("sku-", i%900)}})
	}
	return m
}

var errNobody = errors.New("no such visitor")

func (m *memory) visitor(id string) (*session, error) {
	item, err := m.sessions.Value(id)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", id, errNobody)
	}
	return item.Data().(*session), nil
}

// token makes one for a visitor, and remembers it until it has run out.
func (m *memory) token(id string) (string, error) {
	nonce := make([]byte, 12)
	if _, err := rand.Read(nonce); err != nil {
		return "", err
	}
	mac := hmac.New(sha256.New, m.key)
	mac.Write(nonce)
	mac.Write([]byte(id))
	t := hex.EncodeToString(mac.Sum(nonce))
	m.tokens.Add(t, good, id)
	return t, nil
}

// page is what a page needs of a visitor.
type page struct {
	*session
	Hints []string `json:"hints"`
}

// hints are the neighbours of what is in the basket.
func hints(basket []string) (all []string) {
	for _, sku := range basket {
		sum := sha256.Sum256([]byte(sku))
		for i := range 4 {
			all = append(all, fmt.Sprintf("sku-%d", (int(sum[i])<<2|i)%900))
		}
	}
	return all
}

func answer(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(v)
}

func main() {
	m := newMemory()
	http.HandleFunc("GET /page", func(w http.ResponseWriter, r *http.Request) {
		s, err := m.visitor(r.URL.Query().Get("visitor"))
		if err != nil {
			http.Error(w, err.Error(), http.StatusUnauthorized)
			return
		}
		answer(w, page{s, hints(s.Basket)})
	})
	http.HandleFunc("GET /form", func(w http.ResponseWriter, r *http.Request) {
		s, err := m.visitor(r.URL.Query().Get("visitor"))
		if err != nil {
			http.Error(w, err.Error(), http.StatusUnauthorized)
			return
		}
		t, err := m.token(s.Visitor)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		answer(w, map[string]any{"token": t, "good_ms": good.Milliseconds(), "lines": len(s.Basket)})
	})
	service.Run(http.DefaultServeMux)
}
