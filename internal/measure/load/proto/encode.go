package proto

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/unpark-go/unpark"
)

// mostNamed bounds how many names an error lists.
const mostNamed = 20

// Encoder makes requests by the descriptors of a source. It may be used by
// several goroutines.
type Encoder struct {
	from   string
	files  *protoregistry.Files
	types  *dynamicpb.Types
	failed []error // what is missing, and why
}

func newEncoder(from string, files []*descriptorpb.FileDescriptorProto, missing ...error) (*Encoder, error) {
	linked, failed, err := link(files)
	if err != nil {
		return nil, fmt.Errorf("descriptors of %s: %w", from, err)
	}
	e := &Encoder{from: from, files: linked, types: dynamicpb.NewTypes(linked), failed: append(failed, missing...)}
	if len(e.Methods()) == 0 {
		return nil, fmt.Errorf("descriptors of %s: there is no method in them%s", from, e.because())
	}
	return e, nil
}

// Call is a request of gRPC, ready to be sent.
type Call struct {
	Path     string // "/package.Service/Method"
	Body     []byte // as unpark.Request.Body has it: each message with gRPC's prefix
	Messages int    // in Body
	Stream   unpark.Stream
}

// Request returns the call as a request of a plan. The target is grpc://host:port
// or grpcs://host:port.
func (c Call) Request(target string) unpark.Request {
	return unpark.Request{Method: "POST", URL: strings.TrimRight(target, "/") + c.Path, Body: c.Body, Stream: c.Stream}
}

// Methods lists what can be called, as package.Service/Method, sorted.
func (e *Encoder) Methods() []string { return methods(e.files) }

// Encode makes a call of a method, "package.Service/Method", from messages in
// protobuf's JSON form, one after the other, with or without white space between
// them. A method whose client does not stream takes one; without any it gets an
// empty one. An error of the JSON names the method and the message.
func (e *Encoder) Encode(method string, messages []byte) (Call, error) {
	m, err := e.find(method)
	if err != nil {
		return Call{}, err
	}
	c := Call{Path: fmt.Sprintf("/%s/%s", m.Parent().FullName(), m.Name()), Stream: streamOf(m)}
	fail := func(err error) (Call, error) {
		return Call{}, fmt.Errorf("request for %s: %w", strings.TrimPrefix(c.Path, "/"), err)
	}
	if len(messages) > maxInput {
		return fail(fmt.Errorf("%d bytes of JSON: at most %d MB are read", len(messages), maxInput>>20))
	}
	values, err := split(messages)
	if err != nil {
		return fail(err)
	}
	if !m.IsStreamingClient() {
		if len(values) > 1 {
			return fail(fmt.Errorf("%d messages: the method takes one", len(values)))
		}
		if len(values) == 0 {
			values = append(values, []byte("{}"))
		}
	}
	for i, v := range values {
		if c.Body, err = e.add(c.Body, m.Input(), v); err != nil {
			return fail(fmt.Errorf("message %d (%s): %w", i+1, m.Input().FullName(), err))
		}
	}
	c.Messages = len(values)
	return c, nil
}

// add appends a message with gRPC's prefix.
func (e *Encoder) add(dst []byte, kind protoreflect.MessageDescriptor, value []byte) ([]byte, error) {
	m := dynamicpb.NewMessage(kind)
	if err := (protojson.UnmarshalOptions{Resolver: e.types}).Unmarshal(value, m); err != nil {
		// protojson writes some blanks so that nobody relies on its words.
		return nil, fmt.Errorf("the JSON does not fit: %s", strings.ReplaceAll(err.Error(), "\u00a0", " "))
	}
	at := len(dst)
	dst = append(dst, 0, 0, 0, 0, 0)
	dst, err := proto.MarshalOptions{Deterministic: true}.MarshalAppend(dst, m)
	if err != nil {
		return nil, err
	}
	n := len(dst) - at - 5
	if n > math.MaxInt32 {
		return nil, fmt.Errorf("it has %d bytes: gRPC sends at most %d", n, math.MaxInt32)
	}
	binary.BigEndian.PutUint32(dst[at+1:], uint32(n))
	return dst, nil
}

// split takes JSON values apart.
func split(b []byte) ([]json.RawMessage, error) {
	var out []json.RawMessage
	d := json.NewDecoder(bytes.NewReader(b))
	for {
		var v json.RawMessage
		err := d.Decode(&v)
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, fmt.Errorf("message %d at byte %d: not JSON: %w", len(out)+1, d.InputOffset(), err)
		}
		out = append(out, v)
	}
}

// find returns the method, named package.Service/Method or with a dot.
func (e *Encoder) find(name string) (protoreflect.MethodDescriptor, error) {
	name = strings.TrimPrefix(name, "/")
	at := strings.LastIndexByte(name, '/')
	if at < 0 {
		at = strings.LastIndexByte(name, '.')
	}
	if at <= 0 || at == len(name)-1 {
		return nil, fmt.Errorf("method %q: write package.Service/Method, one of: %s", name, list(e.Methods()))
	}
	service, method := protoreflect.FullName(name[:at]), protoreflect.Name(name[at+1:])
	d, err := e.files.FindDescriptorByName(service)
	s, is := d.(protoreflect.ServiceDescriptor)
	if err != nil || !is {
		return nil, fmt.Errorf("method %q: %s has no service %s%s; it has: %s", name, e.from, service, e.because(), list(e.Methods()))
	}
	if m := s.Methods().ByName(method); m != nil {
		return m, nil
	}
	var names []string
	for i := range s.Methods().Len() {
		names = append(names, string(s.Methods().Get(i).Name()))
	}
	return nil, fmt.Errorf("method %q: %s has no method %s; it has: %s", name, service, method, list(names))
}

// because tells what could not be linked, which may be why something is missing.
func (e *Encoder) because() string {
	if len(e.failed) == 0 {
		return ""
	}
	var words []string
	for _, err := range e.failed {
		words = append(words, err.Error())
	}
	slices.Sort(words)
	words = slices.Compact(words)
	return " (" + list(words) + ")"
}

func list(names []string) string {
	if len(names) > mostNamed {
		return strings.Join(names[:mostNamed], ", ") + fmt.Sprintf(" and %d more", len(names)-mostNamed)
	}
	return strings.Join(names, ", ")
}

func streamOf(m protoreflect.MethodDescriptor) unpark.Stream {
	switch {
	case m.IsStreamingClient() && m.IsStreamingServer():
		return unpark.BidiStream
	case m.IsStreamingClient():
		return unpark.ClientStream
	case m.IsStreamingServer():
		return unpark.ServerStream
	}
	return unpark.Unary
}
