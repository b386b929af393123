// A consumer that takes batches from a queue and continues the trace of each message.
package main

import (
	"context"
	"fmt"
	"net/http"

	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"wild/service"
)

func main() {
	batch := messages(50)
	propagator := propagation.TraceContext{}

	mux := http.NewServeMux()
	mux.HandleFunc("/poll", func(w http.ResponseWriter, r *http.Request) {
		sampled := 0
		for _, header := range batch {
			ctx := propagator.Extract(context.Background(), header)
			if trace.SpanContextFromContext(ctx).IsSampled() {
				sampled++
			}
		}
		fmt.Fprintf(w, "%d of %d are sampled\n", sampled, len(batch))
	})
	service.Run(mux)
}

func messages(n int) []propagation.MapCarrier {
	var out []propagation.MapCarrier
	for i := range n {
		out = append(out, propagation.MapCarrier{
			"traceparent": fmt.Sprintf("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba9%04x-01", i+1),
			"tracestate":  fmt.Sprintf("rojo=00f067aa0ba902b7,congo=t61rcWkgMzE,acme@vendor=shard%d,es=s:0.25,dd=s:2;o:rum", i),
		})
	}
	return out
}
