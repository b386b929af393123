// Menus of a canteen: a day's dishes are told with what is in them, which a kitchen's system knows, a process elsewhere, which takes 2 ms for
// an answer, for one dish or for many. What a request asks for goes through a loader that gathers keys.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/vikstrous/dataloadgen"

	"wild/service"
)

// dish is what can be eaten.
type dish struct {
	Name  string   `json:"name"`
	Stuff []string `json:"stuff"`
}

// canteen knows its days, and asks the kitchen.
type canteen struct {
	client  *http.Client
	kitchen string
}

var names = []string{"soup", "noodles", "curry", "salad", "stew", "pizza", "dumplings", "rice pudding", "fish", "omelette", "beans", "cake"}

// day says what there is.
func day(of string) []string {
	h := fnv.New32a()
	io.WriteString(h, of)
	var out []string
	for i := range 5 {
		out = append(out, names[(int(h.Sum32()%1000)+i*5)%len(names)])
	}
	return out
}

// fetch asks for dishes.
func (c *canteen) fetch(ctx context.Context, keys []string) (map[string]dish, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.kitchen+url.QueryEscape(strings.Join(keys, ",")), nil)
	if err != nil {
		return nil, err
	}
	resp, err := c.client.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	out := map[string]dish{}
	return out, json.NewDecoder(resp.Body).Decode(&out)
}

// menu says what is in a day's dishes.
func (c *canteen) menu(ctx context.Context, of string) ([]dish, error) {
	loader := dataloadgen.NewMappedLoader(c.fetch, dataloadgen.WithWait(time.Millisecond))
	if service.After() {
		return loader.LoadAll(ctx, day(of))
	}
	var out []dish
	for _, name := range day(of) {
		d, err := loader.Load(ctx, name)
		if err != nil {
			return nil, err
		}
		out = append(out, d)
	}
	return out, nil
}

func (c *canteen) serve(w http.ResponseWriter, r *http.Request) {
	out, err := c.menu(r.Context(), r.PathValue("day"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(out)
}

func main() {
	if os.Getenv("ROLE") == "kitchen" {
		kitchen()
		return
	}
	c := &canteen{
		client:  &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}, Timeout: 5 * time.Second},
		kitchen: "http://" + service.Beside("kitchen") + "/dishes?of=",
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /menus/{day}", c.serve)
	service.Run(mux)
}

// kitchen knows what is in dishes.
func kitchen() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go http.Serve(ln, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(2 * time.Millisecond)
		out := map[string]dish{}
		for name := range strings.SplitSeq(r.URL.Query().Get("of"), ",") {
			out[name] = dish{name, []string{"salt", "water", name}}
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(out)
	}))
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
