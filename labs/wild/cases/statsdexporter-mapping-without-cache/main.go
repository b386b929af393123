// A gateway for meters of old devices, over gRPC: what they send are lines of StatsD, whose dotted names become names and labels by the
// mapping of each kind of device, and sums are kept of those.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"log/slog"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/statsd_exporter/pkg/mapper"
	"github.com/prometheus/statsd_exporter/pkg/mappercache/lru"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	testpb "google.golang.org/grpc/interop/grpc_testing"
	"google.golang.org/grpc/reflection"
	"google.golang.org/grpc/status"

	"wild/service"
)

// gateway maps lines and keeps sums.
type gateway struct {
	testpb.UnimplementedTestServiceServer
	names *mapper.MetricMapper
	turn  atomic.Int64

	mu   sync.Mutex
	sums map[string]float64
}

// mapping has a rule for each kind of device; names of some are not to be told apart by their dots.
func mapping() string {
	var b strings.Builder
	b.WriteString("mappings:\n")
	for i := range 60 {
		fmt.Fprintf(&b, `- match: 'plant-([^.]+)\.line-(\d+)\.device%d-(\w+)\.(temperature|pressure|flow|state)'
  match_type: regex
  name: "device%d_${4}"
  labels:
    plant: "$1"
    line: "$2"
    unit: "$3"
`, i, i)
	}
	return b.String()
}

func open() (*gateway, error) {
	g := &gateway{
		names: &mapper.MetricMapper{Registerer: prometheus.NewRegistry(), Logger: slog.New(slog.NewTextHandler(io.Discard, nil))},
		sums:  map[string]float64{},
	}
	if service.After() {
		cache, err := lru.NewMetricMapperLRUCache(prometheus.NewRegistry(), 20000)
		if err != nil {
			return nil, err
		}
		g.names.UseCache(cache)
	}
	return g, g.names.InitFromYAMLString(mapping())
}

// add notes one line: name:value|type.
func (g *gateway) add(line string) error {
	name, rest, ok := strings.Cut(line, ":")
	text, _, typed := strings.Cut(rest, "|")
	if !ok || !typed {
		return fmt.Errorf("not a line of StatsD: %q", line)
	}
	value, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return err
	}
	m, labels, ok := g.names.GetMapping(name, mapper.MetricTypeGauge)
	if !ok {
		return fmt.Errorf("no rule for %q", name)
	}
	key := m.Name + "/" + labels["plant"] + "/" + labels["line"]
	g.mu.Lock()
	g.sums[key] += value
	g.mu.Unlock()
	return nil
}

// lines are what the devices of a line of a plant send each second.
func lines(plant string, turn int64) []string {
	out := make([]string, 0, 24)
	for i := range 24 {
		kind := []string{"temperature", "pressure", "flow", "state"}[i%4]
		out = append(out, fmt.Sprintf("plant-%s.line-%d.device%d-u%d.%s:%d.5|g", plant, turn%8, (turn*7+int64(i)*5)%60, i%6, kind, 20+i))
	}
	return out
}

// UnaryCall takes what a plant sends: its name stands for its lines, of which there are as many each second.
func (g *gateway) UnaryCall(_ context.Context, in *testpb.SimpleRequest) (*testpb.SimpleResponse, error) {
	plant := strings.TrimSpace(string(in.GetPayload().GetBody()))
	if plant == "" || len(plant) > 20 {
		return nil, status.Error(codes.InvalidArgument, "which plant?")
	}
	all := lines(plant, g.turn.Add(1))
	for _, line := range all {
		if err := g.add(line); err != nil {
			return nil, status.Error(codes.InvalidArgument, err.Error())
		}
	}
	return &testpb.SimpleResponse{Payload: &testpb.Payload{Body: fmt.Appendf(nil, "%d lines", len(all))}}, nil
}

func main() {
	g, err := open()
	if err != nil {
		log.Fatal(err)
	}
	srv := grpc.NewServer()
	testpb.RegisterTestServiceServer(srv, g)
	reflection.Register(srv)
	ln := service.Listen()
	go func() { log.Println(srv.Serve(ln)) }()
	service.Wait()
	srv.Stop()
}
