// Downloads of files of 2 MiB. So that none hangs for ever, each may take a minute.
package main

import (
	"log"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"wild/service"
)

func main() {
	dir, err := os.MkdirTemp("", "downloads-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	data := make([]byte, 2<<20)
	for i := range data {
		data[i] = byte(i * i >> 7)
	}
	for _, name := range []string{"a.bin", "b.bin", "c.bin"} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			log.Fatal(err)
		}
	}
	files := http.StripPrefix("/files/", http.FileServer(http.Dir(dir)))
	h := http.TimeoutHandler(files, time.Minute, "too slow")
	if service.After() {
		h = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			http.NewResponseController(w).SetWriteDeadline(time.Now().Add(time.Minute))
			files.ServeHTTP(w, r)
		})
	}
	http.Handle("/files/", h)
	service.Run(http.DefaultServeMux)
}
