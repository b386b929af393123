// Command seed puts 1000 keys, item/0000 to item/0999, through the gateway.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
)

func main() {
	url := os.Args[1] + "/v3/kv/put"
	value := bytes.Repeat([]byte("0123456789"), 10)
	for i := range 1000 {
		body, err := json.Marshal(map[string][]byte{"key": fmt.Appendf(nil, "item/%04d", i), "value": value})
		if err != nil {
			log.Fatal(err)
		}
		resp, err := http.Post(url, "application/json", bytes.NewReader(body))
		if err != nil {
			log.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, resp.Body)
		_ = resp.Body.Close()
		if resp.StatusCode != http.StatusOK {
			log.Fatal(resp.Status)
		}
	}
}
