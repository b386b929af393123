// Command tessera is a transparency log kept in files: POST /add adds an entry and answers with its
// index, and the rest is the log as it is read.
package main

import (
	"context"
	"crypto/rand"
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"

	"github.com/transparency-dev/tessera"
	"github.com/transparency-dev/tessera/storage/posix"
	"golang.org/x/mod/sumdb/note"
)

func main() {
	address := flag.String("listen", "127.0.0.1:2025", "address of the log")
	dir := flag.String("storage", "", "folder of the log")
	batch := flag.Uint("batch", tessera.DefaultBatchMaxSize, "entries that are written at once")
	age := flag.Duration("age", tessera.DefaultBatchMaxAge, "how long an entry waits for others to be written with")
	flag.Parse()

	ctx := context.Background()
	private, _, err := note.GenerateKey(rand.Reader, "lab.example/log")
	check(err)
	signer, err := note.NewSigner(private)
	check(err)
	driver, err := posix.New(ctx, posix.Config{Path: *dir})
	check(err)
	appender, _, _, err := tessera.NewAppender(ctx, driver,
		tessera.NewAppendOptions().WithCheckpointSigner(signer).WithBatching(*batch, *age))
	check(err)

	http.HandleFunc("POST /add", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		index, err := appender.Add(r.Context(), tessera.NewEntry(body))()
		if err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		}
		fmt.Fprintln(w, index.Index)
	})
	http.Handle("GET /", http.FileServer(http.Dir(*dir)))
	log.Fatal(http.ListenAndServe(*address, nil))
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
