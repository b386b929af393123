// Greenhouses over gRPC: what the sensors of a house say now. They are behind a gateway that speaks CoAP, a process of its own, and each
// takes some milliseconds to answer.
package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log"
	"os"
	"strings"
	"time"

	"github.com/plgd-dev/go-coap/v3/message"
	"github.com/plgd-dev/go-coap/v3/message/codes"
	"github.com/plgd-dev/go-coap/v3/message/pool"
	"github.com/plgd-dev/go-coap/v3/mux"
	"github.com/plgd-dev/go-coap/v3/net"
	"github.com/plgd-dev/go-coap/v3/options"
	"github.com/plgd-dev/go-coap/v3/options/config"
	"github.com/plgd-dev/go-coap/v3/udp"
	"github.com/plgd-dev/go-coap/v3/udp/client"
	"google.golang.org/grpc"
	grpccodes "google.golang.org/grpc/codes"
	testpb "google.golang.org/grpc/interop/grpc_testing"
	"google.golang.org/grpc/reflection"
	"google.golang.org/grpc/status"

	"wild/service"
)

// houses are behind a gateway.
type houses struct {
	testpb.UnimplementedTestServiceServer
	gateway *client.Conn
}

func open(address string) (*houses, error) {
	var o []udp.Option
	if service.After() {
		o = append(o, options.WithLimitClientParallelRequest(64), options.WithLimitClientEndpointParallelRequest(64), options.WithTransmission(64, 2*time.Second, 4))
	}
	gateway, err := udp.Dial(address, o...)
	return &houses{gateway: gateway}, err
}

// ask reads a sensor.
func (h *houses) ask(ctx context.Context, house, sensor string) (string, error) {
	answer, err := h.gateway.Get(ctx, "/"+house+"/"+sensor)
	if err != nil {
		return "", err
	}
	defer h.gateway.ReleaseMessage(answer)
	if answer.Code() != codes.Content {
		return "", fmt.Errorf("%s of %s: %v", sensor, house, answer.Code())
	}
	body, err := answer.ReadBody()
	return string(body), err
}

// UnaryCall says what the sensors of a house say.
func (h *houses) UnaryCall(ctx context.Context, in *testpb.SimpleRequest) (*testpb.SimpleResponse, error) {
	house := string(in.GetPayload().GetBody())
	if house == "" {
		return nil, status.Error(grpccodes.InvalidArgument, "which house?")
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	var out strings.Builder
	out.WriteString(house)
	for _, sensor := range []string{"warmth", "water"} {
		said, err := h.ask(ctx, house, sensor)
		if err != nil {
			return nil, status.Error(grpccodes.Unavailable, err.Error())
		}
		fmt.Fprintf(&out, " %s %s", sensor, said)
	}
	return &testpb.SimpleResponse{Payload: &testpb.Payload{Body: []byte(out.String())}}, nil
}

func main() {
	if os.Getenv("ROLE") == "gateway" {
		gateway()
		return
	}
	h, err := open(service.Beside("gateway"))
	if err != nil {
		log.Fatal(err)
	}
	srv := grpc.NewServer()
	testpb.RegisterTestServiceServer(srv, h)
	reflection.Register(srv)
	ln := service.Listen()
	go func() { log.Println(srv.Serve(ln)) }()
	service.Wait()
	srv.Stop()
}

// gateway answers for sensors, each after three milliseconds.
func gateway() {
	ln, err := net.NewListenUDP("udp4", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	router := mux.NewRouter()
	router.DefaultHandle(mux.HandlerFunc(func(w mux.ResponseWriter, r *mux.Message) {
		path, err := r.Path()
		if err != nil {
			return
		}
		time.Sleep(3 * time.Millisecond)
		w.SetResponse(codes.Content, message.TextPlain, bytes.NewReader(fmt.Appendf(nil, "%d", 180+len(path)*3)))
	}))
	each := func(r *pool.Message, c *client.Conn, handler config.HandlerFunc[*client.Conn]) {
		go c.ProcessReceivedMessageWithHandler(r, handler)
	}
	srv := udp.NewServer(options.WithMux(router), options.WithProcessReceivedMessageFunc(each))
	go func() { log.Println(srv.Serve(ln)) }()
	fmt.Println(ln.LocalAddr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
