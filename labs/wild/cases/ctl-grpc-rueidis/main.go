// Baskets over gRPC from Redis: rueidis pipelines what is asked at the same time over one
// connection. Redis is a process of its own at the other end of a link that takes 3 ms each way.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"os"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/rueidis"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	testpb "google.golang.org/grpc/interop/grpc_testing"
	"google.golang.org/grpc/reflection"
	"google.golang.org/grpc/status"

	"wild/service"
)

type baskets struct {
	testpb.UnimplementedTestServiceServer
	redis rueidis.Client
}

func (b baskets) UnaryCall(ctx context.Context, in *testpb.SimpleRequest) (*testpb.SimpleResponse, error) {
	key := "basket:" + string(in.GetPayload().GetBody())
	all, err := b.redis.Do(ctx, b.redis.B().Hgetall().Key(key).Build()).AsStrMap()
	if err != nil {
		return nil, status.Error(codes.Unavailable, err.Error())
	}
	return &testpb.SimpleResponse{Payload: in.GetPayload(), Username: fmt.Sprint(len(all), " articles, ", all["sum"])}, nil
}

func main() {
	if os.Getenv("ROLE") == "redis" {
		redis()
		return
	}
	client, err := rueidis.NewClient(rueidis.ClientOption{
		InitAddress:       []string{service.Beside("redis")},
		ForceSingleClient: true,
		DisableCache:      true,
		AlwaysPipelining:  true,
	})
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	srv := grpc.NewServer()
	testpb.RegisterTestServiceServer(srv, baskets{redis: client})
	reflection.Register(srv)
	ln := service.Listen()
	go func() { log.Println(srv.Serve(ln)) }()
	service.Wait()
	srv.Stop()
}

func redis() {
	store, err := miniredis.Run()
	if err != nil {
		log.Fatal(err)
	}
	for i := range 8 {
		store.HSet("basket:ann", fmt.Sprint("article-", i), fmt.Sprint(i+1))
	}
	store.HSet("basket:ann", "sum", "99.50")
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			to, err := net.Dial("tcp", store.Addr())
			if err != nil {
				return
			}
			go service.Carry(to, c, 3*time.Millisecond)
			go service.Carry(c, to, 3*time.Millisecond)
		}
	}()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
