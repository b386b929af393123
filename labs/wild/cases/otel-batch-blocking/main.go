// Orders, traced: ten spans for each request, which go in batches to a collector. That is a process
// of its own, and takes 40 ms for a batch. No span shall be lost, so the exporter's queue may block.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/zipkin"
	"go.opentelemetry.io/otel/sdk/trace"
	oteltrace "go.opentelemetry.io/otel/trace"

	"wild/service"
)

func main() {
	if os.Getenv("ROLE") == "collector" {
		collector()
		return
	}
	exporter, err := zipkin.New("http://" + service.Beside("collector") + "/api/v2/spans")
	if err != nil {
		log.Fatal(err)
	}
	options := []trace.BatchSpanProcessorOption{trace.WithBlocking()}
	if service.After() {
		options = nil
	}
	tracer := trace.NewTracerProvider(trace.WithBatcher(exporter, options...)).Tracer("orders")

	var seq atomic.Int64
	http.HandleFunc("/order", func(w http.ResponseWriter, r *http.Request) {
		n := seq.Add(1)
		ctx, span := tracer.Start(r.Context(), "order")
		defer span.End()
		sum := 0
		for i := range 9 {
			sum += step(ctx, tracer, n, i)
		}
		fmt.Fprintln(w, sum)
	})
	service.Run(http.DefaultServeMux)
}

func step(ctx context.Context, tracer oteltrace.Tracer, order int64, i int) int {
	_, span := tracer.Start(ctx, "step")
	defer span.End()
	span.SetAttributes(attribute.Int64("order", order), attribute.Int("step", i))
	return int(order) % (i + 1)
}

func collector() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go http.Serve(ln, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		time.Sleep(40 * time.Millisecond)
		w.WriteHeader(http.StatusAccepted)
	}))
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
