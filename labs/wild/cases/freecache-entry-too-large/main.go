// Catalogue pages, kept in freecache. A page of 12 KiB is made by the renderer, a process of
// its own that takes 6 ms for one; there are 100 pages.
package main

import (
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/coocood/freecache"

	"wild/service"
)

const pages = 100

func main() {
	if os.Getenv("ROLE") == "renderer" {
		renderer()
		return
	}
	base := "http://" + service.Beside("renderer") + "/render?page="
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}, Timeout: 5 * time.Second}
	size := 8 << 20 // all pages take little more than 1 MiB
	if service.After() {
		size = 64 << 20
	}
	cache := freecache.NewCache(size)
	var seq atomic.Int64
	http.HandleFunc("/page", func(w http.ResponseWriter, r *http.Request) {
		page := strconv.FormatInt(seq.Add(1)*37%pages, 10)
		key := []byte("page:" + page)
		w.Header().Set("Content-Type", "text/html")
		if body, err := cache.Get(key); err == nil {
			w.Write(body)
			return
		}
		body, err := render(client, base+page)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		cache.Set(key, body, 600)
		w.Write(body)
	})
	service.Run(http.DefaultServeMux)
}

func render(client *http.Client, url string) ([]byte, error) {
	resp, err := client.Get(url)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	return io.ReadAll(resp.Body)
}

func renderer() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go http.Serve(ln, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(6 * time.Millisecond)
		io.WriteString(w, strings.Repeat("<li>item of page "+r.FormValue("page")+"</li>\n", 12<<10/27))
	}))
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
