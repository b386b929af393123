// Command seed writes the customers that orders are of, one a line, and a batch of 50 events.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"os"
	"strings"
)

func main() {
	customers, batch := os.Args[1], os.Args[2]
	var names strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&names, "c%04d\n", i)
	}
	check(os.WriteFile(customers, []byte(names.String()), 0o600))
	agents := []string{
		"Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36",
		"Mozilla/5.0 (Macintosh; Intel Mac OS X 14_5) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15",
	}
	events := make([]map[string]any, 50)
	for i := range events {
		events[i] = map[string]any{
			"session": "{{uuid}}", // the load fills it in
			"user":    fmt.Sprintf("u%d", i*37%1000),
			"url":     fmt.Sprintf("https://shop.example/products/%d?from=mail", i*61%500),
			"agent":   agents[i%len(agents)], "took": i * 13 % 900,
		}
	}
	data, err := json.Marshal(events)
	check(err)
	check(os.WriteFile(batch, data, 0o600))
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
