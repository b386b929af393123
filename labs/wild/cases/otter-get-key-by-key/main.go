// Prices for tills over gRPC: a till asks for the next lines of its price list, and what is not in the cache comes from the head
// office, a process of its own that answers after some milliseconds. There are far more articles than the cache holds.
package main

import (
	"context"
	"encoding/json"
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

	"github.com/maypok86/otter/v2"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	testpb "google.golang.org/grpc/interop/grpc_testing"
	"google.golang.org/grpc/reflection"
	"google.golang.org/grpc/status"

	"wild/service"
)

const (
	articles = 60_000
	lines    = 16
)

// tills has prices of late, and how far price lists were read.
type tills struct {
	testpb.UnimplementedTestServiceServer
	prices *otter.Cache[int, int]
	office *http.Client
	base   string
	next   atomic.Int64
}

func open(address string) (*tills, error) {
	prices, err := otter.New(&otter.Options[int, int]{MaximumSize: 3000})
	if err != nil {
		return nil, err
	}
	return &tills{prices: prices, base: "http://" + address, office: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}}, nil
}

// ask has the head office say what articles cost.
func (t *tills) ask(ctx context.Context, list []int) (map[int]int, error) {
	words := make([]string, len(list))
	for i, article := range list {
		words[i] = strconv.Itoa(article)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, t.base+"/prices?articles="+strings.Join(words, ","), http.NoBody)
	if err != nil {
		return nil, err
	}
	resp, err := t.office.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("head office: %s", resp.Status)
	}
	out := make(map[int]int, len(list))
	err = json.NewDecoder(resp.Body).Decode(&out)
	return out, err
}

// of returns what articles cost.
func (t *tills) of(ctx context.Context, list []int) (map[int]int, error) {
	if service.After() {
		return t.prices.BulkGet(ctx, list, otter.BulkLoaderFunc[int, int](t.ask))
	}
	out := make(map[int]int, len(list))
	for _, article := range list {
		cents, err := t.prices.Get(ctx, article, otter.LoaderFunc[int, int](func(ctx context.Context, article int) (int, error) {
			one, err := t.ask(ctx, []int{article})
			return one[article], err
		}))
		if err != nil {
			return nil, err
		}
		out[article] = cents
	}
	return out, nil
}

// UnaryCall is a till that asks for the next lines of its list.
func (t *tills) UnaryCall(ctx context.Context, in *testpb.SimpleRequest) (*testpb.SimpleResponse, error) {
	shop := string(in.GetPayload().GetBody())
	if shop == "" {
		return nil, status.Error(codes.InvalidArgument, "a till is in a shop")
	}
	from := int(t.next.Add(1)) * 7919
	list := make([]int, lines)
	for i := range list {
		list[i] = (from + i*i*37) % articles
		if i%4 == 0 {
			list[i] %= 2000 // what all shops sell
		}
	}
	found, err := t.of(ctx, list)
	if err != nil {
		return nil, status.Error(codes.Unavailable, err.Error())
	}
	var out strings.Builder
	out.WriteString(shop)
	for _, article := range list {
		fmt.Fprintf(&out, "\n%d %d.%02d", article, found[article]/100, found[article]%100)
	}
	return &testpb.SimpleResponse{Payload: &testpb.Payload{Body: []byte(out.String())}}, nil
}

func main() {
	if os.Getenv("ROLE") == "office" {
		serveOffice()
		return
	}
	t, err := open(service.Beside("office"))
	if err != nil {
		log.Fatal(err)
	}
	srv := grpc.NewServer()
	testpb.RegisterTestServiceServer(srv, t)
	reflection.Register(srv)
	ln := service.Listen()
	go func() { log.Println(srv.Serve(ln)) }()
	service.Wait()
	srv.Stop()
}

// serveOffice knows all prices, and takes 3 ms to look for some.
func serveOffice() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /prices", func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(3 * time.Millisecond)
		out := map[int]int{}
		for _, word := range strings.Split(r.FormValue("articles"), ",") {
			n, err := strconv.Atoi(word)
			if err != nil {
				http.Error(w, err.Error(), http.StatusBadRequest)
				return
			}
			out[n] = 99 + n*31%4000
		}
		json.NewEncoder(w).Encode(out)
	})
	go func() { log.Println(http.Serve(ln, mux)) }()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
