// Labels of a parcel depot, asked for over gRPC: each is drawn by a printer server, a process elsewhere that takes 6 ms for one and
// draws many at a time. How many are asked for at once is limited.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/remeh/sizedwaitgroup"
	"google.golang.org/grpc"
	testpb "google.golang.org/grpc/interop/grpc_testing"
	"google.golang.org/grpc/reflection"

	"wild/service"
)

// depot has labels drawn.
type depot struct {
	testpb.UnimplementedTestServiceServer
	printer string
	client  *http.Client
	drawing sizedwaitgroup.SizedWaitGroup
}

func open(address string) *depot {
	limit := 2
	if service.After() {
		limit = 64
	}
	return &depot{
		printer: "http://" + address + "/labels",
		client:  &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}, Timeout: 5 * time.Second},
		drawing: sizedwaitgroup.New(limit),
	}
}

// draw has one label drawn.
func (d *depot) draw(ctx context.Context, parcel string) ([]byte, error) {
	d.drawing.Add()
	defer d.drawing.Done()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, d.printer, strings.NewReader(parcel))
	if err != nil {
		return nil, err
	}
	resp, err := d.client.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	return io.ReadAll(resp.Body)
}

// UnaryCall answers with the label of a parcel.
func (d *depot) UnaryCall(ctx context.Context, in *testpb.SimpleRequest) (*testpb.SimpleResponse, error) {
	label, err := d.draw(ctx, string(in.GetPayload().GetBody()))
	if err != nil {
		return nil, err
	}
	return &testpb.SimpleResponse{Payload: &testpb.Payload{Body: label}}, nil
}

func main() {
	if os.Getenv("ROLE") == "printer" {
		servePrinter()
		return
	}
	srv := grpc.NewServer()
	testpb.RegisterTestServiceServer(srv, open(service.Beside("printer")))
	reflection.Register(srv)
	ln := service.Listen()
	go func() { log.Println(srv.Serve(ln)) }()
	service.Wait()
	srv.Stop()
}

// servePrinter draws labels.
func servePrinter() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go http.Serve(ln, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		parcel, _ := io.ReadAll(r.Body)
		time.Sleep(6 * time.Millisecond)
		fmt.Fprintf(w, "^XA^FO50,50^FD%s^FS^XZ", parcel)
	}))
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
