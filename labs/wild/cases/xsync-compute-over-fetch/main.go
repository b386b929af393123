// Free places in car parks: what a car park says of itself is asked for by the service that counts, a process of its own,
// and is kept for less than half a second, in which more people look at the same car park.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"time"

	"github.com/puzpuzpuz/xsync/v3"
	"golang.org/x/sync/singleflight"

	"wild/service"
)

const fresh = 400 * time.Millisecond

// count is what a car park says.
type count struct {
	Park   int `json:"park"`
	Free   int `json:"free"`
	Places int `json:"places"`
	until  time.Time
}

// city has car parks.
type city struct {
	base   string
	client *http.Client
	counts *xsync.MapOf[int, count]
	asking singleflight.Group
}

func open(address string) *city {
	transport := &http.Transport{MaxIdleConnsPerHost: 128}
	return &city{base: "http://" + address, client: &http.Client{Transport: transport, Timeout: 2 * time.Second}, counts: xsync.NewMapOf[int, count]()}
}

var errPark = errors.New("no such car park")

// ask asks the service that counts.
func (c *city) ask(park int) (count, error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.base+"/parks/"+strconv.Itoa(park), http.NoBody)
	if err != nil {
		return count{}, err
	}
	resp, err := c.client.Do(req)
	if err != nil {
		return count{}, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return count{}, errPark
	}
	out := count{Park: park}
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		return count{}, err
	}
	out.until = time.Now().Add(fresh)
	return out, json.Unmarshal(data, &out)
}

// free is what is free in a car park.
func (c *city) free(park int) (out count, err error) {
	if !service.After() {
		out, _ = c.counts.Compute(park, func(old count, ok bool) (count, bool) {
			if ok && time.Now().Before(old.until) {
				return old, false
			}
			var now count
			if now, err = c.ask(park); err != nil {
				return old, !ok
			}
			return now, false
		})
		return out, err
	}
	if out, ok := c.counts.Load(park); ok && time.Now().Before(out.until) {
		return out, nil
	}
	now, err, _ := c.asking.Do(strconv.Itoa(park), func() (any, error) {
		now, err := c.ask(park)
		if err == nil {
			c.counts.Store(park, now)
		}
		return now, err
	})
	return now.(count), err
}

func main() {
	if os.Getenv("ROLE") == "counting" {
		serveCounting()
		return
	}
	c := open(service.Beside("counting"))
	mux := http.NewServeMux()
	mux.HandleFunc("GET /parks/{park}", func(w http.ResponseWriter, r *http.Request) {
		park, err := strconv.Atoi(r.PathValue("park"))
		if err != nil {
			http.Error(w, "a car park is a number", http.StatusBadRequest)
			return
		}
		out, err := c.free(park)
		switch {
		case errors.Is(err, errPark):
			http.Error(w, err.Error(), http.StatusNotFound)
			return
		case err != nil:
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(out)
	})
	mux.HandleFunc("GET /known", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, c.counts.Size()) })
	service.Run(mux)
}

// serveCounting takes 40 ms for a car park.
func serveCounting() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("GET /parks/{park}", func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(40 * time.Millisecond)
		park, _ := strconv.Atoi(r.PathValue("park"))
		if park <= 0 {
			http.NotFound(w, r)
			return
		}
		fmt.Fprintf(w, `{"free":%d,"places":%d}`, park*37%180, 200+park%300)
	})
	go func() { log.Println(http.Serve(ln, nil)) }()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
