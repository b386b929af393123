// Plans of a building site, kept by revision: they lie in a datastore that another process has, which takes 2 ms to write one and 1 ms to
// read one, and takes as many at a time as come.
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"sync"
	"time"

	ds "github.com/ipfs/go-datastore"
	"github.com/ipfs/go-datastore/query"
	dssync "github.com/ipfs/go-datastore/sync"

	"wild/service"
)

// remote is the datastore elsewhere. It may be used by many at a time.
type remote struct {
	client *http.Client
	base   string
}

func (d *remote) do(ctx context.Context, method string, key ds.Key, value []byte) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, method, d.base+key.String(), bytes.NewReader(value))
	if err != nil {
		return nil, err
	}
	resp, err := d.client.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if resp.StatusCode == http.StatusNotFound {
		return nil, ds.ErrNotFound
	}
	return body, err
}

func (d *remote) Get(ctx context.Context, key ds.Key) ([]byte, error) {
	return d.do(ctx, http.MethodGet, key, nil)
}

func (d *remote) Has(ctx context.Context, key ds.Key) (bool, error) {
	return ds.GetBackedHas(ctx, d, key)
}

func (d *remote) GetSize(ctx context.Context, key ds.Key) (int, error) {
	return ds.GetBackedSize(ctx, d, key)
}

func (d *remote) Query(context.Context, query.Query) (query.Results, error) {
	return nil, errors.New("plans are not searched")
}

func (d *remote) Put(ctx context.Context, key ds.Key, value []byte) error {
	_, err := d.do(ctx, http.MethodPut, key, value)
	return err
}

func (d *remote) Delete(ctx context.Context, key ds.Key) error {
	_, err := d.do(ctx, http.MethodDelete, key, nil)
	return err
}

func (d *remote) Sync(context.Context, ds.Key) error { return nil }

func (d *remote) Close() error { return nil }

// site keeps plans.
type site struct{ plans ds.Datastore }

func open(address string) *site {
	d := &remote{&http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}, Timeout: 5 * time.Second}, "http://" + address}
	if service.After() {
		return &site{d}
	}
	return &site{dssync.MutexWrap(d)}
}

func (s *site) put(w http.ResponseWriter, r *http.Request) {
	plan, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<16))
	if err == nil {
		err = s.plans.Put(r.Context(), ds.NewKey("plans").ChildString(r.PathValue("plan")), plan)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

func (s *site) get(w http.ResponseWriter, r *http.Request) {
	plan, err := s.plans.Get(r.Context(), ds.NewKey("plans").ChildString(r.PathValue("plan")))
	if errors.Is(err, ds.ErrNotFound) {
		plan = []byte("not drawn yet")
	} else if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	w.Write(plan)
}

func main() {
	if os.Getenv("ROLE") == "datastore" {
		datastore()
		return
	}
	s := open(service.Beside("datastore"))
	mux := http.NewServeMux()
	mux.HandleFunc("PUT /plans/{plan}", s.put)
	mux.HandleFunc("GET /plans/{plan}", s.get)
	service.Run(mux)
}

// datastore keeps what it is given.
func datastore() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	var kept sync.Map
	go http.Serve(ln, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(time.Millisecond)
		switch body, ok := kept.Load(r.URL.Path); {
		case r.Method == http.MethodPut:
			time.Sleep(time.Millisecond)
			if value, err := io.ReadAll(r.Body); err == nil {
				kept.Store(r.URL.Path, value)
			}
		case r.Method == http.MethodDelete:
			kept.Delete(r.URL.Path)
		case !ok:
			http.NotFound(w, r)
		default:
			w.Write(body.([]byte))
		}
	}))
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
