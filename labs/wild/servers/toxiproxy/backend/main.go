// Command backend is a site of one page of 32 KiB, and tells Toxiproxy to proxy it twice: as it is, and slowly.
package main

import (
	"bytes"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
	"time"
)

func main() {
	api, port := os.Args[1], os.Args[2]
	page := bytes.Repeat([]byte("<p>One of many lines of a page.\n"), 1024)
	http.HandleFunc("GET /page", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write(page)
	})
	http.HandleFunc("GET /ready", func(http.ResponseWriter, *http.Request) {})
	site, err := net.Listen("tcp", "127.0.0.1:0")
	check(err)
	go tell(api, port, site.Addr().String())
	log.Fatal(http.Serve(site, nil))
}

// tell makes both proxies. Both listen at the one port that is known to be free, at two addresses.
func tell(api, port, site string) {
	for until := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		if resp, err := http.Get(api + "/version"); err == nil {
			check(resp.Body.Close())
			break
		} else if time.Now().After(until) {
			log.Fatal(err)
		}
	}
	post(api+"/proxies", fmt.Sprintf(`{"name": "plain", "listen": "127.0.0.1:%s", "upstream": %q, "enabled": true}`, port, site))
	post(api+"/proxies", fmt.Sprintf(`{"name": "slow", "listen": "127.0.0.2:%s", "upstream": %q, "enabled": true}`, port, site))
	post(api+"/proxies/slow/toxics", `{"type": "bandwidth", "stream": "downstream", "attributes": {"rate": 160}}`)
}

func post(url, body string) {
	resp, err := http.Post(url, "application/json", strings.NewReader(body))
	check(err)
	check(resp.Body.Close())
	if resp.StatusCode/100 != 2 {
		log.Fatal(url, ": ", resp.Status)
	}
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
