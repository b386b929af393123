// A gate of a hospital's services: calls come over gRPC, are looked at, and are passed on to the ward that they are for. Wards are a
// process of their own, and take 2 ms for a call.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"os"
	"strings"
	"time"

	"github.com/mwitkow/grpc-proxy/proxy"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	testpb "google.golang.org/grpc/interop/grpc_testing"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/reflection"
	"google.golang.org/grpc/status"

	"wild/service"
)

// gate passes calls on.
type gate struct {
	wards string
	kept  *grpc.ClientConn
}

func open(address string) (*gate, error) {
	g := &gate{wards: address}
	var err error
	if service.After() {
		g.kept, err = g.dial()
	}
	return g, err
}

func (g *gate) dial() (*grpc.ClientConn, error) {
	return grpc.NewClient(g.wards, grpc.WithTransportCredentials(insecure.NewCredentials()))
}

// direct says where a call goes.
func (g *gate) direct(ctx context.Context, method string) (context.Context, *grpc.ClientConn, error) {
	if strings.HasSuffix(method, "/EmptyCall") {
		return nil, nil, status.Error(codes.Unimplemented, "this is for the inside alone")
	}
	md, _ := metadata.FromIncomingContext(ctx)
	out := metadata.NewOutgoingContext(ctx, md.Copy())
	if g.kept != nil {
		return out, g.kept, nil
	}
	conn, err := g.dial()
	if err != nil {
		return nil, nil, err
	}
	context.AfterFunc(ctx, func() { conn.Close() })
	return out, conn, nil
}

func main() {
	if os.Getenv("ROLE") == "wards" {
		serveWards()
		return
	}
	g, err := open(service.Beside("wards"))
	if err != nil {
		log.Fatal(err)
	}
	srv := grpc.NewServer()
	proxy.RegisterService(srv, g.direct, "grpc.testing.TestService", "UnaryCall", "EmptyCall")
	reflection.Register(srv)
	ln := service.Listen()
	go func() { log.Println(srv.Serve(ln)) }()
	service.Wait()
	srv.Stop()
}

// wards answer calls.
type wards struct {
	testpb.UnimplementedTestServiceServer
}

func (wards) UnaryCall(_ context.Context, in *testpb.SimpleRequest) (*testpb.SimpleResponse, error) {
	time.Sleep(2 * time.Millisecond)
	body := fmt.Appendf(nil, "noted: %s", in.GetPayload().GetBody())
	return &testpb.SimpleResponse{Payload: &testpb.Payload{Body: body}}, nil
}

func serveWards() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	srv := grpc.NewServer()
	testpb.RegisterTestServiceServer(srv, wards{})
	go func() { log.Println(srv.Serve(ln)) }()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
