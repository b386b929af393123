package main

import (
	"context"
	"errors"
	"net/url"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/load/proto"
)

func overGRPC(u *url.URL) bool { return u.Scheme == "grpc" || u.Scheme == "grpcs" }

// call makes a request of gRPC from a method and messages in JSON. Where no flag
// names descriptors, the server is asked for them.
func (l *loadFlags) call(ctx context.Context, u *url.URL, messages []byte, header map[string][]string) (unpark.Request, error) {
	server := u.Scheme + "://" + u.Host
	source := proto.Source{Protoset: l.protoset, Proto: l.protos, ImportPaths: l.protoPaths}
	if l.protoset == "" && len(l.protos) == 0 {
		if err := newGuard(l.mayLoad).check(ctx, []unpark.Request{{URL: server}}); err != nil {
			return unpark.Request{}, err
		}
		source.Reflect, source.Header = server, header
	}
	e, err := proto.Open(ctx, source)
	if ctx.Err() != nil {
		return unpark.Request{}, errors.New("interrupted while the descriptors were read")
	}
	if err != nil {
		return unpark.Request{}, err
	}
	c, err := e.Encode(strings.TrimPrefix(u.Path, "/"), messages)
	if err != nil {
		return unpark.Request{}, usage("--url %s: %w", u.Redacted(), err)
	}
	return c.Request(server), nil
}
