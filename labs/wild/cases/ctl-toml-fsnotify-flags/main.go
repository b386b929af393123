// Flags of an app: which of its new parts a user may see is written in a TOML file, which its operators change now and
// then. Apps ask when they start.
package main

import (
	"encoding/json"
	"hash/fnv"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"time"

	"github.com/fsnotify/fsnotify"
	"github.com/pelletier/go-toml/v2"

	"wild/service"
)

// flag is one: how many of a hundred users see a part, and in which countries.
type flag struct {
	Share     uint32   `toml:"share"`
	Countries []string `toml:"countries"`
	Testers   []string `toml:"testers"`
}

// flags are read anew when their file is.
type flags struct {
	file string
	now  atomic.Pointer[map[string]flag]
}

func (f *flags) load() error {
	text, err := os.ReadFile(f.file)
	if err != nil {
		return err
	}
	all := map[string]flag{}
	if err := toml.Unmarshal(text, &all); err != nil {
		return err
	}
	f.now.Store(&all)
	return nil
}

// follow reads the file again when it has been quiet for a moment after a change.
func (f *flags) follow(w *fsnotify.Watcher) {
	later := time.NewTimer(time.Hour)
	for {
		select {
		case e, ok := <-w.Events:
			if !ok {
				return
			}
			if e.Name == f.file && (e.Has(fsnotify.Write) || e.Has(fsnotify.Create)) {
				later.Reset(100 * time.Millisecond)
			}
		case <-later.C:
			if err := f.load(); err != nil {
				log.Println("flags stay as they were:", err)
			}
		case err, ok := <-w.Errors:
			if !ok {
				return
			}
			log.Println(err)
		}
	}
}

// seen are the parts that a user sees.
func (f *flags) seen(user, country string) []string {
	out := []string{}
	for name, one := range *f.now.Load() {
		if slices.Contains(one.Testers, user) {
			out = append(out, name)
			continue
		}
		if len(one.Countries) > 0 && !slices.Contains(one.Countries, country) {
			continue
		}
		h := fnv.New32a()
		h.Write([]byte(name))
		h.Write([]byte(user))
		if h.Sum32()%100 < one.Share {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

const first = `
[search]
share = 40
countries = ["DE", "AT", "CH"]

[dark]
share = 75

[wallet]
share = 5
countries = ["SE", "FI"]
testers = ["u7", "u11"]

[maps]
share = 50
testers = ["u3"]

[voice]
share = 12
`

func main() {
	dir, err := os.MkdirTemp("", "flags")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	f := &flags{file: filepath.Join(dir, "flags.toml")}
	if err := os.WriteFile(f.file, []byte(first), 0o600); err != nil {
		log.Fatal(err)
	}
	if err := f.load(); err != nil {
		log.Fatal(err)
	}
	w, err := fsnotify.NewWatcher()
	if err != nil {
		log.Fatal(err)
	}
	defer w.Close()
	if err := w.Add(dir); err != nil {
		log.Fatal(err)
	}
	go f.follow(w)
	mux := http.NewServeMux()
	mux.HandleFunc("GET /users/{user}/flags", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"user": r.PathValue("user"), "parts": f.seen(r.PathValue("user"), r.FormValue("country"))})
	})
	mux.HandleFunc("PUT /flags", func(w http.ResponseWriter, r *http.Request) {
		all := map[string]flag{}
		if err := toml.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<16)).Decode(&all); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		text, err := toml.Marshal(all)
		if err == nil {
			err = os.WriteFile(f.file, text, 0o600)
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
	})
	service.Run(mux)
}
