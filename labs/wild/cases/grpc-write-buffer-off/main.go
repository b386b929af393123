// Tracks of vehicles, which arrive as one text over HTTP and are passed on point by point on a
// stream of gRPC. What takes them is a process of its own.
package main

import (
	"bytes"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	testpb "google.golang.org/grpc/interop/grpc_testing"

	"wild/service"
)

const points = 200

type tracks struct {
	client testpb.TestServiceClient
	text   []byte
}

func (t tracks) pass(w http.ResponseWriter, r *http.Request) {
	stream, err := t.client.StreamingInputCall(r.Context())
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	for point := range bytes.Lines(t.text) {
		if err := stream.Send(&testpb.StreamingInputCallRequest{Payload: &testpb.Payload{Body: point}}); err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
	}
	sum, err := stream.CloseAndRecv()
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	fmt.Fprintln(w, sum.GetAggregatedPayloadSize())
}

func main() {
	if os.Getenv("ROLE") == "store" {
		serve()
		return
	}
	options := []grpc.DialOption{grpc.WithTransportCredentials(insecure.NewCredentials())}
	if !service.After() {
		options = append(options, grpc.WithWriteBufferSize(0)) // points are to leave at once
	}
	conn, err := grpc.NewClient(service.Beside("store"), options...)
	if err != nil {
		log.Fatal(err)
	}
	var text bytes.Buffer
	for i := range points {
		fmt.Fprintf(&text, "%d,52.%05d,13.%05d,%d\n", 1700000000+i, 31000+i*7, 40000+i*11, i%130)
	}
	http.HandleFunc("/track", tracks{client: testpb.NewTestServiceClient(conn), text: text.Bytes()}.pass)
	service.Run(http.DefaultServeMux)
}

type store struct {
	testpb.UnimplementedTestServiceServer
}

func (store) StreamingInputCall(stream grpc.ClientStreamingServer[testpb.StreamingInputCallRequest, testpb.StreamingInputCallResponse]) error {
	var n int32
	for {
		in, err := stream.Recv()
		if err == io.EOF {
			return stream.SendAndClose(&testpb.StreamingInputCallResponse{AggregatedPayloadSize: n})
		} else if err != nil {
			return err
		}
		n += int32(len(in.GetPayload().GetBody()))
	}
}

func serve() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	srv := grpc.NewServer()
	testpb.RegisterTestServiceServer(srv, store{})
	go func() { log.Println(srv.Serve(ln)) }()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
