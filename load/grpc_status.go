package load

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	grpccodes "google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// grpcCode is a code of gRPC with the HTTP status that stands for it in results.
type grpcCode struct {
	name   string
	status int
}

// codeOf returns the name and the HTTP status of a code, by the comments of
// google/rpc/code.proto.
func codeOf(c grpccodes.Code) grpcCode {
	known := [...]grpcCode{
		grpccodes.OK:                 {"OK", http.StatusOK},
		grpccodes.Canceled:           {"CANCELLED", 499},
		grpccodes.Unknown:            {"UNKNOWN", http.StatusInternalServerError},
		grpccodes.InvalidArgument:    {"INVALID_ARGUMENT", http.StatusBadRequest},
		grpccodes.DeadlineExceeded:   {"DEADLINE_EXCEEDED", http.StatusGatewayTimeout},
		grpccodes.NotFound:           {"NOT_FOUND", http.StatusNotFound},
		grpccodes.AlreadyExists:      {"ALREADY_EXISTS", http.StatusConflict},
		grpccodes.PermissionDenied:   {"PERMISSION_DENIED", http.StatusForbidden},
		grpccodes.ResourceExhausted:  {"RESOURCE_EXHAUSTED", http.StatusTooManyRequests},
		grpccodes.FailedPrecondition: {"FAILED_PRECONDITION", http.StatusBadRequest},
		grpccodes.Aborted:            {"ABORTED", http.StatusConflict},
		grpccodes.OutOfRange:         {"OUT_OF_RANGE", http.StatusBadRequest},
		grpccodes.Unimplemented:      {"UNIMPLEMENTED", http.StatusNotImplemented},
		grpccodes.Internal:           {"INTERNAL", http.StatusInternalServerError},
		grpccodes.Unavailable:        {"UNAVAILABLE", http.StatusServiceUnavailable},
		grpccodes.DataLoss:           {"DATA_LOSS", http.StatusInternalServerError},
		grpccodes.Unauthenticated:    {"UNAUTHENTICATED", http.StatusUnauthorized},
	}
	if int(c) < len(known) {
		return known[c]
	}
	return grpcCode{"code " + strconv.Itoa(int(c)), http.StatusInternalServerError}
}

// answered returns the HTTP status for the one that the server ended a call with,
// and what it said when that is not OK. It returns 0 when there was no whole
// answer.
func answered(l *grpcLine, err error) (int, error) {
	if err == nil {
		return http.StatusOK, nil
	}
	st, ok := status.FromError(err)
	if !ok || l == nil || !l.answered() || ours(st) {
		return 0, nil
	}
	code := codeOf(st.Code())
	words := "gRPC " + code.name
	if m := st.Message(); m != "" {
		words += " " + strconv.QuoteToASCII(m[:min(len(m), excerpt)])
	}
	return code.status, errors.New(words)
}

// ours recognises a complaint of the gRPC library about an answer that was ended
// by the server (rpc_util.go, stream.go and internal/transport/http2_client.go
// there): it is none of gRPC, is compressed though nobody asked for that, has one
// message too many or too few, or one that is too long, where the number tells our
// limit from the server's.
func ours(st *status.Status) bool {
	m := st.Message()
	for _, sign := range []string{
		"unexpected HTTP status code received from server", "malformed header: missing HTTP", "received unexpected content-type",
		"transport: malformed ", "protocol error: informational header", "peer header list size exceeded",
		"grpc: compressed flag set with", "grpc: Decompressor is not installed", "grpc: received unexpected payload",
		"expected <EOF> for non server-streaming", "received no response message from non-server-streaming",
	} {
		if strings.Contains(m, sign) {
			return true
		}
	}
	return strings.HasPrefix(m, "grpc: received message") && strings.HasSuffix(m, fmt.Sprintf("vs. %d)", maxAnswer))
}

// grpcFailure names the kind of failure of a call that has no status. What the
// connection suffered comes first: gRPC tells it in words alone.
func grpcFailure(l *grpcLine, err error) (string, error) {
	if l != nil {
		switch fault := l.noted(); {
		case errors.Is(fault, io.EOF):
			return failEOF, fmt.Errorf("the server closed the connection: %w", fault)
		case fault != nil:
			return classify(fault), fault
		}
	}
	st := status.Convert(err)
	detail := errors.New(st.Message())
	switch m := st.Message(); {
	case strings.Contains(m, "RST_STREAM"), strings.Contains(m, "goaway"):
		return failReset, detail
	case st.Code() == grpccodes.Unavailable && !strings.Contains(m, "HTTP status code"):
		return classify(detail), detail
	}
	return failProtocol, detail
}
