// Entries of a ship's log: they are read by pages, newest first, by the bridge, which looks at the last of them, and by
// an archive that goes through all; and new ones are written. They are in an embedded database.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"strconv"

	_ "modernc.org/sqlite"
	"xorm.io/xorm"

	"wild/service"
)

// entry is one of the log.
type entry struct {
	ID     int64  `xorm:"'id' pk autoincr" json:"id"`
	Watch  string `xorm:"'watch'" json:"watch"`
	Kind   string `xorm:"'kind'" json:"kind"`
	Text   string `xorm:"'text'" json:"text"`
	Course int    `xorm:"'course'" json:"course"`
}

// page is some entries, and the address of those before them.
type page struct {
	Entries []entry `json:"entries"`
	Next    string  `json:"next,omitempty"`
}

// ship has a log.
type ship struct{ db *xorm.Engine }

const perPage = 25

func open(dir string) (*ship, error) {
	db, err := xorm.NewEngine("sqlite", "file:"+filepath.Join(dir, "journal.db")+"?_pragma=journal_mode(wal)&_pragma=synchronous(off)&_pragma=busy_timeout(5000)")
	if err != nil {
		return nil, err
	}
	db.SetMaxIdleConns(16)
	db.SetMaxOpenConns(16)
	if err := db.Sync(new(entry)); err != nil {
		return nil, err
	}
	for from := 0; from < 60000; from += 100 {
		some := make([]entry, 100)
		for i := range some {
			n := from + i
			some[i] = entry{Watch: fmt.Sprintf("watch %d", n/40), Kind: []string{"course", "weather", "radio", "engine"}[n%4], Text: fmt.Sprintf("entry %d: wind from %d, sea calm, nothing to be seen ahead.", n, n%360), Course: n % 360}
		}
		if _, err := db.Insert(&some); err != nil {
			return nil, err
		}
	}
	return &ship{db}, nil
}

// page has the n-th page, that begins before an entry if it is known which.
func (s *ship) page(n int, before int64) (out page, err error) {
	q := s.db.Desc("id")
	if service.After() && before > 0 {
		q = q.Where("id < ?", before).Limit(perPage)
	} else {
		q = q.Limit(perPage, n*perPage)
	}
	if err := q.Find(&out.Entries); err != nil {
		return out, err
	}
	if len(out.Entries) == perPage {
		out.Next = fmt.Sprintf("/entries?page=%d&before=%d", n+1, out.Entries[perPage-1].ID)
	}
	return out, nil
}

func main() {
	dir, err := os.MkdirTemp("", "ship")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	s, err := open(dir)
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	answer := func(w http.ResponseWriter, out any, err error) {
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(out)
	}
	mux.HandleFunc("GET /entries", func(w http.ResponseWriter, r *http.Request) {
		n, err := strconv.Atoi(r.FormValue("page"))
		before, _ := strconv.ParseInt(r.FormValue("before"), 10, 64)
		if err != nil || n < 0 {
			http.Error(w, "page is a number", http.StatusBadRequest)
			return
		}
		out, err := s.page(n, before)
		answer(w, out, err)
	})
	mux.HandleFunc("POST /entries", func(w http.ResponseWriter, r *http.Request) {
		var e entry
		if err := json.NewDecoder(io.LimitReader(r.Body, 4<<10)).Decode(&e); err != nil || e.Text == "" {
			http.Error(w, "an entry has a text", http.StatusBadRequest)
			return
		}
		_, err := s.db.InsertOne(&e)
		answer(w, e, err)
	})
	service.Run(mux)
	s.db.Close()
}
