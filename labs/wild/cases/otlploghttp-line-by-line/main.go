// A ferry's bookings: each of a lorry is a record of the log, which is sent to a collector, a process elsewhere that takes 2 ms for what it is
// sent, be it one record or many.
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
	"strings"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlplog/otlploghttp"
	otellog "go.opentelemetry.io/otel/log"
	sdklog "go.opentelemetry.io/otel/sdk/log"

	"wild/service"
)

// ferry takes bookings.
type ferry struct {
	log    otellog.Logger
	booked atomic.Int64
}

func open(ctx context.Context, collector string) (*ferry, error) {
	to, err := otlploghttp.New(ctx, otlploghttp.WithEndpoint(collector), otlploghttp.WithInsecure())
	if err != nil {
		return nil, err
	}
	var by sdklog.Processor = sdklog.NewSimpleProcessor(to)
	if service.After() {
		by = sdklog.NewBatchProcessor(to, sdklog.WithMaxQueueSize(16384), sdklog.WithExportInterval(200*time.Millisecond))
	}
	return &ferry{log: sdklog.NewLoggerProvider(sdklog.WithProcessor(by)).Logger("bookings")}, nil
}

// book counts a booking, and notes it if it is of a lorry.
func (f *ferry) book(ctx context.Context, sailing, vehicle string) int64 {
	n := f.booked.Add(1)
	if !strings.HasPrefix(vehicle, "lorry") {
		return n
	}
	var line otellog.Record
	line.SetTimestamp(time.Now())
	line.SetSeverity(otellog.SeverityInfo)
	line.SetBody(attribute.StringValue("booked"))
	line.AddAttributes(attribute.String("sailing", sailing), attribute.String("vehicle", vehicle), attribute.Int64("number", n))
	f.log.Emit(ctx, line)
	return n
}

func (f *ferry) serve(w http.ResponseWriter, r *http.Request) {
	n := f.book(r.Context(), r.PathValue("sailing"), r.URL.Query().Get("vehicle"))
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"sailing": r.PathValue("sailing"), "booking": n})
}

func main() {
	if os.Getenv("ROLE") == "collector" {
		serveCollector()
		return
	}
	f, err := open(context.Background(), service.Beside("collector"))
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /sailings/{sailing}/bookings", f.serve)
	service.Run(mux)
}

// serveCollector takes records.
func serveCollector() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go http.Serve(ln, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		time.Sleep(2 * time.Millisecond)
		w.Header().Set("Content-Type", "application/x-protobuf")
	}))
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
