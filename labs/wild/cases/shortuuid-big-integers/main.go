// Invitations to events: a request brings a list of guests and gets a link for each, with a
// short UUID in it that nobody can guess. Links that were given out are kept for the door.
package main

import (
	"context"
	"hash/fnv"
	"log"
	"strings"
	"sync"

	"github.com/lithammer/shortuuid/v4"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	testpb "google.golang.org/grpc/interop/grpc_testing"
	"google.golang.org/grpc/reflection"
	"google.golang.org/grpc/status"

	"wild/service"
)

const (
	kept  = 100_000
	parts = 16
)

// door knows the links of late, by a hash of the guest.
type door struct {
	mu   sync.Mutex
	ring []string
	next int
}

func (d *door) keep(links []string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, link := range links {
		d.ring[d.next] = link
		d.next = (d.next + 1) % len(d.ring)
	}
}

type invitations struct {
	testpb.UnimplementedTestServiceServer
	doors [parts]door
}

func (i *invitations) UnaryCall(_ context.Context, in *testpb.SimpleRequest) (*testpb.SimpleResponse, error) {
	guests := strings.Split(string(in.GetPayload().GetBody()), ",")
	if len(guests) > 1000 {
		return nil, status.Error(codes.InvalidArgument, "more than 1000 guests")
	}
	links := make([]string, 0, len(guests))
	var out strings.Builder
	for _, guest := range guests {
		link := "https://invite.example/e/" + shortuuid.New()
		links = append(links, link)
		out.WriteString(guest + " " + link + "\n")
	}
	h := fnv.New32a()
	h.Write([]byte(guests[0]))
	i.doors[h.Sum32()%parts].keep(links)
	return &testpb.SimpleResponse{Payload: &testpb.Payload{Body: []byte(out.String())}}, nil
}

func main() {
	i := new(invitations)
	for n := range i.doors {
		i.doors[n].ring = make([]string, kept/parts)
	}
	srv := grpc.NewServer()
	testpb.RegisterTestServiceServer(srv, i)
	reflection.Register(srv)
	ln := service.Listen()
	go func() { log.Println(srv.Serve(ln)) }()
	service.Wait()
	srv.Stop()
}
