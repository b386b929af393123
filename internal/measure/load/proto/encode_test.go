package proto

import (
	"bytes"
	"context"
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/unpark-go/unpark"
)

func soon(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	t.Cleanup(cancel)
	return ctx
}

// shop has the descriptors of testdata/shop.
func shop(t testing.TB) *Encoder {
	t.Helper()
	e, err := Open(soon(t), Source{Proto: []string{"testdata/shop/cart.proto"}})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// set is a descriptor set of testdata/shop without the files that are named.
func set(t testing.TB, without ...string) []byte {
	t.Helper()
	return setOf(t, "testdata/shop/cart.proto", without...)
}

func setOf(t testing.TB, path string, without ...string) []byte {
	t.Helper()
	files, err := compile(soon(t), []string{path}, nil)
	if err != nil {
		t.Fatal(err)
	}
	files = slices.DeleteFunc(files, func(f *descriptorpb.FileDescriptorProto) bool { return slices.Contains(without, f.GetName()) })
	b, err := proto.Marshal(&descriptorpb.FileDescriptorSet{File: files})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func write(t testing.TB, name string, b []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// messages decodes the body of a call.
func messages(t testing.TB, e *Encoder, kind string, body []byte) []*dynamicpb.Message {
	t.Helper()
	d, err := e.files.FindDescriptorByName(protoreflect.FullName(kind))
	if err != nil {
		t.Fatal(err)
	}
	var out []*dynamicpb.Message
	for len(body) > 0 {
		if len(body) < 5 || body[0] != 0 {
			t.Fatalf("prefix %x", body[:min(len(body), 5)])
		}
		n := binary.BigEndian.Uint32(body[1:])
		m := dynamicpb.NewMessage(d.(protoreflect.MessageDescriptor))
		if err := proto.Unmarshal(body[5:5+n], m); err != nil {
			t.Fatal(err)
		}
		out, body = append(out, m), body[5+n:]
	}
	return out
}

func field(m *dynamicpb.Message, name string) protoreflect.Value {
	return m.Get(m.Descriptor().Fields().ByName(protoreflect.Name(name)))
}

func TestEncode(t *testing.T) {
	e := shop(t)
	if got, want := strings.Join(e.Methods(), " "), "shop.Cart/Add shop.Cart/Chat shop.Cart/Upload shop.Cart/Watch"; got != want {
		t.Errorf("methods %s, want %s", got, want)
	}
	const item = `{"sku": "a", "count": 2, "price": {"currency": "EUR", "units": "5"}, "addedAt": "2020-01-02T03:04:05Z",
		"note": {"@type": "type.googleapis.com/shop.Receipt", "id": "x"}}`
	for _, tt := range []struct {
		method, json string
		path         string
		stream       unpark.Stream
		count        int
	}{
		{"shop.Cart/Add", item, "/shop.Cart/Add", unpark.Unary, 1},
		{"/shop.Cart/Add", "", "/shop.Cart/Add", unpark.Unary, 1},
		{"shop.Cart.Watch", `{"sku":"a"}`, "/shop.Cart/Watch", unpark.ServerStream, 1},
		{"shop.Cart/Upload", item + item + "\n" + `{"sku":"b"}`, "/shop.Cart/Upload", unpark.ClientStream, 3},
		{"shop.Cart/Upload", " \n", "/shop.Cart/Upload", unpark.ClientStream, 0},
		{"shop.Cart/Chat", item, "/shop.Cart/Chat", unpark.BidiStream, 1},
	} {
		c, err := e.Encode(tt.method, []byte(tt.json))
		if err != nil {
			t.Errorf("%s: %v", tt.method, err)
			continue
		}
		got := messages(t, e, "shop.Item", c.Body)
		if c.Path != tt.path || c.Stream != tt.stream || c.Messages != tt.count || len(got) != tt.count {
			t.Errorf("%s: %+v, %d messages in the body", tt.method, c, len(got))
		}
		if strings.HasPrefix(tt.json, item) && (field(got[0], "sku").String() != "a" || field(got[0], "count").Uint() != 2) {
			t.Errorf("%s: %v", tt.method, got[0])
		}
		again, _ := e.Encode(tt.method, []byte(tt.json))
		if !bytes.Equal(c.Body, again.Body) {
			t.Errorf("%s: the same messages have other bytes", tt.method)
		}
	}
	c, _ := e.Encode("shop.Cart/Chat", []byte("{}"))
	r := c.Request("grpc://127.0.0.1:9000/")
	if r.URL != "grpc://127.0.0.1:9000/shop.Cart/Chat" || r.Method != "POST" || r.Stream != unpark.BidiStream || !bytes.Equal(r.Body, make([]byte, 5)) {
		t.Errorf("%+v", r)
	}
}

func TestEncodeErrors(t *testing.T) {
	e := shop(t)
	for _, tt := range []struct{ method, json, want string }{
		{"shop.Cart/Remove", "", `shop.Cart has no method Remove; it has: Add, Watch, Upload, Chat`},
		{"shop.Basket/Add", "", "has no service shop.Basket; it has: shop.Cart/Add, shop.Cart/Chat"},
		{"shop.Item/sku", "", "has no service shop.Item"},
		{"Add", "", "write package.Service/Method, one of: shop.Cart/Add"},
		{"shop.Cart/", "", "write package.Service/Method"},
		{"", "", "write package.Service/Method"},
		{"shop.Cart/Add", `{"sku": 5}`, `request for shop.Cart/Add: message 1 (shop.Item): the JSON does not fit: proto: (line 1:9): invalid value for string field sku: 5`},
		{"shop.Cart/Add", `{"skuu": "a"}`, `unknown field "skuu"`},
		{"shop.Cart/Add", `{"price": {"units": 1}}`, "required field money.Amount.currency not set"},
		{"shop.Cart/Add", `{"note": {"@type": "a/shop.None"}}`, `"a/shop.None"`},
		{"shop.Cart/Add", `{} {}`, "2 messages: the method takes one"},
		{"shop.Cart/Upload", `{} {"sku": 1}`, "message 2 (shop.Item): the JSON does not fit"},
		{"shop.Cart/Upload", `{} {"sku"`, "message 2 at byte"},
		{"shop.Cart/Add", `[]`, "the JSON does not fit"},
		{"shop.Cart/Add", `{"count": -1}`, "the JSON does not fit"},
	} {
		if _, err := e.Encode(tt.method, []byte(tt.json)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s %s:\n%v\nwant %q", tt.method, tt.json, err, tt.want)
		}
	}
	if _, err := e.Encode("shop.Cart/Add", make([]byte, maxInput+1)); err == nil || !strings.Contains(err.Error(), "at most 64 MB") {
		t.Errorf("long JSON: %v", err)
	}
}

func TestOpen(t *testing.T) {
	whole := write(t, "shop.binpb", set(t))
	bare := write(t, "bare.binpb", set(t, "google/protobuf/any.proto", "google/protobuf/timestamp.proto"))
	for name, s := range map[string]Source{
		"set":                         {Protoset: whole},
		"set without protobuf's own":  {Protoset: bare},
		"proto beside its imports":    {Proto: []string{"testdata/shop/cart.proto"}},
		"proto with an import path":   {Proto: []string{"testdata/shop/cart.proto"}, ImportPaths: []string{"testdata/shop"}},
		"proto by its name in a path": {Proto: []string{"cart.proto"}, ImportPaths: []string{"testdata/shop"}},
		"two files":                   {Proto: []string{"testdata/shop/cart.proto", "testdata/shop/money/money.proto"}, ImportPaths: []string{"testdata/shop"}},
	} {
		e, err := Open(soon(t), s)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if _, err := e.Encode("shop.Cart/Add", []byte(`{"addedAt": "2020-01-02T03:04:05Z"}`)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestOpenErrors(t *testing.T) {
	big := write(t, "big", nil)
	if err := os.Truncate(big, maxInput+1); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name string
		s    Source
		want string
	}{
		{"none", Source{}, "name one source"},
		{"two", Source{Protoset: "a", Reflect: "grpc://a:1"}, "name one source"},
		{"no such set", Source{Protoset: "testdata/none"}, "no such file"},
		{"not a set", Source{Protoset: "testdata/broken.proto"}, "make one with protoc"},
		{"an empty set", Source{Protoset: write(t, "empty", nil)}, "it has no file in it (0 bytes)"},
		{"a set that is too long", Source{Protoset: big}, "more than 64 MB"},
		{"an import is missing", Source{Protoset: write(t, "part", set(t, "money/money.proto"))}, `file "money/money.proto" is imported and missing: make a descriptor set with --include_imports`},
		{"no service", Source{Proto: []string{"testdata/shop/money/money.proto"}}, "there is no method in them"},
		{"no such proto", Source{Proto: []string{"testdata/none.proto"}}, "none.proto"},
		{"a syntax error", Source{Proto: []string{"testdata/broken.proto"}}, "broken.proto:5:"},
		{"an import path too few", Source{Proto: []string{"testdata/shop/cart.proto"}, ImportPaths: []string{"testdata"}}, "--import-path"},
		{"not a gRPC URL", Source{Reflect: "127.0.0.1:1"}, "write grpc://host:port"},
		{"no port", Source{Reflect: "grpc://127.0.0.1"}, "write grpc://host:port"},
	} {
		if _, err := Open(soon(t), tt.s); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
}

// small is a message of testdata/small.proto.
const small = `{"name":"a","children":{"b":{"next":{}}},"kind":"LEAF","numbers":["-1",2],"next":{"raw":"AAE="},"[small.weight]":1.5}`

// TestEditions: maps, groups and extensions, by the syntax of edition 2023.
func TestEditions(t *testing.T) {
	e, err := Open(soon(t), Source{Proto: []string{"testdata/small.proto"}})
	if err != nil {
		t.Fatal(err)
	}
	c, err := e.Encode("small.Tree/Put", []byte(small))
	if err != nil {
		t.Fatal(err)
	}
	m := messages(t, e, "small.Node", c.Body)[0]
	if field(m, "name").String() != "a" || field(m, "numbers").List().Len() != 2 || field(m, "children").Map().Len() != 1 || len(m.GetUnknown()) == 0 {
		t.Errorf("%v", m)
	}
}

// TestOneBrokenFileHidesNoOther: the near miss of a missing import.
func TestOneBrokenFileHidesNoOther(t *testing.T) {
	files, err := parseSet(set(t))
	if err != nil {
		t.Fatal(err)
	}
	str := func(s string) *string { return &s }
	files = append(files,
		&descriptorpb.FileDescriptorProto{Name: str("a.proto"), Dependency: []string{"b.proto"}},
		&descriptorpb.FileDescriptorProto{Name: str("b.proto"), Dependency: []string{"a.proto"}},
		&descriptorpb.FileDescriptorProto{Name: str("c.proto"), Dependency: []string{"none.proto"}},
	)
	e, err := newEncoder("x", files)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Encode("shop.Cart/Add", nil); err != nil {
		t.Error(err)
	}
	_, err = e.Encode("other.Service/M", nil)
	for _, want := range []string{`file "a.proto" imports itself`, `file "none.proto" is imported and missing`} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// FuzzSet: whatever a descriptor set holds, it is an error or encodes.
func FuzzSet(f *testing.F) {
	f.Add(set(f), []byte(`{"sku":"a","price":{"currency":"EUR"}}`))
	f.Add(set(f, "money/money.proto"), []byte(`{}`))
	f.Add(setOf(f, "testdata/small.proto"), []byte(small))
	f.Add([]byte{}, []byte(`{}{}`))
	f.Add([]byte("\n\x03\n\x01a"), []byte(``))
	f.Fuzz(func(t *testing.T, b, json []byte) {
		files, err := parseSet(b)
		if err != nil {
			return
		}
		e, err := newEncoder("x", files)
		if err != nil {
			return
		}
		for _, m := range e.Methods() {
			if c, err := e.Encode(m, json); err == nil && c.Messages > 0 && len(c.Body) < 5*c.Messages {
				t.Errorf("%s: %+v", m, c)
			}
		}
	})
}
