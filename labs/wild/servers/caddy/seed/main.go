// Command seed writes the site that Caddy serves: one page of 64 KiB.
package main

import (
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	dir := os.Args[1]
	if err := os.MkdirAll(dir, 0o755); err != nil {
		log.Fatal(err)
	}
	words := strings.Fields("the load of a service is what it is asked for and its limit is what it cannot give " +
		"a page has words tables links and numbers so that it can be packed as pages usually can")
	random := rand.New(rand.NewPCG(1, 2))
	var page strings.Builder
	page.WriteString("<!doctype html>\n<title>A page</title>\n")
	for page.Len() < 64<<10 {
		fmt.Fprintf(&page, "<p id=\"p%d\"><a href=\"/static/%x\">", page.Len(), random.Uint32())
		for range 12 {
			page.WriteString(words[random.IntN(len(words))] + " ")
		}
		page.WriteString("</a></p>\n")
	}
	if err := os.WriteFile(filepath.Join(dir, "page.html"), []byte(page.String()), 0o644); err != nil {
		log.Fatal(err)
	}
}
