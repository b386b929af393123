package load

import (
	"encoding/binary"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/unpark-go/unpark"
)

// The schemes of gRPC.
const (
	schemeGRPC  = "grpc"
	schemeGRPCS = "grpcs" // within TLS
)

// grpcPrefix is the length of what precedes each message: a byte that says
// whether it is compressed, and its length in four, the highest first (gRPC over
// HTTP2, Length-Prefixed-Message).
const grpcPrefix = 5

// rpc is what a kind of request over gRPC has that one over HTTP has not.
type rpc struct {
	path           string // "/package.Service/Method"
	client, server bool   // who streams
	header         http.Header
	agent          string
}

func overGRPC(u *url.URL) bool { return u.Scheme == schemeGRPC || u.Scheme == schemeGRPCS }

// setRPC completes a kind whose URL is one of gRPC.
func (k *kind) setRPC(r unpark.Request) error {
	if r.Method != "" && r.Method != http.MethodPost {
		return fmt.Errorf("method %q: gRPC sends POST, leave it out", r.Method)
	}
	k.method = http.MethodPost
	service, method, ok := strings.Cut(strings.TrimPrefix(k.url.Path, "/"), "/")
	if k.url.Port() == "" || !ok || service == "" || method == "" || strings.Contains(method, "/") || k.url.RawQuery != "" || k.url.User != nil {
		return errors.New("a gRPC URL has host, port, service and method, such as grpc://127.0.0.1:9000/shop.Cart/Add")
	}
	c := &rpc{path: k.url.Path, agent: k.header.Get("User-Agent")}
	messages, err := countMessages(k.body)
	if err != nil {
		return fmt.Errorf("body: %w", err)
	}
	if err := c.setStream(r.Stream, messages); err != nil {
		return err
	}
	if c.header, err = grpcHeader(k.header); err != nil {
		return err
	}
	k.rpc = c
	return nil
}

func (c *rpc) setStream(stream unpark.Stream, messages int) error {
	switch stream {
	case unpark.Unary:
	case unpark.ClientStream:
		c.client = true
	case unpark.ServerStream:
		c.server = true
	case unpark.BidiStream:
		c.client, c.server = true, true
	default:
		return fmt.Errorf("stream %q: must be %q, %q, %q or empty", stream, unpark.ClientStream, unpark.ServerStream, unpark.BidiStream)
	}
	if !c.client && messages != 1 {
		return fmt.Errorf("body: %d messages: a call whose client does not stream sends one", messages)
	}
	return nil
}

// countMessages counts the messages in a body.
func countMessages(body []byte) (n int, err error) {
	for at := 0; at < len(body); n++ {
		rest := body[at:]
		if len(rest) < grpcPrefix {
			return n, fmt.Errorf("message %d at byte %d: the prefix has %d bytes of %d", n+1, at, len(rest), grpcPrefix)
		}
		if rest[0] != 0 {
			return n, fmt.Errorf("message %d at byte %d: its first byte is %#x: compressed messages are not sent", n+1, at, rest[0])
		}
		size := int64(binary.BigEndian.Uint32(rest[1:]))
		if size > int64(len(rest)-grpcPrefix) {
			return n, fmt.Errorf("message %d at byte %d: %d bytes of %d", n+1, at, len(rest)-grpcPrefix, size)
		}
		at += grpcPrefix + int(size)
	}
	return n, nil
}

// grpcHeader returns the metadata of a call. A name that gRPC keeps for itself, or
// that cannot be sent, is an error: gRPC would drop it silently, or fail each call.
func grpcHeader(from http.Header) (http.Header, error) {
	md := http.Header{}
	for name, values := range from {
		key := strings.ToLower(name)
		switch {
		case key == "user-agent" || key == "host":
			continue
		case key == "content-type" || key == "te" || strings.HasPrefix(key, "grpc-"):
			return nil, fmt.Errorf("header %s: gRPC sets it itself, leave it out", name)
		case key == "" || strings.ContainsFunc(key, func(c rune) bool {
			return (c < 'a' || c > 'z') && (c < '0' || c > '9') && !strings.ContainsRune("-_.", c)
		}):
			return nil, fmt.Errorf("header %q: a name in gRPC has letters, digits, \"-\", \"_\" and \".\"", name)
		}
		for _, v := range values {
			if !strings.HasSuffix(key, "-bin") && strings.ContainsFunc(v, func(c rune) bool { return c < ' ' || c > '~' }) {
				return nil, fmt.Errorf("header %s: its value has bytes that are not printable ASCII: name it %s-bin", name, name)
			}
		}
		md[key] = values
	}
	return md, nil
}
