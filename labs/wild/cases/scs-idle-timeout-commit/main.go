// An account page whose sessions scs keeps, in a bbolt file so that they outlive a
// restart. The page only reads its session; one ends when it was not used for a while.
package main

import (
	"encoding/binary"
	"fmt"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/alexedwards/scs/v2"
	bolt "go.etcd.io/bbolt"

	"wild/service"
)

func main() {
	dir, err := os.MkdirTemp("", "sessions-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	db, err := bolt.Open(filepath.Join(dir, "sessions.db"), 0o600, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	s := store{db}
	if err := s.fill(); err != nil {
		log.Fatal(err)
	}
	sessions := scs.New()
	sessions.Store = s
	sessions.Lifetime = 24 * time.Hour
	if !service.After() {
		sessions.IdleTimeout = 20 * time.Minute
	} else {
		sessions.Lifetime = 8 * time.Hour // a fixed end in its place
	}
	page := sessions.LoadAndSave(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		user := sessions.GetString(r.Context(), "user")
		if user == "" {
			http.Error(w, "not logged in", http.StatusUnauthorized)
			return
		}
		fmt.Fprintln(w, "orders of", user)
	}))
	http.HandleFunc("/orders/{session}", func(w http.ResponseWriter, r *http.Request) {
		// A load brings no cookies: the session is in the path.
		r.AddCookie(&http.Cookie{Name: sessions.Cookie.Name, Value: r.PathValue("session")})
		page.ServeHTTP(w, r)
	})
	service.Run(http.DefaultServeMux)
}

// store keeps sessions in bbolt as scs's bboltstore does: the end, and the data.
type store struct{ db *bolt.DB }

var bucket = []byte("sessions")

func (s store) Find(token string) (data []byte, found bool, err error) {
	err = s.db.View(func(tx *bolt.Tx) error {
		v := tx.Bucket(bucket).Get([]byte(token))
		if len(v) < 8 || int64(binary.BigEndian.Uint64(v)) < time.Now().UnixNano() {
			return nil
		}
		data, found = append([]byte(nil), v[8:]...), true
		return nil
	})
	return data, found, err
}

func (s store) Commit(token string, data []byte, expiry time.Time) error {
	return s.db.Update(func(tx *bolt.Tx) error {
		v := binary.BigEndian.AppendUint64(nil, uint64(expiry.UnixNano()))
		return tx.Bucket(bucket).Put([]byte(token), append(v, data...))
	})
}

func (s store) Delete(token string) error {
	return s.db.Update(func(tx *bolt.Tx) error { return tx.Bucket(bucket).Delete([]byte(token)) })
}

// fill makes the sessions s0 to s99.
func (s store) fill() error {
	if err := s.db.Update(func(tx *bolt.Tx) error {
		_, err := tx.CreateBucket(bucket)
		return err
	}); err != nil {
		return err
	}
	end := time.Now().Add(8 * time.Hour)
	for i := range 100 {
		data, err := scs.GobCodec{}.Encode(end, map[string]any{"user": fmt.Sprint("user ", i)})
		if err != nil {
			return err
		}
		if err := s.Commit(fmt.Sprint("s", i), data, end); err != nil {
			return err
		}
	}
	return nil
}
