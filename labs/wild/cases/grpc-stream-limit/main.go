// A shop over gRPC that asks a stock service, also over gRPC. That service needs 5 ms for an answer and
// allows 8 streams on a connection.
package main

import (
	"context"
	"log"
	"net"
	"sync/atomic"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/reflection"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"wild/service"
)

// stockClient spreads its questions over one connection, or, as documented, over several of them.
type stockClient struct {
	conns []*grpc.ClientConn
	next  atomic.Uint32
}

func (s *stockClient) count(ctx context.Context, sku *wrapperspb.StringValue) (*wrapperspb.Int32Value, error) {
	conn := s.conns[int(s.next.Add(1))%len(s.conns)]
	out := new(wrapperspb.Int32Value)
	if err := conn.Invoke(ctx, "/stock.Stock/Count", sku, out); err != nil {
		return nil, err
	}
	return out, nil
}

func main() {
	backend, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	stock := grpc.NewServer(grpc.MaxConcurrentStreams(8))
	stock.RegisterService(unary("stock.Stock", "Count", func(context.Context, *wrapperspb.StringValue) (*wrapperspb.Int32Value, error) {
		time.Sleep(5 * time.Millisecond)
		return wrapperspb.Int32(7), nil
	}), nil)
	go func() { log.Println(stock.Serve(backend)) }()

	client, connections := new(stockClient), 1
	if service.After() {
		connections = 8
	}
	for range connections {
		conn, err := grpc.NewClient(backend.Addr().String(), grpc.WithTransportCredentials(insecure.NewCredentials()))
		if err != nil {
			log.Fatal(err)
		}
		client.conns = append(client.conns, conn)
	}
	shop := grpc.NewServer()
	shop.RegisterService(unary("shop.Shop", "Available", client.count), nil)
	describe("shop", "Shop", "Available")
	reflection.Register(shop)
	ln := service.Listen()
	go func() { log.Println(shop.Serve(ln)) }()
	service.Wait()
	shop.Stop()
	stock.Stop()
}

func unary(name, method string, answer func(context.Context, *wrapperspb.StringValue) (*wrapperspb.Int32Value, error)) *grpc.ServiceDesc {
	return &grpc.ServiceDesc{
		ServiceName: name,
		HandlerType: (*any)(nil),
		Metadata:    name + ".proto",
		Methods: []grpc.MethodDesc{{
			MethodName: method,
			Handler: func(_ any, ctx context.Context, decode func(any) error, _ grpc.UnaryServerInterceptor) (any, error) {
				in := new(wrapperspb.StringValue)
				if err := decode(in); err != nil {
					return nil, err
				}
				return answer(ctx, in)
			},
		}},
	}
}

// describe registers what the service looks like, for clients that ask by reflection.
func describe(pkg, name, method string) {
	file, err := protodesc.NewFile(&descriptorpb.FileDescriptorProto{
		Name: proto.String(pkg + "." + name + ".proto"), Package: proto.String(pkg), Syntax: proto.String("proto3"),
		Dependency: []string{"google/protobuf/wrappers.proto"},
		Service: []*descriptorpb.ServiceDescriptorProto{{
			Name: proto.String(name),
			Method: []*descriptorpb.MethodDescriptorProto{{
				Name:       proto.String(method),
				InputType:  proto.String(".google.protobuf.StringValue"),
				OutputType: proto.String(".google.protobuf.Int32Value"),
			}},
		}},
	}, protoregistry.GlobalFiles)
	if err == nil {
		err = protoregistry.GlobalFiles.RegisterFile(file)
	}
	if err != nil {
		log.Fatal(err)
	}
}
