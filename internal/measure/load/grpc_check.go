package load

import (
	"context"
	"fmt"
	"hash/maphash"
	"strings"
	"time"
)

// checkGRPC is Check of a plan over gRPC: it makes one call of each kind.
func checkGRPC(ctx context.Context, s *settings) []error {
	s.timeout = min(s.timeout, checkTimeout)
	x, err := newH2Link(ctx, s, &clock{base: time.Now()}, maphash.MakeSeed())
	if err != nil {
		return []error{err}
	}
	defer x.close()
	var found []error
	seen := map[string]bool{}
	for i := range s.kinds {
		k := &s.kinds[i]
		o := x.exchange(i, false)
		if ctx.Err() != nil {
			return append(found, fmt.Errorf("load: check %s: %w", k.name(), ctx.Err()))
		}
		cause, err := o.err+" "+k.place(), o.detail
		switch {
		case o.status > 0 && k.accepts(o.status):
			continue
		case o.status > 0:
			cause = fmt.Sprint(failStatus, " ", o.status, " ", k.place(), k.url.Path)
			err = fmt.Errorf("%s: %w; %s", unexpected(k, o.status), o.detail, codeCure(k, o))
		default:
			err = fmt.Errorf("%w; %s", err, cureForCall(o.err, k))
		}
		if !seen[cause] {
			seen[cause] = true
			if why := s.plainToTLS(ctx, k, cause); why != nil {
				err = why
			}
			found = append(found, fmt.Errorf("load: check %s: %w", k.name(), err))
		}
	}
	return found
}

// codeCure says what to do about a status that was not expected.
func codeCure(k *kind, o outcome) string {
	accept := fmt.Sprintf(", or accept the status with --expect %d", o.status)
	switch {
	case o.status == 200:
		return "the call succeeded: look at what the plan expects" + accept
	case strings.HasPrefix(o.detail.Error(), "gRPC UNIMPLEMENTED"):
		return "the server has no such method: check the name " + strings.TrimPrefix(k.rpc.path, "/") + accept
	case o.status >= 500:
		return "the target fails: look at its log" + accept
	}
	return "check method, metadata and message" + accept
}

// cureForCall says what to do about a failure.
func cureForCall(kind string, k *kind) string {
	switch kind {
	case failProtocol:
		return "the answer is not gRPC: check port " + port(k) + ", and whether the service is behind grpc:// or grpcs://"
	case failReset, failEOF:
		return "the target closed the connection without an answer: look at its log; is port " + port(k) + " the one of gRPC, and does it expect TLS (grpcs://)?"
	case failTLS:
		return "TLS failed: does port " + port(k) + " serve gRPC within TLS, and is the certificate valid? it is verified unless the host is loopback; without TLS write grpc://"
	}
	return cureFor(kind, k)
}
