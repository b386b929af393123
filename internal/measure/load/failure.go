package load

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/textproto"
	"strings"
	"syscall"

	"github.com/unpark-go/unpark/internal/measure/load/h1"
	"github.com/unpark-go/unpark/internal/measure/load/h2"
)

// The kinds of failure: keys of unpark.Load.ErrorKinds.
const (
	failRefused     = "refused"
	failTimeout     = "timeout"
	failReset       = "reset"
	failEOF         = "eof"
	failTLS         = "tls"
	failDNS         = "dns"
	failPorts       = "ports"       // of the generator's own making
	failDescriptors = "descriptors" // of the generator's own making
	failStatus      = "status"
	failProtocol    = "protocol"
	failOther       = "other"
)

// errTimeout is the cause of a request that was given up.
var errTimeout = errors.New("no answer in time")

// classify names the kind of an error.
func classify(err error) string {
	var dns *net.DNSError
	var timeout net.Error
	var own *h1.ProtocolError
	var own2 *h2.ProtocolError
	var reset *h2.StreamError
	var away *h2.GoAwayError
	switch {
	// Before all that looks at words: they quote the server's.
	case errors.As(err, &own), errors.As(err, &own2):
		return failProtocol
	case errors.As(err, &reset), errors.As(err, &away):
		return failReset
	// Before the general cases: the resolver's own timeouts are also net.Error.
	case errors.As(err, &dns):
		return failDNS
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		return failPorts
	case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
		return failDescriptors
	case errors.Is(err, syscall.ECONNREFUSED), errors.Is(err, syscall.ENOENT): // of a socket's path
		return failRefused
	case errors.Is(err, errTimeout), errors.Is(err, context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		return failTimeout
	case isTLS(err):
		return failTLS
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return failReset
	case isProtocol(err):
		return failProtocol
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), strings.Contains(err.Error(), "server closed"):
		return failEOF
	}
	return failOther
}

func isTLS(err error) bool {
	var alert tls.AlertError
	var record tls.RecordHeaderError
	var verify *tls.CertificateVerificationError
	var authority x509.UnknownAuthorityError
	var host x509.HostnameError
	return errors.As(err, &alert) || errors.As(err, &record) || errors.As(err, &verify) ||
		errors.As(err, &authority) || errors.As(err, &host) || strings.Contains(err.Error(), "tls: ")
}

// isProtocol recognises an answer that is not HTTP. net/http keeps most of these
// errors unexported (transfer.go, response.go, h2_bundle.go): their text is all
// there is.
func isProtocol(err error) bool {
	var text textproto.ProtocolError
	if errors.As(err, &text) || errors.Is(err, http.ErrSchemeMismatch) {
		return true
	}
	words := err.Error()
	for _, sign := range []string{"malformed", "http2: ", "PROTOCOL_ERROR", "stream error", "bad Content-Length", "invalid byte in chunk length", "unsupported protocol"} {
		if strings.Contains(words, sign) {
			return true
		}
	}
	return false
}

// unexpected says that an answer had a status which the plan does not accept.
func unexpected(k *kind, status int) string {
	want := "200–399"
	if len(k.expect) > 0 {
		want = strings.Trim(strings.ReplaceAll(fmt.Sprint(k.expect), " ", ", "), "[]")
	}
	return fmt.Sprintf("%s: status %d, expected %s", k.name(), status, want)
}
