// A shop for garden tools: each page that a visitor looks at is added to the session, which has what was looked at last and the basket.
package main

import (
	"encoding/gob"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"

	"github.com/gorilla/sessions"

	"wild/service"
)

const name = "shop"

// seen is one page that was looked at.
type seen struct {
	Item, Title string
	Cents       int
}

// shop shows pages.
type shop struct {
	store   sessions.Store
	visitor []*http.Cookie // of the visitors that are known, by number
}

func open(dir string) (*shop, error) {
	gob.Register([]seen{})
	key := []byte("0123456789abcdef0123456789abcdef")
	s := &shop{}
	if service.After() {
		cookies := sessions.NewCookieStore(key)
		cookies.Options.HttpOnly = true
		s.store = cookies
	} else {
		s.store = sessions.NewFilesystemStore(dir, key)
	}
	for i := range 64 {
		r, w := &http.Request{Header: http.Header{}}, &answer{header: http.Header{}}
		if err := s.look(w, r, fmt.Sprint(i)); err != nil {
			return nil, err
		}
		s.visitor = append(s.visitor, (&http.Response{Header: w.header}).Cookies()...)
	}
	return s, nil
}

// answer has the header of an answer alone.
type answer struct{ header http.Header }

func (a *answer) Header() http.Header         { return a.header }
func (a *answer) Write(b []byte) (int, error) { return len(b), nil }
func (a *answer) WriteHeader(int)             {}

// look notes that an item was looked at.
func (s *shop) look(w http.ResponseWriter, r *http.Request, item string) error {
	session, err := s.store.Get(r, name)
	if err != nil {
		return err
	}
	pages, _ := session.Values["seen"].([]seen)
	pages = append(pages, seen{item, "spade number " + item, 990 + len(item)*100})
	session.Values["seen"] = pages[max(0, len(pages)-12):]
	return session.Save(r, w)
}

func (s *shop) serve(w http.ResponseWriter, r *http.Request) {
	if _, err := r.Cookie(name); err != nil { // a visitor without a cookie is one of those that are known
		var n int
		fmt.Sscan(r.URL.Query().Get("visitor"), &n)
		r.AddCookie(s.visitor[uint(n)%uint(len(s.visitor))])
	}
	if err := s.look(w, r, r.PathValue("item")); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]string{"item": r.PathValue("item"), "title": "spade number " + r.PathValue("item")})
}

func main() {
	dir, err := os.MkdirTemp("", "shop")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	s, err := open(dir)
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /items/{item}", s.serve)
	service.Run(mux)
}
