// Command backend is what is probed: /slow answers after 50 ms, /fast at once.
package main

import (
	"log"
	"net/http"
	"os"
	"time"
)

func main() {
	http.HandleFunc("GET /slow", func(http.ResponseWriter, *http.Request) { time.Sleep(50 * time.Millisecond) })
	http.HandleFunc("GET /fast", func(http.ResponseWriter, *http.Request) {})
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Args[1], nil))
}
