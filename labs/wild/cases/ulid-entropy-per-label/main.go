// Labels of a warehouse over gRPC: for each box of a shipment there is a label with an identifier of its own, and the next shelf that has
// room for the box.
package main

import (
	"context"
	"fmt"
	"log"
	"math/rand"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/oklog/ulid/v2"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	testpb "google.golang.org/grpc/interop/grpc_testing"
	"google.golang.org/grpc/reflection"
	"google.golang.org/grpc/status"

	"wild/service"
)

const atMost = 200

// warehouse has shelves.
type warehouse struct {
	testpb.UnimplementedTestServiceServer
	mu   sync.Mutex
	next int
}

// shelf is the first of as many as boxes want.
func (w *warehouse) shelf(boxes int) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.next += boxes
	return w.next - boxes
}

// identifier is one that no other label has.
func identifier(now time.Time) (ulid.ULID, error) {
	if service.After() {
		return ulid.Make(), nil
	}
	entropy := rand.New(rand.NewSource(time.Now().UnixNano()))
	return ulid.New(ulid.Timestamp(now), entropy)
}

// UnaryCall makes the labels of a shipment: "harbour 24" has twenty-four boxes.
func (w *warehouse) UnaryCall(_ context.Context, in *testpb.SimpleRequest) (*testpb.SimpleResponse, error) {
	from, count, _ := strings.Cut(string(in.GetPayload().GetBody()), " ")
	boxes, err := strconv.Atoi(count)
	if err != nil || from == "" || boxes < 1 || boxes > atMost {
		return nil, status.Errorf(codes.InvalidArgument, "a shipment comes from a place, and has 1 to %d boxes", atMost)
	}
	now, shelf := time.Now(), w.shelf(boxes)
	out := make([]byte, 0, boxes*48)
	for box := range boxes {
		id, err := identifier(now)
		if err != nil {
			return nil, status.Error(codes.Internal, err.Error())
		}
		out = fmt.Appendf(out, "%s %s %d/%d shelf %d\n", id, from, box+1, boxes, (shelf+box)%4000)
	}
	return &testpb.SimpleResponse{Payload: &testpb.Payload{Body: out}}, nil
}

func main() {
	srv := grpc.NewServer()
	testpb.RegisterTestServiceServer(srv, new(warehouse))
	reflection.Register(srv)
	ln := service.Listen()
	go func() { log.Println(srv.Serve(ln)) }()
	service.Wait()
	srv.Stop()
}
