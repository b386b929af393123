// Shelf marks of a library over gRPC: what stands on a shelf is listed as a reader would walk along it, so that "A 9" comes before "A 10". Books
// are lent and brought back all day, so the marks of a shelf are in no order.
package main

import (
	"context"
	"fmt"
	"log"
	"math/rand/v2"
	"sort"
	"strings"

	"github.com/facette/natsort"
	"github.com/maruel/natural"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	testpb "google.golang.org/grpc/interop/grpc_testing"
	"google.golang.org/grpc/reflection"
	"google.golang.org/grpc/status"

	"wild/service"
)

const shown = 20

// library has shelves, by name.
type library struct {
	testpb.UnimplementedTestServiceServer
	shelves map[string][]string
}

func open() *library {
	l := &library{shelves: map[string][]string{}}
	chance := rand.New(rand.NewPCG(3, 5))
	for shelf := range 8 {
		var marks []string
		for i := range 22 + shelf*2 {
			marks = append(marks, fmt.Sprintf("%c %d/%d vol. %d", 'A'+rune(chance.IntN(6)), chance.IntN(300), 1900+chance.IntN(120), i%9+1))
		}
		l.shelves[fmt.Sprintf("shelf %d", shelf)] = marks
	}
	return l
}

// walk is the marks of a shelf, as they stand.
func walk(marks []string) []string {
	out := append([]string(nil), marks...)
	if service.After() {
		sort.Slice(out, func(a, b int) bool { return natural.Less(out[a], out[b]) })
		return out
	}
	natsort.Sort(out)
	return out
}

// UnaryCall answers with the first marks of a shelf.
func (l *library) UnaryCall(_ context.Context, in *testpb.SimpleRequest) (*testpb.SimpleResponse, error) {
	marks, ok := l.shelves[string(in.GetPayload().GetBody())]
	if !ok {
		return nil, status.Error(codes.NotFound, "no such shelf")
	}
	first := walk(marks)[:shown]
	return &testpb.SimpleResponse{Payload: &testpb.Payload{Body: []byte(strings.Join(first, "\n"))}}, nil
}

func main() {
	srv := grpc.NewServer()
	testpb.RegisterTestServiceServer(srv, open())
	reflection.Register(srv)
	ln := service.Listen()
	go func() { log.Println(srv.Serve(ln)) }()
	service.Wait()
	srv.Stop()
}
