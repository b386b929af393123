// Exports of ledgers: a ledger is a folder that a nightly job of another program writes, too, so that both take the
// lock of its file. A request reads the ledger's next number, writes a slip with it and answers with the slip.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"wild/service"
)

// settle is how long the ledger's device takes to say that a number was taken.
const settle = 2 * time.Millisecond

type slip struct {
	Ledger string `json:"ledger"`
	Number int    `json:"number"`
	Cents  int64  `json:"cents"`
	For    string `json:"for"`
}

// ledgers are folders.
type ledgers struct{ dir string }

// lock takes the lock of a ledger.
func (l ledgers) lock(ctx context.Context, name string) (*flock.Flock, error) {
	held := flock.New(filepath.Join(l.dir, name, "lock"))
	wait := 20 * time.Millisecond
	if service.After() {
		wait = 500 * time.Microsecond
	}
	ok, err := held.TryLockContext(ctx, wait)
	if err != nil || !ok {
		return nil, fmt.Errorf("lock of %s: %w", name, err)
	}
	return held, nil
}

// next takes the number that follows.
func (l ledgers) next(ctx context.Context, name string) (int, error) {
	held, err := l.lock(ctx, name)
	if err != nil {
		return 0, err
	}
	defer held.Unlock()
	file := filepath.Join(l.dir, name, "next")
	b, err := os.ReadFile(file)
	if err != nil {
		return 0, err
	}
	n, err := strconv.Atoi(strings.TrimSpace(string(b)))
	if err != nil {
		return 0, fmt.Errorf("%s: %w", file, err)
	}
	if err := os.WriteFile(file, strconv.AppendInt(nil, int64(n+1), 10), 0o600); err != nil {
		return 0, err
	}
	time.Sleep(settle)
	return n, nil
}

func (l ledgers) write(s slip) error {
	b, err := json.Marshal(s)
	if err != nil {
		return err
	}
	// The last thousand are kept here; the archive has them all.
	return os.WriteFile(filepath.Join(l.dir, s.Ledger, fmt.Sprintf("slip-%03d.json", s.Number%1000)), b, 0o600)
}

func main() {
	dir, err := os.MkdirTemp("", "ledgers-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	l := ledgers{dir}
	for _, name := range []string{"sales", "rent", "wages", "tax"} {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o700); err != nil {
			log.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name, "next"), []byte("1"), 0o600); err != nil {
			log.Fatal(err)
		}
	}
	http.HandleFunc("POST /ledgers/{name}/slips", func(w http.ResponseWriter, r *http.Request) {
		s := slip{Ledger: r.PathValue("name")}
		if err := json.NewDecoder(io.LimitReader(r.Body, 4096)).Decode(&s); err != nil || s.Cents == 0 {
			http.Error(w, "cents and for", http.StatusBadRequest)
			return
		}
		if _, err := os.Stat(filepath.Join(dir, filepath.Base(s.Ledger), "next")); err != nil {
			http.NotFound(w, r)
			return
		}
		ctx, cancel := context.WithTimeout(r.Context(), 10*time.Second)
		defer cancel()
		var err error
		if s.Number, err = l.next(ctx, s.Ledger); err == nil {
			err = l.write(s)
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(s)
	})
	service.Run(http.DefaultServeMux)
}
