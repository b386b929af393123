// Stock levels: a gRPC server, and in the same program the gateway through which browsers ask
// it over HTTP with JSON. What is in stock is asked of the warehouse, a process of its own that
// takes 3 ms. At the start the gateway asks for what sells best, one product after another.
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
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	testpb "google.golang.org/grpc/interop/grpc_testing"

	"wild/service"
)

const (
	streams     = 100 // of one client at a time
	bestSellers = 60
)

type stock struct {
	testpb.UnimplementedTestServiceServer
	url    string
	client *http.Client
}

// UnaryCall answers with what is left of a product.
func (s stock) UnaryCall(ctx context.Context, in *testpb.SimpleRequest) (*testpb.SimpleResponse, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.url+"/level?sku="+string(in.GetPayload().GetBody()), nil)
	if err != nil {
		return nil, err
	}
	resp, err := s.client.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	level, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	return &testpb.SimpleResponse{Payload: &testpb.Payload{Body: level}}, nil
}

func main() {
	if os.Getenv("ROLE") == "warehouse" {
		warehouse()
		return
	}
	s := stock{url: "http://" + service.Beside("warehouse"), client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	srv := grpc.NewServer(grpc.MaxConcurrentStreams(streams))
	testpb.RegisterTestServiceServer(srv, s)
	go func() { log.Println(srv.Serve(ln)) }()

	conn, err := grpc.Dial(ln.Addr().String(), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		log.Fatal(err)
	}
	client := testpb.NewTestServiceClient(conn)
	for i := range bestSellers {
		if _, err := level(context.Background(), client, "best-"+strconv.Itoa(i)); err != nil {
			log.Fatal(err)
		}
	}
	http.HandleFunc("/stock", func(w http.ResponseWriter, r *http.Request) {
		sku := r.URL.Query().Get("sku")
		n, err := level(r.Context(), client, sku)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"sku": sku, "level": n, "available": n > 0})
	})
	service.Run(http.DefaultServeMux)
}

// level asks the gRPC server.
func level(ctx context.Context, c testpb.TestServiceClient, sku string) (int, error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	resp, err := c.UnaryCall(ctx, &testpb.SimpleRequest{Payload: &testpb.Payload{Body: []byte(sku)}})
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(string(resp.GetPayload().GetBody()))
}

func warehouse() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("/level", func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(3 * time.Millisecond)
		fmt.Fprint(w, 7*len(r.URL.Query().Get("sku")))
	})
	go http.Serve(ln, nil)
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
