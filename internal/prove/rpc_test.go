package prove

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/encoding"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/unpark-go/unpark"
)

// bytesCodec has messages be what they are.
type bytesCodec struct{}

func (bytesCodec) Marshal(v any) ([]byte, error) { return *v.(*[]byte), nil }
func (bytesCodec) Unmarshal(b []byte, v any) error {
	*v.(*[]byte) = append([]byte(nil), b...)
	return nil
}
func (bytesCodec) Name() string { return "proto" }

var _ encoding.Codec = bytesCodec{}

// serveGRPC answers shop.Cart/Get with a message that is made of the call's, and returns the address.
func serveGRPC(t *testing.T, answer func(asked []byte) ([]byte, error)) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Error(err)
		return ""
	}
	s := grpc.NewServer(grpc.ForceServerCodec(bytesCodec{}))
	s.RegisterService(&grpc.ServiceDesc{ServiceName: "shop.Cart", HandlerType: (*any)(nil), Methods: []grpc.MethodDesc{{
		MethodName: "Get",
		Handler: func(_ any, _ context.Context, decode func(any) error, _ grpc.UnaryServerInterceptor) (any, error) {
			var in []byte
			if err := decode(&in); err != nil {
				return nil, err
			}
			out, err := answer(in)
			return &out, err
		},
	}}}, nil)
	go func() { _ = s.Serve(l) }()
	t.Cleanup(s.Stop)
	return l.Addr().String()
}

// cart is a message: a text, a number, an identifier, and a message within.
func cart(name string, price uint64, id string) []byte {
	inner := protowire.AppendVarint(protowire.AppendTag(nil, 1, protowire.VarintType), price)
	out := protowire.AppendString(protowire.AppendTag(nil, 1, protowire.BytesType), name)
	out = protowire.AppendString(protowire.AppendTag(out, 2, protowire.BytesType), id)
	return protowire.AppendBytes(protowire.AppendTag(out, 3, protowire.BytesType), inner)
}

// TestCallsOfGRPC: messages are compared field by field, an identifier may vary, a status may not.
func TestCallsOfGRPC(t *testing.T) {
	t.Parallel()
	var n atomic.Int64
	id := func() string { return fmt.Sprintf("%04d-%04d", n.Add(7919)%9973, n.Load()*31%9973) }
	honest := func([]byte) ([]byte, error) { return cart("pear", 300, id()), nil }
	var all sync.WaitGroup // most of it is waiting
	for name, c := range map[string]struct {
		after func([]byte) ([]byte, error)
		want  string
	}{
		"equal":         {honest, ""},
		"another field": {func([]byte) ([]byte, error) { return cart("pear", 301, id()), nil }, "$.messages[0].3[0].1[0]: before 300, after 301"},
		"dropped":       {func([]byte) ([]byte, error) { return nil, nil }, "$.messages[0].1: before"},
		"an error":      {func([]byte) ([]byte, error) { return nil, status.Error(codes.Unavailable, "busy") }, `$.grpc-status: before "0", after "14"`},
		"a kept one":    {func([]byte) ([]byte, error) { return cart("pear", 300, "1234-5678"), nil }, "it is kept"},
		"not a message": {func([]byte) ([]byte, error) { return []byte{0xff}, nil }, "$.messages[0]"},
	} {
		all.Go(func() {
			var arms [3]asked
			var questions []question
			var three sync.WaitGroup
			for i, answer := range []func([]byte) ([]byte, error){honest, honest, c.after} {
				body := append(binary.BigEndian.AppendUint32([]byte{0}, 2), 8, 1)
				plan := unpark.Plan{Timeout: 10, Requests: []unpark.Request{{Method: "POST", URL: "grpc://" + serveGRPC(t, answer) + "/shop.Cart/Get", Body: body}}}
				asking, err := questionsOf(plan)
				if questions = asking; err != nil {
					t.Error(err)
				}
				three.Go(func() {
					if arms[i], err = ask(t.Context(), plan, asking); err != nil {
						t.Error(err)
					}
				})
			}
			three.Wait()
			got := compared(questions, arms[:2], arms[2]).Requests[0]
			if got.Equal != (c.want == "") || !strings.Contains(got.Difference, c.want) {
				t.Errorf("%s: %+v, want %q", name, got, c.want)
			}
		})
	}
	all.Wait()
}

// FuzzCalled: whatever the messages are, there is a value of them.
func FuzzCalled(f *testing.F) {
	f.Add(cart("a", 1, "b"))
	f.Add([]byte{0x0b, 0x0b, 0x0c, 0x0c})
	f.Fuzz(func(t *testing.T, b []byte) {
		if _, err := json.Marshal(part(b, 0)); err != nil {
			t.Error(err)
		}
	})
}
