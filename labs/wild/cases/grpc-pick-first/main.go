// A front for currency rates: a request asks the rate service for some pairs at once, over gRPC.
// There are three instances of it in a process of its own, each of which works on four calls at a
// time, 4 ms each.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	testpb "google.golang.org/grpc/interop/grpc_testing"
	"google.golang.org/grpc/resolver"
	"google.golang.org/grpc/resolver/manual"

	"wild/service"
)

const (
	instances = 3
	atATime   = 4
	late      = 4 * time.Millisecond
)

// instance is one of those that know the rates.
type instance struct {
	testpb.UnimplementedTestServiceServer
	places chan struct{}
}

func (i *instance) UnaryCall(ctx context.Context, in *testpb.SimpleRequest) (*testpb.SimpleResponse, error) {
	select {
	case i.places <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { <-i.places }()
	time.Sleep(late)
	rate := 0.5 + float64(crc32.ChecksumIEEE(in.GetPayload().GetBody())%1000)/1000
	return &testpb.SimpleResponse{Payload: &testpb.Payload{Body: fmt.Appendf(nil, "%.4f", rate)}}, nil
}

// rates asks the rate service.
type rates struct{ client testpb.TestServiceClient }

func (r rates) quote(ctx context.Context, pair string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	out, err := r.client.UnaryCall(ctx, &testpb.SimpleRequest{Payload: &testpb.Payload{Body: []byte(pair)}})
	if err != nil {
		return "", err
	}
	return string(out.GetPayload().GetBody()), nil
}

// connect finds the instances as a registry names them.
func connect(addresses []string) (*grpc.ClientConn, error) {
	registry := manual.NewBuilderWithScheme("registry")
	var state resolver.State
	for _, a := range addresses {
		state.Endpoints = append(state.Endpoints, resolver.Endpoint{Addresses: []resolver.Address{{Addr: a}}})
	}
	registry.InitialState(state)
	options := []grpc.DialOption{grpc.WithResolvers(registry), grpc.WithTransportCredentials(insecure.NewCredentials())}
	if service.After() {
		options = append(options, grpc.WithDefaultServiceConfig(`{"loadBalancingConfig": [{"round_robin": {}}]}`))
	}
	return grpc.NewClient("registry:///rates", options...)
}

func main() {
	if os.Getenv("ROLE") == "rates" {
		serve()
		return
	}
	conn, err := connect(strings.Split(service.Beside("rates"), ","))
	if err != nil {
		log.Fatal(err)
	}
	defer conn.Close()
	r := rates{testpb.NewTestServiceClient(conn)}
	http.HandleFunc("/convert", func(w http.ResponseWriter, req *http.Request) {
		from, to := req.FormValue("from"), req.FormValue("to")
		if len(from) != 3 || len(to) != 3 {
			http.Error(w, "a currency has three letters", http.StatusBadRequest)
			return
		}
		rate, err := r.quote(req.Context(), strings.ToUpper(from+to))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]string{"from": from, "to": to, "rate": rate})
	})
	service.Run(http.DefaultServeMux)
}

func serve() {
	var addresses []string
	for range instances {
		ln, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			log.Fatal(err)
		}
		srv := grpc.NewServer()
		testpb.RegisterTestServiceServer(srv, &instance{places: make(chan struct{}, atATime)})
		go srv.Serve(ln)
		addresses = append(addresses, ln.Addr().String())
	}
	fmt.Println(strings.Join(addresses, ","))
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
