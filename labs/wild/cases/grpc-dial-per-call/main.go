// A shop over gRPC that asks a stock service, also over gRPC, how many pieces there are.
package main

import (
	"context"
	"log"
	"net"

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

// stockClient opens a connection for each question, or, as documented, one for all of them.
type stockClient struct {
	addr   string
	shared *grpc.ClientConn
}

func dial(addr string) (*grpc.ClientConn, error) {
	return grpc.NewClient(addr, grpc.WithTransportCredentials(insecure.NewCredentials()))
}

func (s *stockClient) count(ctx context.Context, sku *wrapperspb.StringValue) (*wrapperspb.Int32Value, error) {
	conn := s.shared
	if conn == nil {
		var err error
		if conn, err = dial(s.addr); err != nil {
			return nil, err
		}
		defer conn.Close()
	}
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
	stock := grpc.NewServer()
	stock.RegisterService(unary("stock.Stock", "Count", func(context.Context, *wrapperspb.StringValue) (*wrapperspb.Int32Value, error) {
		return wrapperspb.Int32(7), nil
	}), nil)
	go func() { log.Println(stock.Serve(backend)) }()

	client := &stockClient{addr: backend.Addr().String()}
	if service.After() {
		if client.shared, err = dial(client.addr); err != nil {
			log.Fatal(err)
		}
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
