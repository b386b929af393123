package load

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"
)

// handshakeTime bounds how long a port may take to answer a TLS handshake that only
// asks whether it can.
const handshakeTime = 3 * time.Second

// plainToTLS returns an error for a request in plain text that failed because its port
// expects TLS, nil for any other. What such a port answers differs: status 400 (Go,
// nginx), a TLS alert, or nothing at all; so it is asked in TLS.
func (s *settings) plainToTLS(ctx context.Context, k *kind, cause string) error {
	within := map[string]string{"http": "https", schemeGRPC: schemeGRPCS}[k.url.Scheme]
	if within == "" || k.socket != "" || !mayBeTLS(cause) || !s.shakesHands(ctx, k) {
		return nil
	}
	cure := "use " + within + strings.TrimPrefix(k.shown, k.url.Scheme)
	if s.protocol == protoH2C {
		cure += " and --protocol h2"
	}
	return fmt.Errorf("port %s expects TLS and was asked in plain text: %s", port(k), cure)
}

// mayBeTLS reports whether a failure, as kind and place, is one of those that TLS
// servers have for plain text.
func mayBeTLS(cause string) bool {
	for _, sign := range []string{failStatus + " 400 ", failProtocol + " ", failReset + " ", failEOF + " "} {
		if strings.HasPrefix(cause, sign) {
			return true
		}
	}
	return false
}

// shakesHands reports whether TLS is spoken where a kind of request goes: the server
// agrees, or refuses by an alert.
func (s *settings) shakesHands(ctx context.Context, k *kind) bool {
	ctx, cancel := context.WithTimeout(ctx, min(s.timeout, handshakeTime))
	defer cancel()
	network, addr := k.address()
	c, err := s.dialer.dial(ctx, network, addr)
	if err != nil {
		return false
	}
	defer func() { _ = c.Close() }()
	t := tls.Client(c, &tls.Config{
		ServerName: k.url.Hostname(), NextProtos: []string{protoH2, protoHTTP1},
		InsecureSkipVerify: true, //nolint:gosec // nothing is sent
	})
	err = t.HandshakeContext(ctx)
	var alert *net.OpError // crypto/tls: "remote error: tls: …"
	return err == nil || errors.As(err, &alert) && alert.Op == "remote error"
}
