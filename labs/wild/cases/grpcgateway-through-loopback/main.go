// Settings of a house's devices: they are kept in memory and served as etcd serves its keys, over gRPC, and as JSON
// for pages in a browser.
package main

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"net"
	"net/http"
	"sync"

	"github.com/grpc-ecosystem/grpc-gateway/v2/runtime"
	pb "go.etcd.io/etcd/api/v3/etcdserverpb"
	"go.etcd.io/etcd/api/v3/etcdserverpb/gw"
	"go.etcd.io/etcd/api/v3/mvccpb"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"

	"wild/service"
)

// house has the settings.
type house struct {
	pb.UnimplementedKVServer
	mu       sync.RWMutex
	revision int64
	settings map[string]*mvccpb.KeyValue
}

func newHouse() *house {
	h := &house{settings: map[string]*mvccpb.KeyValue{}}
	for room := range 20 {
		for device := range 10 {
			key := fmt.Sprintf("room%d/device%d", room, device)
			h.put([]byte(key), fmt.Appendf(nil, `{"on":%t,"level":%d,"name":"device %d of room %d"}`, device%2 == 0, device*10, device, room))
		}
	}
	return h
}

func (h *house) put(key, value []byte) (int64, *mvccpb.KeyValue) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.revision++
	was := h.settings[string(key)]
	is := &mvccpb.KeyValue{Key: key, Value: value, ModRevision: h.revision, CreateRevision: h.revision, Version: 1}
	if was != nil {
		is.CreateRevision, is.Version = was.CreateRevision, was.Version+1
	}
	h.settings[string(key)] = is
	return h.revision, was
}

// Range returns a setting.
func (h *house) Range(_ context.Context, in *pb.RangeRequest) (*pb.RangeResponse, error) {
	if len(in.RangeEnd) > 0 {
		return nil, status.Error(codes.Unimplemented, "one setting at a time")
	}
	h.mu.RLock()
	defer h.mu.RUnlock()
	out := &pb.RangeResponse{Header: &pb.ResponseHeader{Revision: h.revision}}
	if kv, ok := h.settings[string(in.Key)]; ok {
		out.Kvs, out.Count = []*mvccpb.KeyValue{kv}, 1
	}
	return out, nil
}

// Put changes a setting.
func (h *house) Put(_ context.Context, in *pb.PutRequest) (*pb.PutResponse, error) {
	if len(in.Key) == 0 || len(in.Value) > 4<<10 || !bytes.HasPrefix(in.Key, []byte("room")) {
		return nil, status.Error(codes.InvalidArgument, "a setting has a key and up to 4 KiB")
	}
	revision, was := h.put(in.Key, in.Value)
	out := &pb.PutResponse{Header: &pb.ResponseHeader{Revision: revision}}
	if in.PrevKv {
		out.PrevKv = was
	}
	return out, nil
}

func main() {
	h := newHouse()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	srv := grpc.NewServer()
	pb.RegisterKVServer(srv, h)
	go func() { log.Println(srv.Serve(ln)) }()

	pages, ctx := runtime.NewServeMux(), context.Background()
	if service.After() {
		err = gw.RegisterKVHandlerServer(ctx, pages, h)
	} else {
		err = gw.RegisterKVHandlerFromEndpoint(ctx, pages, ln.Addr().String(), []grpc.DialOption{grpc.WithTransportCredentials(insecure.NewCredentials())})
	}
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/v3/", pages)
	service.Run(mux)
	srv.Stop()
}
