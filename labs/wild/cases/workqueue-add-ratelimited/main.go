// Firewalls of customers, kept by a controller as Kubernetes has them: a request changes the rules of
// one, which puts its name into the work queue, and is answered when a worker has compiled and
// applied the rules.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"net/http"
	"net/netip"
	"sort"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"
	"k8s.io/client-go/util/workqueue"

	"wild/service"
)

const workers = 4

// rule lets a network reach a port.
type rule struct {
	From string `json:"from"`
	Port int    `json:"port"`
}

// firewall is what one is to be, and those that wait until it is.
type firewall struct {
	rules   []rule
	waiting []chan error
}

type controller struct {
	queue workqueue.TypedRateLimitingInterface[string]
	mu    sync.Mutex
	want  map[string]*firewall
	sums  sync.Map // name to the sum of what is applied
	next  atomic.Int64
}

func newController() *controller {
	limiter := workqueue.NewTypedMaxOfRateLimiter(
		workqueue.NewTypedItemExponentialFailureRateLimiter[string](5*time.Millisecond, 1000*time.Second),
		&workqueue.TypedBucketRateLimiter[string]{Limiter: rate.NewLimiter(rate.Limit(50), 300)},
	)
	return &controller{queue: workqueue.NewTypedRateLimitingQueue(limiter), want: map[string]*firewall{}}
}

// enqueue has a firewall worked on.
func (c *controller) enqueue(name string) {
	if service.After() {
		c.queue.Add(name)
		return
	}
	c.queue.AddRateLimited(name)
}

// change says what a firewall is to be, and waits until it is.
func (c *controller) change(name string, rules []rule) error {
	done := make(chan error, 1)
	c.mu.Lock()
	f := c.want[name]
	if f == nil {
		f = &firewall{}
		c.want[name] = f
	}
	f.rules = rules
	f.waiting = append(f.waiting, done)
	c.mu.Unlock()
	c.enqueue(name)
	select {
	case err := <-done:
		return err
	case <-time.After(10 * time.Second):
		return errors.New("not applied within 10 s")
	}
}

func (c *controller) work() {
	for {
		name, shutdown := c.queue.Get()
		if shutdown {
			return
		}
		c.mu.Lock()
		f := c.want[name]
		rules, waiting := f.rules, f.waiting
		f.waiting = nil
		c.mu.Unlock()
		err := c.apply(name, rules)
		c.queue.Forget(name)
		c.queue.Done(name)
		for _, done := range waiting {
			done <- err
		}
	}
}

// apply compiles the rules, and puts them in force.
func (c *controller) apply(name string, rules []rule) error {
	type compiled struct {
		net  netip.Prefix
		port int
	}
	var table []compiled
	for _, r := range rules {
		p, err := netip.ParsePrefix(r.From)
		if err != nil {
			return err
		}
		table = append(table, compiled{p.Masked(), r.Port})
	}
	sort.Slice(table, func(i, j int) bool { return table[i].net.Bits() > table[j].net.Bits() })
	h := fnv.New64a()
	for _, t := range table {
		fmt.Fprintln(h, t.net, t.port)
	}
	time.Sleep(time.Millisecond) // the host puts them in force
	c.sums.Store(name, h.Sum64())
	return nil
}

func main() {
	c := newController()
	for range workers {
		go c.work()
	}
	http.HandleFunc("POST /rules", func(w http.ResponseWriter, r *http.Request) {
		var rules []rule
		if err := json.NewDecoder(io.LimitReader(r.Body, 64<<10)).Decode(&rules); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		name := fmt.Sprintf("customer-%04d", c.next.Add(1)%5000)
		if err := c.change(name, rules); err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		}
		sum, _ := c.sums.Load(name)
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"name": name, "sum": sum})
	})
	service.Run(http.DefaultServeMux)
}
