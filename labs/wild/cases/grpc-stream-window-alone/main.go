// Tiles of maps for hikers. The tiles are drawn by a service in another region, that is asked over gRPC, at the other end
// of a link that takes 5 ms each way; what is left to do here is who may have which, and headers for browsers.
package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"strconv"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	testpb "google.golang.org/grpc/interop/grpc_testing"
	"google.golang.org/grpc/status"

	"wild/service"
)

const late = 5 * time.Millisecond

// tiles are those of the maps.
type tiles struct{ drawn testpb.TestServiceClient }

func open(address string) (*tiles, error) {
	options := []grpc.DialOption{grpc.WithTransportCredentials(insecure.NewCredentials())}
	if !service.After() {
		options = append(options, grpc.WithInitialWindowSize(512<<10)) // a tile fits into it
	}
	conn, err := grpc.NewClient("passthrough:///"+address, options...)
	if err != nil {
		return nil, err
	}
	return &tiles{testpb.NewTestServiceClient(conn)}, nil
}

// tile asks for one.
func (t *tiles) tile(ctx context.Context, z, x, y int) ([]byte, error) {
	name := fmt.Sprintf("%d/%d/%d", z, x, y)
	out, err := t.drawn.UnaryCall(ctx, &testpb.SimpleRequest{ResponseSize: int32(60_000 + (x*7919+y*104729)%60_000), Payload: &testpb.Payload{Body: []byte(name)}})
	if err != nil {
		return nil, fmt.Errorf("tile %s: %w", name, err)
	}
	return out.GetPayload().GetBody(), nil
}

func (t *tiles) serve(w http.ResponseWriter, r *http.Request) {
	var at [3]int
	for i, name := range []string{"z", "x", "y"} {
		n, err := strconv.Atoi(r.PathValue(name))
		if err != nil || n < 0 {
			http.Error(w, "a tile has three numbers", http.StatusBadRequest)
			return
		}
		at[i] = n
	}
	if at[0] > 15 && r.Header.Get("X-Member") == "" {
		http.Error(w, "details are for members", http.StatusForbidden)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), 10*time.Second)
	defer cancel()
	tile, err := t.tile(ctx, at[0], at[1], at[2])
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	sum := sha256.Sum256(tile[:min(4096, len(tile))])
	w.Header().Set("Content-Type", "image/webp")
	w.Header().Set("Cache-Control", "max-age=3600")
	w.Header().Set("ETag", `"`+hex.EncodeToString(sum[:8])+`"`)
	w.Write(tile)
}

func main() {
	if os.Getenv("ROLE") == "drawing" {
		serveDrawing()
		return
	}
	t, err := open(service.Beside("drawing"))
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /tiles/{z}/{x}/{y}", t.serve)
	service.Run(mux)
}

// drawing draws tiles.
type drawing struct {
	testpb.UnimplementedTestServiceServer
	ink []byte
}

func (d drawing) UnaryCall(_ context.Context, in *testpb.SimpleRequest) (*testpb.SimpleResponse, error) {
	n := int(in.GetResponseSize())
	if n > len(d.ink)/2 {
		return nil, status.Error(codes.OutOfRange, "too large")
	}
	from := 0
	for _, c := range in.GetPayload().GetBody() {
		from = (from*31 + int(c)) % (len(d.ink) / 2)
	}
	return &testpb.SimpleResponse{Payload: &testpb.Payload{Body: d.ink[from : from+n]}}, nil
}

// far is at the other end of the link.
type far struct{ net.Listener }

func (f far) Accept() (net.Conn, error) {
	c, err := f.Listener.Accept()
	if err != nil {
		return nil, err
	}
	near, there := net.Pipe()
	go service.Carry(near, c, late)
	go service.Carry(c, near, late)
	return there, nil
}

func serveDrawing() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	d := drawing{ink: make([]byte, 512<<10)}
	dice := rand.NewChaCha8([32]byte{7})
	dice.Read(d.ink)
	srv := grpc.NewServer()
	testpb.RegisterTestServiceServer(srv, d)
	go func() { log.Println(srv.Serve(far{ln})) }()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
