// Command seed fills the history of 100 rooms of a Centrifugo server, and writes the rooms' names, one a line.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strings"
)

func main() {
	base, file := os.Args[1], os.Args[2]
	rooms := make([]string, 100)
	for i := range rooms {
		rooms[i] = fmt.Sprintf("room:%d", i)
	}
	for n := range 100 {
		body, err := json.Marshal(map[string]any{
			"channels": rooms,
			"data":     map[string]any{"id": n, "from": "ada", "text": strings.Repeat("what was said before ", 10)},
		})
		check(err)
		resp, err := http.Post(base+"/api/broadcast", "application/json", bytes.NewReader(body))
		check(err)
		said, err := io.ReadAll(resp.Body)
		check(err)
		_ = resp.Body.Close()
		if resp.StatusCode != http.StatusOK || bytes.Contains(said, []byte(`"error"`)) {
			log.Fatalf("%s: %s", resp.Status, said)
		}
	}
	check(os.WriteFile(file, []byte(strings.Join(rooms, "\n")+"\n"), 0o600))
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
