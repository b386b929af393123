// Profiles of users behind an expiring LRU cache, with singleflight for those that are not
// in it. They come from another service, a process of its own that takes 8 ms for one; of
// two hundred requests one asks for a user who was not seen lately.
package main

import (
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/hashicorp/golang-lru/v2/expirable"
	"golang.org/x/sync/singleflight"

	"wild/service"
)

const known = 2000

func main() {
	if os.Getenv("ROLE") == "users" {
		users()
		return
	}
	base := "http://" + service.Beside("users") + "/user?id="
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = 64
	client := &http.Client{Transport: transport, Timeout: 5 * time.Second}
	cache := expirable.NewLRU[string, []byte](10_000, nil, time.Hour)
	var flights singleflight.Group
	fetch := func(id string) ([]byte, error) {
		v, err, _ := flights.Do(id, func() (any, error) {
			resp, err := client.Get(base + id)
			if err != nil {
				return nil, err
			}
			defer resp.Body.Close()
			b, err := io.ReadAll(resp.Body)
			if err == nil && resp.StatusCode != http.StatusOK {
				err = fmt.Errorf("users: %s", resp.Status)
			}
			if err == nil {
				cache.Add(id, b)
			}
			return b, err
		})
		b, _ := v.([]byte)
		return b, err
	}
	for i := range known {
		cache.Add(strconv.Itoa(i), profile(strconv.Itoa(i)))
	}
	var seq atomic.Int64
	http.HandleFunc("/profile", func(w http.ResponseWriter, r *http.Request) {
		n := seq.Add(1)
		id := strconv.FormatInt(n*7919%known, 10)
		if n%200 == 0 {
			id = strconv.FormatInt(known+n, 10)
		}
		b, ok := cache.Get(id)
		if !ok {
			var err error
			if b, err = fetch(id); err != nil {
				http.Error(w, err.Error(), http.StatusBadGateway)
				return
			}
		}
		w.Header().Set("Content-Type", "application/json")
		w.Write(b)
	})
	service.Run(http.DefaultServeMux)
}

func profile(id string) []byte {
	return fmt.Appendf(nil, `{"id":%s,"name":"user %s","city":"Bremen","since":2019}`+"\n", id, id)
}

func users() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go http.Serve(ln, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(8 * time.Millisecond)
		w.Write(profile(r.FormValue("id")))
	}))
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
