// Baskets of a shop: whether there is enough of what is in a basket says the stock service, of which there are some
// instances, that Consul knows. Consul and the stock service are in a process beside this one.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/hashicorp/consul/api"

	"wild/service"
)

// line is one of a basket.
type line struct {
	SKU   int  `json:"sku"`
	Count int  `json:"count"`
	OK    bool `json:"ok"`
}

// till looks at baskets.
type till struct {
	consul *api.Client
	client *http.Client
	known  atomic.Pointer[[]string] // instances of the stock service, where they are watched
}

var errNone = errors.New("no instance of the stock service is healthy")

func open(consul string) (*till, error) {
	kept := &http.Transport{MaxIdleConnsPerHost: 64}
	c, err := api.NewClient(&api.Config{Address: consul, HttpClient: &http.Client{Transport: kept}})
	if err != nil {
		return nil, err
	}
	t := &till{consul: c, client: &http.Client{Transport: kept, Timeout: 2 * time.Second}}
	if service.After() {
		at, err := t.look(&api.QueryOptions{})
		if err != nil {
			return nil, err
		}
		go t.watch(at)
	}
	return t, nil
}

// look asks Consul for the healthy instances.
func (t *till) look(q *api.QueryOptions) (uint64, error) {
	entries, meta, err := t.consul.Health().Service("stock", "", true, q)
	if err != nil {
		return 0, err
	}
	at := make([]string, len(entries))
	for i, e := range entries {
		at[i] = net.JoinHostPort(e.Service.Address, strconv.Itoa(e.Service.Port))
	}
	t.known.Store(&at)
	return meta.LastIndex, nil
}

// watch waits for changes of the instances.
func (t *till) watch(index uint64) {
	for {
		next, err := t.look(&api.QueryOptions{WaitIndex: index, WaitTime: time.Minute})
		if err != nil {
			log.Println(err)
			time.Sleep(time.Second)
			continue
		}
		index = next
	}
}

// instance picks one of the stock service.
func (t *till) instance(ctx context.Context) (string, error) {
	if !service.After() {
		if _, err := t.look((&api.QueryOptions{}).WithContext(ctx)); err != nil {
			return "", err
		}
	}
	at := *t.known.Load()
	if len(at) == 0 {
		return "", errNone
	}
	return at[rand.IntN(len(at))], nil
}

// check says of each line whether there is enough.
func (t *till) check(ctx context.Context, lines []line) error {
	at, err := t.instance(ctx)
	if err != nil {
		return err
	}
	var q strings.Builder
	for _, l := range lines {
		fmt.Fprintf(&q, "%d,", l.SKU)
	}
	resp, err := t.client.Get("http://" + at + "/stock/" + q.String())
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	var have []int
	if err := json.Unmarshal(data, &have); err != nil || len(have) != len(lines) {
		return fmt.Errorf("stock answers %q", data)
	}
	for i := range lines {
		lines[i].OK = have[i] >= lines[i].Count
	}
	return nil
}

func main() {
	if os.Getenv("ROLE") == "consul" {
		serveConsul(serve(http.HandlerFunc(stock)))
		return
	}
	t, err := open(service.Beside("consul"))
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /baskets/check", func(w http.ResponseWriter, r *http.Request) {
		var lines []line
		if err := json.NewDecoder(io.LimitReader(r.Body, 16<<10)).Decode(&lines); err != nil || len(lines) == 0 || len(lines) > 50 {
			http.Error(w, "one to fifty lines are asked for", http.StatusBadRequest)
			return
		}
		if err := t.check(r.Context(), lines); err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(lines)
	})
	service.Run(mux)
}

// stock is an instance of the stock service, which takes 2 ms.
func stock(w http.ResponseWriter, r *http.Request) {
	have := []int{}
	for sku := range strings.SplitSeq(strings.TrimSuffix(r.URL.Path[len("/stock/"):], ","), ",") {
		n, _ := strconv.Atoi(sku)
		have = append(have, n*7%40)
	}
	time.Sleep(2 * time.Millisecond)
	json.NewEncoder(w).Encode(have)
}

// serveConsul stands for an agent of Consul, which takes 5 ms for a query: it asks the servers. A query with the index
// of what is known waits until there is something new.
func serveConsul(stock string) {
	_, port, err := net.SplitHostPort(stock)
	if err != nil {
		log.Fatal(err)
	}
	var entries []string
	for i := range 6 {
		entries = append(entries, fmt.Sprintf(`{"Node":{"ID":"n%[1]d","Node":"node-%[1]d","Address":"127.0.0.1","Datacenter":"dc1","TaggedAddresses":{"lan":"127.0.0.1"},"Meta":{"zone":"a"}},"Service":{"ID":"stock-%[1]d","Service":"stock","Tags":["v3","http"],"Address":"127.0.0.1","Meta":{"team":"depot"},"Port":%[2]s,"Weights":{"Passing":1,"Warning":1}},"Checks":[{"Node":"node-%[1]d","CheckID":"serfHealth","Name":"Serf Health Status","Status":"passing","Output":"Agent alive and reachable"},{"Node":"node-%[1]d","CheckID":"service:stock-%[1]d","Name":"HTTP","Status":"passing","Output":"HTTP GET /healthz: 200 OK"}]}`, i, port))
	}
	body := "[" + strings.Join(entries, ",") + "]"
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/health/service/stock", func(w http.ResponseWriter, r *http.Request) {
		wait := 5 * time.Millisecond
		if r.FormValue("index") == "1207" {
			wait = time.Minute
		}
		select {
		case <-time.After(wait):
		case <-r.Context().Done():
			return
		}
		w.Header().Set("X-Consul-Index", "1207")
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, body)
	})
	fmt.Println(serve(mux))
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}

// serve serves on an address that it returns.
func serve(h http.Handler) string {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go func() { log.Println(http.Serve(ln, h)) }()
	return ln.Addr().String()
}
