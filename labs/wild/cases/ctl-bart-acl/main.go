// Admission of addresses: a gateway asks for an address whether it may come in, from which network it is, and which
// class of service it gets. Rules are in a routing table that is read by all and replaced as a whole by its editor.
package main

import (
	"context"
	"fmt"
	"log"
	"net/netip"
	"sync/atomic"

	"github.com/gaissmai/bart"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	testpb "google.golang.org/grpc/interop/grpc_testing"
	"google.golang.org/grpc/reflection"
	"google.golang.org/grpc/status"

	"wild/service"
)

// rule is what is known of a network.
type rule struct {
	network string
	allow   bool
	class   int32
}

type gate struct {
	testpb.UnimplementedTestServiceServer
	rules atomic.Pointer[bart.Table[rule]]
	asked atomic.Int64
}

func newGate() (*gate, error) {
	t := new(bart.Table[rule])
	for i := range 20000 {
		p, err := netip.ParsePrefix(fmt.Sprintf("%d.%d.%d.0/%d", 11+i%180, i/180%256, i*7%256, 16+i%9))
		if err != nil {
			return nil, err
		}
		t.Insert(p.Masked(), rule{fmt.Sprint("AS", 64512+i%900), i%11 != 0, int32(1 + i%4)})
	}
	g := new(gate)
	g.rules.Store(t)
	return g, nil
}

func (g *gate) UnaryCall(_ context.Context, in *testpb.SimpleRequest) (*testpb.SimpleResponse, error) {
	from, err := netip.ParseAddr(string(in.GetPayload().GetBody()))
	if err != nil {
		return nil, status.Error(codes.InvalidArgument, err.Error())
	}
	g.asked.Add(1)
	r, ok := g.rules.Load().Lookup(from)
	if !ok || !r.allow {
		return &testpb.SimpleResponse{Username: "refused"}, nil
	}
	return &testpb.SimpleResponse{Username: r.network, Payload: &testpb.Payload{Type: testpb.PayloadType_COMPRESSABLE, Body: []byte{byte(r.class)}}}, nil
}

func main() {
	g, err := newGate()
	if err != nil {
		log.Fatal(err)
	}
	srv := grpc.NewServer()
	testpb.RegisterTestServiceServer(srv, g)
	reflection.Register(srv)
	ln := service.Listen()
	go func() { log.Println(srv.Serve(ln)) }()
	service.Wait()
}
