// Delivery dates: an HTTP service that asks a planner over gRPC and asks again, by the
// interceptor of go-grpc-middleware, when it is told that the planner is unavailable. The
// planner, a process of its own, takes 2 ms and refuses 3 in 100 while its shards move.
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
	"sync/atomic"
	"time"

	"github.com/grpc-ecosystem/go-grpc-middleware/v2/interceptors/retry"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	testpb "google.golang.org/grpc/interop/grpc_testing"
	"google.golang.org/grpc/status"

	"wild/service"
)

func main() {
	if os.Getenv("ROLE") == "planner" {
		serve()
		return
	}
	options := []retry.CallOption{retry.WithMax(4), retry.WithCodes(codes.Unavailable)}
	if service.After() {
		options = append(options, retry.WithBackoff(retry.BackoffLinearWithJitter(2*time.Millisecond, 0.5)))
	}
	conn, err := grpc.NewClient(service.Beside("planner"), grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithUnaryInterceptor(retry.UnaryClientInterceptor(options...)))
	if err != nil {
		log.Fatal(err)
	}
	planner := testpb.NewTestServiceClient(conn)
	http.HandleFunc("/delivery", func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), 2*time.Second)
		defer cancel()
		code := r.URL.Query().Get("postcode")
		plan, err := planner.UnaryCall(ctx, &testpb.SimpleRequest{Payload: &testpb.Payload{Body: []byte(code)}})
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"postcode": code, "days": len(plan.GetPayload().GetBody())})
	})
	service.Run(http.DefaultServeMux)
}

type planner struct {
	testpb.UnimplementedTestServiceServer
	asked *atomic.Int64
}

func (p planner) UnaryCall(_ context.Context, in *testpb.SimpleRequest) (*testpb.SimpleResponse, error) {
	if p.asked.Add(1)%33 == 0 {
		return nil, status.Error(codes.Unavailable, "the shard moves")
	}
	time.Sleep(2 * time.Millisecond)
	return &testpb.SimpleResponse{Payload: &testpb.Payload{Body: in.GetPayload().GetBody()[:2]}}, nil
}

func serve() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	srv := grpc.NewServer()
	testpb.RegisterTestServiceServer(srv, planner{asked: new(atomic.Int64)})
	go srv.Serve(ln)
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
