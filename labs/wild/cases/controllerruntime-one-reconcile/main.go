// Boilers of a housing association: a tenant's wish is noted, and a controller brings the boiler to it, through a gateway of the maker, a
// process of its own that takes 8 ms to reach a boiler. The tenant is answered when the boiler is there.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"sync"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	ctrllog "sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"wild/service"
)

// boiler is what is wished of one, and who waits for it.
type boiler struct {
	wish    int
	waiting []chan error
}

// association has boilers.
type association struct {
	gateway string
	client  *http.Client
	wishes  chan event.TypedGenericEvent[string]

	mu      sync.Mutex
	boilers map[string]*boiler
}

func open(ctx context.Context, address string) (*association, error) {
	a := &association{
		gateway: "http://" + address,
		client:  &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}, Timeout: 5 * time.Second},
		wishes:  make(chan event.TypedGenericEvent[string]),
		boilers: map[string]*boiler{},
	}
	options := controller.TypedOptions[string]{Reconciler: reconcile.TypedFunc[string](a.reconcile)}
	if service.After() {
		options.MaxConcurrentReconciles = 16
	}
	c, err := controller.NewTypedUnmanaged("boilers", options)
	if err != nil {
		return nil, err
	}
	add := handler.TypedFuncs[string, string]{GenericFunc: func(_ context.Context, e event.TypedGenericEvent[string], q workqueue.TypedRateLimitingInterface[string]) {
		q.Add(e.Object)
	}}
	if err := c.Watch(source.TypedChannel(a.wishes, add)); err != nil {
		return nil, err
	}
	go func() {
		if err := c.Start(ctx); err != nil {
			log.Fatal(err)
		}
	}()
	return a, nil
}

// set brings a boiler to so many degrees.
func (a *association) set(ctx context.Context, id string, degrees int) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPut, fmt.Sprintf("%s/boilers/%s?degrees=%d", a.gateway, id, degrees), nil)
	if err != nil {
		return err
	}
	resp, err := a.client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	_, err = io.Copy(io.Discard, resp.Body)
	return err
}

// reconcile brings a boiler to what is wished of it.
func (a *association) reconcile(ctx context.Context, id string) (reconcile.Result, error) {
	a.mu.Lock()
	b := a.boilers[id]
	if b == nil {
		a.mu.Unlock()
		return reconcile.Result{}, nil
	}
	wish, waiting := b.wish, b.waiting
	b.waiting = nil
	a.mu.Unlock()
	err := a.set(ctx, id, wish)
	for _, c := range waiting {
		c <- err
	}
	return reconcile.Result{}, nil
}

// wish notes a wish, and waits until it is met.
func (a *association) wish(ctx context.Context, id string, degrees int) error {
	met := make(chan error, 1)
	a.mu.Lock()
	b := a.boilers[id]
	if b == nil {
		b = &boiler{}
		a.boilers[id] = b
	}
	b.wish, b.waiting = degrees, append(b.waiting, met)
	a.mu.Unlock()
	a.wishes <- event.TypedGenericEvent[string]{Object: id}
	select {
	case err := <-met:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (a *association) serve(w http.ResponseWriter, r *http.Request) {
	degrees, err := strconv.Atoi(r.URL.Query().Get("degrees"))
	if err != nil || degrees < 5 || degrees > 75 {
		http.Error(w, "from 5 to 75 degrees", http.StatusBadRequest)
		return
	}
	if err := a.wish(r.Context(), r.PathValue("boiler"), degrees); err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	fmt.Fprintf(w, "%s is at %d degrees\n", r.PathValue("boiler"), degrees)
}

func main() {
	if os.Getenv("ROLE") == "maker" {
		maker()
		return
	}
	ctrllog.SetLogger(logr.Discard())
	a, err := open(context.Background(), service.Beside("maker"))
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /boilers/{boiler}/wish", a.serve)
	service.Run(mux)
}

// maker reaches boilers.
func maker() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("PUT /boilers/{boiler}", func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(8 * time.Millisecond)
		fmt.Fprintln(w, "set")
	})
	go func() { log.Println(http.Serve(ln, mux)) }()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
