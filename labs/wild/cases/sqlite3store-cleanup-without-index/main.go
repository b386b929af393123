// Baskets of a shop: what a visitor has put in is part of the session, and sessions are kept in SQLite, of which there are many, for
// they last a week. Those that have run out are deleted every second, so that there are not more than there must be.
package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/alexedwards/scs/sqlite3store"
	"github.com/alexedwards/scs/v2"
	_ "modernc.org/sqlite"

	"wild/service"
)

const table = `create table sessions (token text primary key, data blob not null, expiry real not null)`

// index is part of what the store's readme creates.
const index = `create index sessions_expiry_idx on sessions(expiry)`

const visitors, known = 400_000, 64

// shop has baskets.
type shop struct {
	sessions *scs.SessionManager
	prices   map[string]int
}

func open(ctx context.Context, dir string) (*shop, error) {
	db, err := sql.Open("sqlite", filepath.Join(dir, "shop.db")+"?_pragma=journal_mode(wal)&_pragma=synchronous(off)&_pragma=busy_timeout(5000)")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1) // there is one writer in any case
	if _, err := db.ExecContext(ctx, table); err != nil {
		return nil, err
	}
	s := &shop{sessions: scs.New(), prices: map[string]int{}}
	for n := range 300 {
		s.prices["a"+strconv.Itoa(n)] = 150 + n*37%4000
	}
	if err := fill(ctx, db, s.sessions.Codec); err != nil {
		return nil, err
	}
	if service.After() {
		if _, err := db.ExecContext(ctx, index); err != nil {
			return nil, err
		}
	}
	s.sessions.Store = sqlite3store.NewWithCleanupInterval(db, time.Second)
	s.sessions.Lifetime = 7 * 24 * time.Hour
	return s, nil
}

// others are sessions of last week that nothing asks for.
const others = `insert into sessions
with recursive seq(n) as (select 1 union all select n + 1 from seq where n < ?)
select printf('%032x', n), ?, julianday('now') + 1 + n % 600 / 100.0 from seq`

// fill has the sessions of last week; those of a few visitors are asked for.
func fill(ctx context.Context, db *sql.DB, codec scs.Codec) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var data []byte
	for n := range known {
		if data, err = codec.Encode(time.Now().Add(150*time.Hour), map[string]any{"basket": fmt.Sprintf("a%d,a%d", n, n*7%300)}); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, "insert into sessions values (?, ?, julianday('now') + 6)", fmt.Sprintf("visitor-%d", n), data); err != nil {
			return err
		}
	}
	if _, err := tx.ExecContext(ctx, others, visitors, data); err != nil {
		return err
	}
	return tx.Commit()
}

// load puts the session of a visitor into the context; apps send the token as a part of the path.
func (s *shop) load(r *http.Request) (context.Context, error) {
	return s.sessions.Load(r.Context(), r.PathValue("token"))
}

func (s *shop) basket(w http.ResponseWriter, r *http.Request) {
	ctx, err := s.load(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	s.answer(w, s.sessions.GetString(ctx, "basket"))
}

func (s *shop) add(w http.ResponseWriter, r *http.Request) {
	ctx, err := s.load(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	basket := s.sessions.GetString(ctx, "basket") + "," + r.FormValue("article")
	if len(basket) > 60 {
		basket = basket[len(basket)-30:]
	}
	s.sessions.Put(ctx, "basket", basket)
	if _, _, err := s.sessions.Commit(ctx); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	s.answer(w, basket)
}

func (s *shop) answer(w http.ResponseWriter, basket string) {
	sum, at := 0, 0
	for i := 0; i <= len(basket); i++ {
		if i == len(basket) || basket[i] == ',' {
			sum += s.prices[basket[at:i]]
			at = i + 1
		}
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"basket": basket, "cents": sum})
}

func main() {
	dir, err := os.MkdirTemp("", "shop")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	s, err := open(context.Background(), dir)
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /visitors/{token}/basket", s.basket)
	mux.HandleFunc("POST /visitors/{token}/basket", s.add)
	service.Run(mux)
}
