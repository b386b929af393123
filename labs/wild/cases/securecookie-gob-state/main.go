// Baskets of visitors that have no account: the basket is in a signed cookie, which is read and written anew by
// each request that changes it, so that no server needs to remember it.
package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/gorilla/securecookie"

	"wild/service"
)

// line is so many of an article, as they are wanted.
type line struct {
	SKU     string            `json:"sku"`
	Count   int               `json:"count"`
	Cents   int64             `json:"cents"`
	Options map[string]string `json:"options,omitempty"`
}

// basket is what is in the cookie.
type basket struct {
	Visitor  string    `json:"visitor"`
	Currency string    `json:"currency"`
	Coupons  []string  `json:"coupons"`
	Lines    []line    `json:"lines"`
	Changed  time.Time `json:"changed"`
}

// article is what the shop knows of it.
type article struct {
	name  string
	cents int64
	most  int
}

// shop reads and writes cookies.
type shop struct {
	articles map[string]article
	name     string
	cookies  *securecookie.SecureCookie
}

func newShop() *shop {
	s := &shop{articles: map[string]article{}, name: "basket"}
	for i := range 400 {
		s.articles[fmt.Sprintf("sku-%03d", i)] = article{fmt.Sprint("article ", i), int64(199 + i*37%9000), 1 + i%9}
	}
	// The key of the test system: so a cookie can be replayed.
	s.cookies = securecookie.New([]byte("0123456789abcdef0123456789abcdef"), nil).MaxAge(0)
	if service.After() {
		s.name = "basket2" // another format has another name, while both are about
		s.cookies.SetSerializer(securecookie.JSONEncoder{})
	}
	return s
}

func (s *shop) read(r *http.Request) (b basket, err error) {
	c, err := r.Cookie(s.name)
	if err != nil {
		return basket{Visitor: "new", Currency: "EUR"}, nil
	}
	return b, s.cookies.Decode(s.name, c.Value, &b)
}

func (s *shop) write(w http.ResponseWriter, b basket) error {
	value, err := s.cookies.Encode(s.name, b)
	if err != nil {
		return fmt.Errorf("basket of %s: %w", b.Visitor, err)
	}
	http.SetCookie(w, &http.Cookie{Name: s.name, Value: value, Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode})
	return nil
}

// add puts an article into a basket, or more of it.
func (s *shop) add(b *basket, sku string, count int) error {
	a, ok := s.articles[sku]
	if !ok {
		return fmt.Errorf("no article %q", sku)
	}
	for i := range b.Lines {
		if b.Lines[i].SKU == sku {
			b.Lines[i].Count = min(b.Lines[i].Count+count, a.most)
			b.Lines[i].Cents = a.cents
			return nil
		}
	}
	b.Lines = append(b.Lines, line{SKU: sku, Count: min(count, a.most), Cents: a.cents})
	return nil
}

// shown is a line as the page shows it.
type shown struct {
	Name  string `json:"name"`
	Count int    `json:"count"`
	Price string `json:"price"`
}

func (s *shop) page(b basket) map[string]any {
	var sum int64
	lines := make([]shown, 0, len(b.Lines))
	for _, l := range b.Lines {
		sum += int64(l.Count) * l.Cents
		lines = append(lines, shown{s.articles[l.SKU].name, l.Count, fmt.Sprintf("%d.%02d", l.Cents/100, l.Cents%100)})
	}
	if len(b.Coupons) > 0 {
		sum -= sum / 20
	}
	return map[string]any{"lines": lines, "sum": fmt.Sprintf("%d.%02d %s", sum/100, sum%100, b.Currency)}
}

func main() {
	s := newShop()
	http.HandleFunc("GET /basket/add", func(w http.ResponseWriter, r *http.Request) {
		b, err := s.read(r)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		count, err := strconv.Atoi(r.FormValue("count"))
		if err != nil || count < 1 {
			http.Error(w, "count is 1 or more", http.StatusBadRequest)
			return
		}
		if err := s.add(&b, r.FormValue("sku"), count); err != nil {
			http.Error(w, err.Error(), http.StatusNotFound)
			return
		}
		b.Changed = time.Now().UTC()
		if err := s.write(w, b); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(s.page(b))
	})
	service.Run(http.DefaultServeMux)
}
