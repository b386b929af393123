// Labels for a warehouse, over gRPC: a shop asks for as many as it has parcels, and each label has a number of its own that sorts by when it
// was made.
package main

import (
	"context"
	"log"
	"strconv"

	"github.com/segmentio/ksuid"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	testpb "google.golang.org/grpc/interop/grpc_testing"
	"google.golang.org/grpc/reflection"
	"google.golang.org/grpc/status"

	"wild/service"
)

const most = 1000

// warehouse numbers labels.
type warehouse struct {
	testpb.UnimplementedTestServiceServer
}

// number makes the numbers of n labels, one after the other.
func (warehouse) number(n int) ([]byte, error) {
	out := make([]byte, 0, n*len(ksuid.KSUID{}))
	if service.After() {
		labels := ksuid.Sequence{Seed: ksuid.New()}
		for range n {
			id, err := labels.Next()
			if err != nil {
				return nil, err
			}
			out = append(out, id[:]...)
		}
		return out, nil
	}
	for range n {
		id, err := ksuid.NewRandom()
		if err != nil {
			return nil, err
		}
		out = append(out, id[:]...)
	}
	return out, nil
}

// UnaryCall has the number of parcels as its body, and answers with the numbers of their labels.
func (w warehouse) UnaryCall(_ context.Context, in *testpb.SimpleRequest) (*testpb.SimpleResponse, error) {
	n, err := strconv.Atoi(string(in.GetPayload().GetBody()))
	if err != nil || n <= 0 || n > most {
		return nil, status.Error(codes.InvalidArgument, "how many parcels?")
	}
	labels, err := w.number(n)
	if err != nil {
		return nil, status.Error(codes.Internal, err.Error())
	}
	return &testpb.SimpleResponse{Payload: &testpb.Payload{Body: labels}}, nil
}

func main() {
	srv := grpc.NewServer()
	testpb.RegisterTestServiceServer(srv, warehouse{})
	reflection.Register(srv)
	ln := service.Listen()
	go func() { log.Println(srv.Serve(ln)) }()
	service.Wait()
	srv.Stop()
}
