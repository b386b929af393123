package load

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"

	"google.golang.org/grpc"
	grpccodes "google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/unpark-go/unpark"
)

// echo is a gRPC service whose messages are plain bytes, and say what to do.
type echo struct {
	gate sync.RWMutex  // locked: nothing is answered
	hold chan struct{} // closed: "hold" is answered
	seen seen
}

// bytesCodec has messages that are bytes.
type bytesCodec struct{}

func (bytesCodec) Name() string                  { return "proto" }
func (bytesCodec) Marshal(v any) ([]byte, error) { return *v.(*[]byte), nil }
func (bytesCodec) Unmarshal(b []byte, v any) error {
	*v.(*[]byte) = bytes.Clone(b)
	return nil
}

// serveGRPC starts the service and returns its address, host:port.
func serveGRPC(t testing.TB, options ...grpc.ServerOption) (*echo, *grpc.Server, string) {
	t.Helper()
	e := &echo{hold: make(chan struct{})}
	s := grpc.NewServer(append(options, grpc.ForceServerCodec(bytesCodec{}))...)
	s.RegisterService(e.desc(), e)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go func() { _ = s.Serve(l) }()
	t.Cleanup(s.Stop)
	return e, s, l.Addr().String()
}

func (e *echo) desc() *grpc.ServiceDesc {
	unary := func(_ any, ctx context.Context, decode func(any) error, _ grpc.UnaryServerInterceptor) (any, error) {
		var in []byte
		if err := decode(&in); err != nil {
			return nil, err
		}
		out, err := e.answer(ctx, in)
		return &out, err
	}
	return &grpc.ServiceDesc{
		ServiceName: "test.Echo",
		HandlerType: (*any)(nil),
		Methods:     []grpc.MethodDesc{{MethodName: "Unary", Handler: unary}},
		Streams: []grpc.StreamDesc{
			{StreamName: "Server", ServerStreams: true, Handler: e.server},
			{StreamName: "Client", ClientStreams: true, Handler: e.client},
			{StreamName: "Bidi", ClientStreams: true, ServerStreams: true, Handler: e.bidi},
		},
	}
}

// answer does what a message says: "size N", "fail CODE TEXT", "hold", or echoes it.
func (e *echo) answer(ctx context.Context, in []byte) ([]byte, error) {
	e.gate.RLock()
	defer e.gate.RUnlock()
	var n int
	words := string(in)
	e.seen.add(words[:min(len(words), 32)])
	if _, err := fmt.Sscanf(words, "size %d", &n); err == nil {
		return bytes.Repeat([]byte("x"), n), nil
	}
	if _, err := fmt.Sscanf(words, "fail %d", &n); err == nil {
		_, text, _ := strings.Cut(words[len("fail "):], " ")
		return nil, status.Error(grpccodes.Code(n), text)
	}
	if words == "hold" {
		select {
		case <-e.hold:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return in, nil
}

// server answers three times.
func (e *echo) server(_ any, s grpc.ServerStream) error {
	var in []byte
	if err := s.RecvMsg(&in); err != nil {
		return err
	}
	for range 3 {
		out, err := e.answer(s.Context(), in)
		if err != nil {
			return err
		}
		if err := s.SendMsg(&out); err != nil {
			return err
		}
	}
	if strings.HasPrefix(string(in), "late") {
		return status.Error(grpccodes.Aborted, "too late")
	}
	return nil
}

// client answers with the number of messages and of bytes.
func (e *echo) client(_ any, s grpc.ServerStream) error {
	count, total := 0, 0
	for {
		var in []byte
		if err := s.RecvMsg(&in); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return err
		}
		if _, err := e.answer(s.Context(), in); err != nil {
			return err
		}
		count, total = count+1, total+len(in)
	}
	out := fmt.Appendf(nil, "%d messages, %d bytes", count, total)
	e.seen.add(string(out))
	return s.SendMsg(&out)
}

// bidi answers each message before it reads the next.
func (e *echo) bidi(_ any, s grpc.ServerStream) error {
	for {
		var in []byte
		if err := s.RecvMsg(&in); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		out, err := e.answer(s.Context(), in)
		if err != nil {
			return err
		}
		if err := s.SendMsg(&out); err != nil {
			return err
		}
	}
}

// framed puts messages one after the other, as Request.Body has them.
func framed(messages ...string) []byte {
	var out []byte
	for _, m := range messages {
		out = binary.BigEndian.AppendUint32(append(out, 0), uint32(len(m)))
		out = append(out, m...)
	}
	return out
}

// unary is a call of the echo service.
func unary(addr, message string) unpark.Request {
	return unpark.Request{URL: "grpc://" + addr + "/test.Echo/Unary", Body: framed(message)}
}

func streaming(addr string, stream unpark.Stream, messages ...string) unpark.Request {
	name := map[unpark.Stream]string{unpark.ClientStream: "Client", unpark.ServerStream: "Server", unpark.BidiStream: "Bidi"}[stream]
	return unpark.Request{URL: "grpc://" + addr + "/test.Echo/" + name, Stream: stream, Body: framed(messages...)}
}
