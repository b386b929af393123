// A settings service over buntdb: nine requests of ten read, one writes. With
// SyncPolicy Always each write syncs the file while it holds the lock of the
// database, and the readers wait.
package main

import (
	"fmt"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"sync/atomic"

	"github.com/tidwall/buntdb"
	"wild/service"
)

const users = 5000

func main() {
	dir, err := os.MkdirTemp("", "settings-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	db, err := buntdb.Open(filepath.Join(dir, "settings.db"))
	if err != nil {
		log.Fatal(err)
	}
	if err := db.Update(func(tx *buntdb.Tx) error {
		for i := 0; i < users; i++ {
			if _, _, err := tx.Set(key(i), "language=en", nil); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		log.Fatal(err)
	}
	var cfg buntdb.Config
	if err := db.ReadConfig(&cfg); err != nil {
		log.Fatal(err)
	}
	cfg.SyncPolicy = buntdb.Always
	if service.After() {
		cfg.SyncPolicy = buntdb.EverySecond
	}
	if err := db.SetConfig(cfg); err != nil {
		log.Fatal(err)
	}

	var seq atomic.Int64
	mux := http.NewServeMux()
	mux.HandleFunc("/settings", func(w http.ResponseWriter, r *http.Request) {
		n := int(seq.Add(1))
		var value string
		use, change := db.View, false
		if n%10 == 0 {
			use, change = db.Update, true
		}
		err := use(func(tx *buntdb.Tx) (err error) {
			if change {
				_, _, err = tx.Set(key(n%users), "language=fr, visit="+strconv.Itoa(n), nil)
				return err
			}
			value, err = tx.Get(key(n % users))
			return err
		})
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		fmt.Fprintln(w, value)
	})
	service.Run(mux)
}

func key(n int) string { return "user:" + strconv.Itoa(n) }
