package proto

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/reflection"
	v1 "google.golang.org/grpc/reflection/grpc_reflection_v1"
	v1alpha "google.golang.org/grpc/reflection/grpc_reflection_v1alpha"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/load"
)

// cart is the service of testdata/shop: it counts items by what they hold.
type cart struct {
	e     *Encoder
	items atomic.Int64 // with the sku "a"
	wrong atomic.Int64
}

func (c *cart) message(name string) *dynamicpb.Message {
	d, err := c.e.files.FindDescriptorByName(protoreflect.FullName(name))
	if err != nil {
		panic(err)
	}
	return dynamicpb.NewMessage(d.(protoreflect.MessageDescriptor))
}

func (c *cart) count(m *dynamicpb.Message) {
	if field(m, "sku").String() == "a" {
		c.items.Add(1)
	} else {
		c.wrong.Add(1)
	}
}

func (c *cart) receipt() *dynamicpb.Message {
	m := c.message("shop.Receipt")
	m.Set(m.Descriptor().Fields().ByName("id"), protoreflect.ValueOfString(strings.Repeat("r", 20)))
	return m
}

func (c *cart) desc() *grpc.ServiceDesc {
	return &grpc.ServiceDesc{
		ServiceName: "shop.Cart", HandlerType: (*any)(nil),
		Methods: []grpc.MethodDesc{{MethodName: "Add", Handler: func(_ any, _ context.Context, decode func(any) error, _ grpc.UnaryServerInterceptor) (any, error) {
			in := c.message("shop.Item")
			if err := decode(in); err != nil {
				return nil, err
			}
			c.count(in)
			return c.receipt(), nil
		}}},
		Streams: []grpc.StreamDesc{{StreamName: "Chat", ClientStreams: true, ServerStreams: true, Handler: func(_ any, s grpc.ServerStream) error {
			for {
				in := c.message("shop.Item")
				if err := s.RecvMsg(in); errors.Is(err, io.EOF) {
					return nil
				} else if err != nil {
					return err
				}
				c.count(in)
				if err := s.SendMsg(c.receipt()); err != nil {
					return err
				}
			}
		}}},
	}
}

// serve starts the service with what register adds.
func serve(t testing.TB, register func(*grpc.Server, reflection.ServerOptions)) (*cart, string) {
	t.Helper()
	c := &cart{e: shop(t)}
	s := grpc.NewServer()
	s.RegisterService(c.desc(), c)
	register(s, reflection.ServerOptions{Services: s, DescriptorResolver: c.e.files})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go func() { _ = s.Serve(l) }()
	t.Cleanup(s.Stop)
	return c, "grpc://" + l.Addr().String()
}

func serveV1(s *grpc.Server, o reflection.ServerOptions) {
	v1.RegisterServerReflectionServer(s, reflection.NewServerV1(o))
}

func serveV1Alpha(s *grpc.Server, o reflection.ServerOptions) {
	v1alpha.RegisterServerReflectionServer(s, reflection.NewServer(o))
}

// TestReflection loads a service of which nothing is known but its address.
func TestReflection(t *testing.T) {
	for name, register := range map[string]func(*grpc.Server, reflection.ServerOptions){"v1": serveV1, "v1alpha": serveV1Alpha} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, target := serve(t, register)
			e, err := Open(soon(t), Source{Reflect: target})
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(e.Methods(), " "); got != "shop.Cart/Add shop.Cart/Chat shop.Cart/Upload shop.Cart/Watch" {
				t.Errorf("methods %s", got)
			}
			plan := unpark.Plan{Mode: unpark.Closed, Connections: 2}
			for method, json := range map[string]string{"shop.Cart/Add": `{"sku":"a"}`, "shop.Cart/Chat": `{"sku":"a"}{"sku":"a"}`} {
				call, err := e.Encode(method, []byte(json))
				if err != nil {
					t.Fatal(err)
				}
				plan.Requests = append(plan.Requests, call.Request(target))
			}
			drive(t, plan, c)
		})
	}
}

// drive loads the service until it had some items.
func drive(t *testing.T, plan unpark.Plan, c *cart) {
	t.Helper()
	if err := load.Check(soon(t), plan); err != nil {
		t.Fatal(err)
	}
	g, err := load.Start(soon(t), plan)
	if err != nil {
		t.Fatal(err)
	}
	defer g.Stop()
	s := g.Begin("window")
	for deadline := time.Now().Add(15 * time.Second); c.items.Load() < 200; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("no 200 items within 15 s")
		}
	}
	g.Begin("rest")
	l := s.Load(soon(t))
	if l.Errors != 0 || c.wrong.Load() != 0 || l.Status["200"] != l.Response.N || l.Requests == 0 {
		t.Errorf("%d wrong items; %d errors %v %s; status %v", c.wrong.Load(), l.Errors, l.ErrorKinds, l.ErrorSample, l.Status)
	}
	// An answer is one receipt of 22 bytes, or two.
	if b, _ := l.BytesPerResponse.Get(); b < 22 || b > 44 {
		t.Errorf("%g bytes per response", b)
	}
}

func TestReflectionErrors(t *testing.T) {
	_, without := serve(t, func(*grpc.Server, reflection.ServerOptions) {})
	_, closed := serve(t, func(s *grpc.Server, _ reflection.ServerOptions) { s.Stop() })
	_, guarded := serve(t, func(s *grpc.Server, _ reflection.ServerOptions) {
		s.RegisterService(&grpc.ServiceDesc{ServiceName: "grpc.reflection.v1.ServerReflection", HandlerType: (*any)(nil), Streams: []grpc.StreamDesc{
			{StreamName: "ServerReflectionInfo", ClientStreams: true, ServerStreams: true, Handler: func(_ any, s grpc.ServerStream) error {
				md, _ := metadata.FromIncomingContext(s.Context())
				if strings.Join(md.Get("authorization"), "") != "secret" {
					return status.Error(codes.Unauthenticated, "who are you")
				}
				return status.Error(codes.Internal, "boom")
			}},
		}}, nil)
	})
	plain := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(plain.Close)
	_, blind := serve(t, func(s *grpc.Server, o reflection.ServerOptions) {
		o.DescriptorResolver = nothing{}
		serveV1(s, o)
	})
	for _, tt := range []struct {
		name string
		s    Source
		want []string
	}{
		{"not served", Source{Reflect: without}, []string{"does not serve reflection", "--protoset", "--proto"}},
		{"closed port", Source{Reflect: closed}, []string{"refused", "is it running"}},
		{"plain HTTP", Source{Reflect: "grpc" + strings.TrimPrefix(plain.URL, "http")}, []string{"is the port that of gRPC"}},
		{"TLS to a server without", Source{Reflect: strings.Replace(without, "grpc", "grpcs", 1)}, []string{"does it want TLS"}},
		{"no credentials", Source{Reflect: guarded}, []string{"who are you", "--header"}},
		{"with credentials", Source{Reflect: guarded, Header: map[string][]string{"Authorization": {"secret"}}}, []string{"boom", "--protoset"}},
		{"no descriptors", Source{Reflect: blind}, []string{"there is no method in them", "the server does not describe its service shop.Cart"}},
	} {
		_, err := Open(soon(t), tt.s)
		for _, want := range tt.want {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %q", tt.name, err, want)
			}
		}
	}
}

// TestReflectionIsBounded: a server that says nothing does not hold the command.
func TestReflectionIsBounded(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
	defer cancel()
	if _, err := Open(ctx, Source{Reflect: "grpc://" + l.Addr().String()}); err == nil || !strings.Contains(err.Error(), "is it running") {
		t.Errorf("%v", err)
	}
}

// nothing has no descriptors.
type nothing struct{}

func (nothing) FindFileByPath(string) (protoreflect.FileDescriptor, error) {
	return nil, status.Error(codes.NotFound, "not here")
}

func (nothing) FindDescriptorByName(protoreflect.FullName) (protoreflect.Descriptor, error) {
	return nil, status.Error(codes.NotFound, "not here")
}

// TestReflectionIsDialled: a server is asked where its address was checked, not where
// its name leads now.
func TestReflectionIsDialled(t *testing.T) {
	_, target := serve(t, serveV1)
	u, err := url.Parse(target)
	if err != nil {
		t.Fatal(err)
	}
	plan := unpark.Plan{Hosts: map[string][]netip.Addr{"rebound.invalid": {netip.MustParseAddr(u.Hostname())}}}
	source := Source{Reflect: "grpc://" + net.JoinHostPort("rebound.invalid", u.Port()), Dial: load.Dial(plan)}
	if _, err := Open(soon(t), source); err != nil {
		t.Error(err)
	}
}
