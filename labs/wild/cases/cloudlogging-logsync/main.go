// Stock of a warehouse, over gRPC: what a till asks for is set aside, and each time that is done, or cannot be, is written to the
// log, which is that of the cloud. The log is a process of its own, and takes what is written in 12 ms.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"os"
	"strings"
	"sync"
	"time"

	"cloud.google.com/go/logging"
	"cloud.google.com/go/logging/apiv2/loggingpb"
	"google.golang.org/api/option"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	testpb "google.golang.org/grpc/interop/grpc_testing"
	"google.golang.org/grpc/reflection"
	"google.golang.org/grpc/status"

	"wild/service"
)

// wish is what a till asks for.
type wish struct {
	Till  string   `json:"till"`
	Goods []string `json:"goods"`
}

// aside says what was set aside.
type aside struct {
	Shelves map[string]int `json:"shelves"`
	Missing []string       `json:"missing,omitempty"`
}

// warehouse has stock, and writes what becomes of it.
type warehouse struct {
	testpb.UnimplementedTestServiceServer
	journal *logging.Logger

	mu    sync.Mutex
	stock map[string]int
}

func open(ctx context.Context, address string) (*warehouse, error) {
	client, err := logging.NewClient(ctx, "projects/warehouse", option.WithEndpoint(address), option.WithoutAuthentication(),
		option.WithGRPCDialOption(grpc.WithTransportCredentials(insecure.NewCredentials())))
	if err != nil {
		return nil, err
	}
	return &warehouse{journal: client.Logger("stock", logging.CommonLabels(map[string]string{"site": "north"})), stock: map[string]int{}}, nil
}

// note writes to the journal.
func (h *warehouse) note(ctx context.Context, e logging.Entry) error {
	if service.After() {
		h.journal.Log(e)
		return nil
	}
	return h.journal.LogSync(ctx, e)
}

// set puts goods aside.
func (h *warehouse) set(w wish) aside {
	out := aside{Shelves: map[string]int{}}
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, g := range w.Goods {
		left, known := h.stock[g]
		if !known || left == 0 {
			left = 40 // a lorry comes
		}
		h.stock[g] = left - 1
		if left == 1 {
			out.Missing = append(out.Missing, g)
			continue
		}
		out.Shelves[g] = len(g)*7 + left%5
	}
	return out
}

// UnaryCall is what tills call.
func (h *warehouse) UnaryCall(ctx context.Context, in *testpb.SimpleRequest) (*testpb.SimpleResponse, error) {
	var w wish
	if err := json.Unmarshal(in.GetPayload().GetBody(), &w); err != nil || w.Till == "" {
		return nil, status.Error(codes.InvalidArgument, "a till asks for goods")
	}
	out := h.set(w)
	e := logging.Entry{Severity: logging.Info, Payload: map[string]any{"till": w.Till, "goods": len(w.Goods), "missing": strings.Join(out.Missing, ",")}}
	if len(out.Missing) > 0 {
		e.Severity = logging.Warning
	}
	if err := h.note(ctx, e); err != nil {
		return nil, err
	}
	body, err := json.Marshal(out)
	if err != nil {
		return nil, err
	}
	return &testpb.SimpleResponse{Payload: &testpb.Payload{Body: body}}, nil
}

func main() {
	if os.Getenv("ROLE") == "cloud" {
		cloud()
		return
	}
	h, err := open(context.Background(), service.Beside("cloud"))
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

// sink takes what is logged.
type sink struct {
	loggingpb.UnimplementedLoggingServiceV2Server
}

func (sink) WriteLogEntries(context.Context, *loggingpb.WriteLogEntriesRequest) (*loggingpb.WriteLogEntriesResponse, error) {
	time.Sleep(12 * time.Millisecond)
	return &loggingpb.WriteLogEntriesResponse{}, nil
}

func cloud() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	srv := grpc.NewServer()
	loggingpb.RegisterLoggingServiceV2Server(srv, sink{})
	go func() { log.Println(srv.Serve(ln)) }()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
