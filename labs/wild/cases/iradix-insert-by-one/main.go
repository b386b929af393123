// What-if of a price list: a caller names a discount for a group of articles, and is told what the list would come
// to. The list in force is never touched: changes go to a copy that shares what is the same.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"

	iradix "github.com/hashicorp/go-immutable-radix/v2"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	testpb "google.golang.org/grpc/interop/grpc_testing"
	"google.golang.org/grpc/reflection"
	"google.golang.org/grpc/status"

	"wild/service"
)

// change is what a caller wants to try.
type change struct {
	Group   string `json:"group"`
	Percent int64  `json:"percent"`
}

// outcome is what the list would be.
type outcome struct {
	Changed int    `json:"changed"`
	Before  int64  `json:"before_cents"`
	After   int64  `json:"after_cents"`
	Lowest  string `json:"lowest"`
}

type prices struct {
	testpb.UnimplementedTestServiceServer
	list *iradix.Tree[int64]
}

func newPrices() *prices {
	t := iradix.New[int64]().Txn()
	for i := range 4000 {
		t.Insert(fmt.Appendf(nil, "%s/%02d/article-%04d", []string{"garden", "garage", "kitchen", "kids"}[i%4], i%40/4, i), int64(199+i*7919%9000))
	}
	return &prices{list: t.Commit()}
}

// with returns the list as it would be, and what was changed.
func (p *prices) with(c change) (*iradix.Tree[int64], int) {
	n, to, atOnce := 0, p.list, service.After()
	txn := p.list.Txn()
	p.list.Root().WalkPrefix([]byte(c.Group), func(article []byte, cents int64) bool {
		cents -= cents * c.Percent / 100
		if atOnce {
			txn.Insert(article, cents)
		} else {
			to, _, _ = to.Insert(article, cents)
		}
		n++
		return false
	})
	if atOnce {
		to = txn.Commit()
	}
	return to, n
}

func (p *prices) try(c change) outcome {
	to, n := p.with(c)
	out := outcome{Changed: n}
	lowest := int64(1 << 62)
	p.list.Root().WalkPrefix([]byte(c.Group), func(_ []byte, cents int64) bool { out.Before += cents; return false })
	to.Root().WalkPrefix([]byte(c.Group), func(article []byte, cents int64) bool {
		out.After += cents
		if cents < lowest {
			lowest, out.Lowest = cents, string(article)
		}
		return false
	})
	return out
}

func (p *prices) UnaryCall(_ context.Context, in *testpb.SimpleRequest) (*testpb.SimpleResponse, error) {
	var c change
	if err := json.Unmarshal(in.GetPayload().GetBody(), &c); err != nil {
		return nil, status.Error(codes.InvalidArgument, err.Error())
	}
	if c.Group == "" || c.Percent < 0 || c.Percent > 90 {
		return nil, status.Error(codes.InvalidArgument, "group, and percent of 0 to 90")
	}
	out, err := json.Marshal(p.try(c))
	if err != nil {
		return nil, status.Error(codes.Internal, err.Error())
	}
	return &testpb.SimpleResponse{Payload: &testpb.Payload{Body: out}}, nil
}

func main() {
	srv := grpc.NewServer()
	testpb.RegisterTestServiceServer(srv, newPrices())
	reflection.Register(srv)
	ln := service.Listen()
	go func() { log.Println(srv.Serve(ln)) }()
	service.Wait()
}
