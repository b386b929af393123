// A service of Connect with small answers: its clients take gzip, as those of connect-go do.
package main

import (
	"context"
	"log"
	"net/http"
	"strconv"
	"sync/atomic"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/types/known/structpb"

	"wild/service"
)

const procedure = "/shop.v1.Stock/Left"

func main() {
	var options []connect.HandlerOption
	if service.After() {
		options = append(options, connect.WithCompressMinBytes(1024))
	}
	answers := make([]*structpb.Struct, 1000)
	for i := range answers {
		var err error
		if answers[i], err = structpb.NewStruct(map[string]any{
			"item": "item " + strconv.Itoa(i), "left": i % 40, "shelf": "B" + strconv.Itoa(i%12),
		}); err != nil {
			log.Fatal(err)
		}
	}
	var seq atomic.Int64
	left := func(_ context.Context, _ *connect.Request[structpb.Struct]) (*connect.Response[structpb.Struct], error) {
		return connect.NewResponse(answers[seq.Add(1)*37%int64(len(answers))]), nil
	}
	http.Handle(procedure, connect.NewUnaryHandler(procedure, left, options...))
	service.Run(http.DefaultServeMux)
}
