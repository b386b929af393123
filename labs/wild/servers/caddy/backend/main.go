// Command backend is what Caddy is a proxy of: it answers after 20 ms.
package main

import (
	"bytes"
	"log"
	"net/http"
	"os"
	"time"
)

func main() {
	body := bytes.Repeat([]byte(`{"item":"a thing","price":1250},`), 32)
	http.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		time.Sleep(20 * time.Millisecond)
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(body)
	})
	log.Fatal(http.ListenAndServe(os.Args[1], nil))
}
