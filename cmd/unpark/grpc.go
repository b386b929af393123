package main

import (
	"context"
	"errors"
	"net/url"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/load"
	"github.com/unpark-go/unpark/internal/measure/load/proto"
)

func overGRPC(u *url.URL) bool { return u.Scheme == "grpc" || u.Scheme == "grpcs" }

// asLate defers the question for descriptors until a service that is to be started answers.
func (l *loadFlags) asLate(prepare func(context.Context, string, unpark.Plan) (unpark.Plan, error)) func(context.Context, string, unpark.Plan) (unpark.Plan, error) {
	if !l.unasked {
		return prepare
	}
	return func(ctx context.Context, base string, plan unpark.Plan) (unpark.Plan, error) {
		l.unstarted = false
		asked, err := l.requests(ctx)
		if err != nil {
			return plan, err
		}
		plan.Requests = asked
		if prepare == nil {
			return plan, nil
		}
		return prepare(ctx, base, plan)
	}
}

// call makes a request of gRPC from a method and messages in JSON. Where no flag
// names descriptors, the server is asked for them.
func (l *loadFlags) call(ctx context.Context, u *url.URL, messages []byte, header map[string][]string) (unpark.Request, error) {
	server := u.Scheme + "://" + u.Host
	if l.unstarted && l.protoset == "" && len(l.protos) == 0 {
		l.unasked = true
		return unpark.Request{Method: "POST", URL: u.String()}, nil
	}
	source := proto.Source{Protoset: l.protoset, Proto: l.protos, ImportPaths: l.protoPaths}
	if l.protoset == "" && len(l.protos) == 0 {
		plan := unpark.Plan{Requests: []unpark.Request{{URL: server}}}
		if err := newGuard(l.mayLoad).admit(ctx, &plan); err != nil {
			return unpark.Request{}, err
		}
		source.Reflect, source.Header, source.Dial = server, header, load.Dial(plan)
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
		return unpark.Request{}, usage("--url %s: %w", unpark.RedactURL(u.String()), err)
	}
	return c.Request(server), nil
}
