// A collector of telemetry over h2c: readings of 16 bytes are taken from the body one by one.
package main

import (
	"errors"
	"fmt"
	"io"
	"net/http"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/h2c"

	"wild/service"
)

func main() {
	mux := http.NewServeMux()
	mux.HandleFunc("/ingest", func(w http.ResponseWriter, r *http.Request) {
		var reading [16]byte
		n, high := 0, 0
		for {
			_, err := io.ReadFull(r.Body, reading[:])
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				http.Error(w, err.Error(), http.StatusBadRequest)
				return
			}
			n++
			if reading[0] > '5' {
				high++
			}
		}
		fmt.Fprintf(w, "%d readings, %d high\n", n, high)
	})
	service.Run(h2c.NewHandler(mux, &http2.Server{}))
}
