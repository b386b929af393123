// A front that asks a slow stock service by Connect, with enough connections. That is a
// process of its own and takes 30 ms.
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

	"connectrpc.com/connect"
	"google.golang.org/protobuf/types/known/structpb"

	"wild/service"
)

const procedure = "/shop.v1.Stock/Left"

func main() {
	if os.Getenv("ROLE") == "stock" {
		stock()
		return
	}
	peer := &http.Client{
		Transport: &http.Transport{MaxIdleConns: 128, MaxIdleConnsPerHost: 128, IdleConnTimeout: 90 * time.Second},
		Timeout:   5 * time.Second,
	}
	client := connect.NewClient[structpb.Struct, structpb.Struct](peer, "http://"+service.Beside("stock")+procedure)
	var seq atomic.Int64
	http.HandleFunc("/item", func(w http.ResponseWriter, r *http.Request) {
		ask := &structpb.Struct{Fields: map[string]*structpb.Value{"item": structpb.NewNumberValue(float64(seq.Add(1) % 1000))}}
		resp, err := client.CallUnary(r.Context(), connect.NewRequest(ask))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(resp.Msg.AsMap())
	})
	service.Run(http.DefaultServeMux)
}

func stock() {
	left := func(_ context.Context, req *connect.Request[structpb.Struct]) (*connect.Response[structpb.Struct], error) {
		time.Sleep(30 * time.Millisecond)
		return connect.NewResponse(&structpb.Struct{Fields: map[string]*structpb.Value{
			"item": req.Msg.Fields["item"], "left": structpb.NewNumberValue(7),
		}}), nil
	}
	mux := http.NewServeMux()
	mux.Handle(procedure, connect.NewUnaryHandler(procedure, left, connect.WithCompressMinBytes(1024)))
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go http.Serve(ln, mux)
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
