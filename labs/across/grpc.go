package main

import (
	"context"
	"net/http"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/types/known/wrapperspb"
)

// stockMethod has an article's name in a message and its stock in another.
const stockMethod = "/across.Inventory/Stock"

// overGRPC answers through net/http, where the probe's middleware has a place in front of it.
func (s *inventory) overGRPC() http.Handler {
	server := grpc.NewServer()
	server.RegisterService(&grpc.ServiceDesc{
		ServiceName: "across.Inventory", HandlerType: (*any)(nil),
		Methods: []grpc.MethodDesc{{MethodName: "Stock", Handler: func(_ any, _ context.Context, decode func(any) error, _ grpc.UnaryServerInterceptor) (any, error) {
			var article wrapperspb.StringValue
			if err := decode(&article); err != nil {
				return nil, err
			}
			return wrapperspb.String(s.answer(article.GetValue())), nil
		}}},
	}, s)
	return server
}

// grpcClient asks over one connection, as gRPC's clients do.
type grpcClient struct{ conn *grpc.ClientConn }

func newGRPCClient(address string) (*grpcClient, error) {
	conn, err := grpc.NewClient("passthrough:///"+address, grpc.WithTransportCredentials(insecure.NewCredentials()))
	return &grpcClient{conn}, err
}

func (c *grpcClient) stock(ctx context.Context, article, trace string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	if trace != "" {
		ctx = metadata.AppendToOutgoingContext(ctx, "traceparent", trace)
	}
	var stock wrapperspb.StringValue
	err := c.conn.Invoke(ctx, stockMethod, wrapperspb.String(article), &stock)
	return stock.GetValue(), err
}
