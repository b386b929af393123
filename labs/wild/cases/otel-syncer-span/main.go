// Parcels: where one is, out of memory, with a span for each request and one for the look-up.
// The collector of traces is a process of its own, which takes 2 ms for what it is sent.
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
	"strconv"
	"sync"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"wild/service"
)

const parcels = 5000

type parcel struct {
	Number int    `json:"number"`
	Depot  string `json:"depot"`
	Stops  int    `json:"stops"`
}

// tracking knows where parcels are.
type tracking struct {
	tracer trace.Tracer
	mu     sync.RWMutex
	known  map[int]parcel
}

func (t *tracking) find(ctx context.Context, number int) (parcel, bool) {
	_, span := t.tracer.Start(ctx, "tracking.find")
	defer span.End()
	t.mu.RLock()
	defer t.mu.RUnlock()
	p, ok := t.known[number]
	span.SetAttributes(attribute.Int("parcel.number", number), attribute.Bool("parcel.known", ok))
	return p, ok
}

func (t *tracking) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	ctx, span := t.tracer.Start(r.Context(), "GET /parcel", trace.WithSpanKind(trace.SpanKindServer))
	defer span.End()
	number, err := strconv.Atoi(r.URL.Query().Get("number"))
	if err != nil {
		span.SetStatus(codes.Error, "no number")
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	p, ok := t.find(ctx, number)
	if !ok {
		http.Error(w, "no such parcel", http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(p)
}

// provider sends spans to the collector.
func provider(collector string) *sdk.TracerProvider {
	exporter, err := otlptracehttp.New(context.Background(), otlptracehttp.WithEndpoint(collector), otlptracehttp.WithInsecure())
	if err != nil {
		log.Fatal(err)
	}
	if service.After() {
		return sdk.NewTracerProvider(sdk.WithBatcher(exporter))
	}
	return sdk.NewTracerProvider(sdk.WithSyncer(exporter))
}

func main() {
	if os.Getenv("ROLE") == "collector" {
		collect()
		return
	}
	t := &tracking{tracer: provider(service.Beside("collector")).Tracer("parcels"), known: map[int]parcel{}}
	for n := range parcels {
		t.known[n] = parcel{n, fmt.Sprint("depot-", n%40), n % 9}
	}
	http.Handle("GET /parcel", t)
	service.Run(http.DefaultServeMux)
}

// collect is the collector.
func collect() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("POST /v1/traces", func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		time.Sleep(2 * time.Millisecond)
		w.Header().Set("Content-Type", "application/x-protobuf")
	})
	go http.Serve(ln, nil)
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
