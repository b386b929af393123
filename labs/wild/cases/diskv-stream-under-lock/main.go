// A mirror of an archive: documents in files, by diskv, with those that were read lately in
// its cache. New ones come from the archive, a process of its own, all the time, one after
// another; it needs 50 ms to send one.
package main

import (
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/peterbourgon/diskv/v3"

	"wild/service"
)

const documents = 500

func main() {
	if os.Getenv("ROLE") == "archive" {
		archive()
		return
	}
	dir, err := os.MkdirTemp("", "mirror-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	store := diskv.New(diskv.Options{
		BasePath:     filepath.Join(dir, "documents"),
		Transform:    func(key string) []string { return []string{key[len(key)-2:]} },
		CacheSizeMax: 64 << 20,
	})
	for i := range documents {
		if err := store.WriteString(name(i), strings.Repeat("A document of some lines.\n", 80)); err != nil {
			log.Fatal(err)
		}
	}
	stop, stopped := make(chan struct{}), make(chan struct{})
	base := "http://" + service.Beside("archive")
	go func() {
		defer close(stopped)
		mirror(store, dir, base, stop)
	}()
	var seq atomic.Int64
	http.HandleFunc("/document", func(w http.ResponseWriter, r *http.Request) {
		b, err := store.Read(name(int(seq.Add(1) * 7919 % documents)))
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Write(b)
	})
	service.Run(http.DefaultServeMux)
	close(stop)
	<-stopped
}

func name(i int) string { return fmt.Sprintf("document-%04d", i) }

// mirror takes over what is new in the archive, until it is stopped.
func mirror(store *diskv.Diskv, dir, base string, stop <-chan struct{}) {
	take := fetch
	if service.After() {
		take = func(store *diskv.Diskv, url, key string) error { return fetchFirst(store, dir, url, key) }
	}
	for i := 0; ; i++ {
		if err := take(store, base+"/new", fmt.Sprintf("new-%04d", i%100)); err != nil {
			log.Println(err)
		}
		select {
		case <-stop:
			return
		case <-time.After(5 * time.Millisecond):
		}
	}
}

func fetch(store *diskv.Diskv, url, key string) error {
	resp, err := http.Get(url)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	return store.WriteStream(key, resp.Body, true)
}

// fetchFirst has the whole document in a file before the store hears of it.
func fetchFirst(store *diskv.Diskv, dir, url, key string) error {
	resp, err := http.Get(url)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	f, err := os.CreateTemp(dir, "new-")
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := io.Copy(f, resp.Body); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	return store.Import(f.Name(), key, true) // a rename
}

func archive() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	part := []byte(strings.Repeat("A line of a new document.\n", 150))
	go http.Serve(ln, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for range 10 {
			w.Write(part)
			http.NewResponseController(w).Flush()
			time.Sleep(5 * time.Millisecond)
		}
	}))
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
