package load

import (
	"net/http"
	"strconv"
)

// grpcCode is a code of gRPC with the HTTP status that stands for it in results.
type grpcCode struct {
	name   string
	status int
}

// codeOf returns the name and the HTTP status of a code, by the comments of
// google/rpc/code.proto.
func codeOf(code uint64) grpcCode {
	known := [...]grpcCode{
		0:  {"OK", http.StatusOK},
		1:  {"CANCELLED", 499},
		2:  {"UNKNOWN", http.StatusInternalServerError},
		3:  {"INVALID_ARGUMENT", http.StatusBadRequest},
		4:  {"DEADLINE_EXCEEDED", http.StatusGatewayTimeout},
		5:  {"NOT_FOUND", http.StatusNotFound},
		6:  {"ALREADY_EXISTS", http.StatusConflict},
		7:  {"PERMISSION_DENIED", http.StatusForbidden},
		8:  {"RESOURCE_EXHAUSTED", http.StatusTooManyRequests},
		9:  {"FAILED_PRECONDITION", http.StatusBadRequest},
		10: {"ABORTED", http.StatusConflict},
		11: {"OUT_OF_RANGE", http.StatusBadRequest},
		12: {"UNIMPLEMENTED", http.StatusNotImplemented},
		13: {"INTERNAL", http.StatusInternalServerError},
		14: {"UNAVAILABLE", http.StatusServiceUnavailable},
		15: {"DATA_LOSS", http.StatusInternalServerError},
		16: {"UNAUTHENTICATED", http.StatusUnauthorized},
	}
	if code < uint64(len(known)) {
		return known[code]
	}
	return grpcCode{"code " + strconv.FormatUint(code, 10), http.StatusInternalServerError}
}
