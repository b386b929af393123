// Command clients holds 500 connections to a Centrifugo server, five to each of 100 rooms, and reads what comes.
package main

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"time"
)

func main() {
	base := os.Args[1]
	for i := range 500 {
		connect := fmt.Sprintf(`{"subs":{"room:%d":{}}}`, i%100)
		go listen(base + "/connection/uni_sse?cf_connect=" + url.QueryEscape(connect))
	}
	select {}
}

// listen connects again whenever the server is not there, as before its start.
func listen(stream string) {
	for {
		if resp, err := http.Get(stream); err == nil {
			_, _ = io.Copy(io.Discard, resp.Body)
			_ = resp.Body.Close()
		}
		time.Sleep(100 * time.Millisecond)
	}
}
