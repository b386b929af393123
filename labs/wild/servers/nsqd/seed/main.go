// Command seed makes the topics and channels that are looked at, and a batch of 100 messages.
package main

import (
	"fmt"
	"log"
	"net/http"
	"os"
	"strings"
)

func main() {
	base, batch := os.Args[1], os.Args[2]
	for i := range 150 {
		post(fmt.Sprintf("%s/topic/create?topic=orders-%03d", base, i))
		for _, channel := range []string{"archive", "billing", "search"} {
			post(fmt.Sprintf("%s/channel/create?topic=orders-%03d&channel=%s", base, i, channel))
		}
	}
	post(base + "/topic/create?topic=events")
	var lines strings.Builder
	for i := range 100 {
		fmt.Fprintf(&lines, `{"user":"u%d","path":"/products/%d","took":%d,"agent":"Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"}`+"\n",
			i*37%1000, i*61%500, i*13%900)
	}
	check(os.WriteFile(batch, []byte(strings.TrimSuffix(lines.String(), "\n")), 0o600))
}

func post(url string) {
	resp, err := http.Post(url, "", http.NoBody)
	check(err)
	check(resp.Body.Close())
	if resp.StatusCode != http.StatusOK {
		log.Fatal(url, ": ", resp.Status)
	}
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
