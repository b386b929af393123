package load

import (
	"crypto/tls"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
)

// TestPlainToTLS: a TLS port that is asked in plain text answers with status 400, with
// an alert or not at all; the cure is the same. A server of plain HTTP that answers
// with the same is none.
func TestPlainToTLS(t *testing.T) {
	secure := httptest.NewUnstartedServer(http.HandlerFunc(hello))
	secure.EnableHTTP2 = true
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	secure.StartTLS()
	t.Cleanup(secure.Close)
	own := secure.TLS.Clone()
	// What OpenSSL does with a record of another sort: an alert, and the end.
	alerting := listen(t, func(c net.Conn) { shake(c, own, "\x15\x03\x01\x00\x02\x02\x46") })
	silent := listen(t, func(c net.Conn) { shake(c, own, "") })
	strict := own.Clone()
	strict.ClientAuth, strict.MaxVersion = tls.RequireAnyClientCert, tls.VersionTLS12
	refusing := listen(t, func(c net.Conn) { shake(c, strict, "") })
	bad := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "Client sent an HTTP request", http.StatusBadRequest)
	})
	for name, c := range map[string]struct {
		address, protocol string
		cure              string
	}{
		"go":            {"http://" + secure.Listener.Addr().String() + "/a?k=s3cret", "", "use https://" + secure.Listener.Addr().String() + "/a?k=xxxxx"},
		"go, h2c":       {"http://" + secure.Listener.Addr().String() + "/", protoH2C, "/ and --protocol h2"},
		"alert":         {"http://" + alerting + "/", "", "use https://" + alerting + "/"},
		"no word":       {"http://" + silent + "/", "", "use https://" + silent + "/"},
		"client's cert": {"http://" + refusing + "/", "", "use https://" + refusing + "/"},
		"gRPC":          {"grpc://" + secure.Listener.Addr().String() + "/a.B/C", "", "use grpcs://" + secure.Listener.Addr().String() + "/a.B/C"},
		"plain, 400":    {bad + "/", "", ""},
		"plain, reset":  {"http://" + listen(t, func(net.Conn) {}) + "/", "", ""},
		"plain, noise":  {"http://" + listen(t, reply("220 mail\r\n")) + "/", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			plan := closed(1, unpark.Request{URL: c.address})
			if plan.Protocol = c.protocol; strings.HasPrefix(c.address, "grpc") {
				plan.Requests[0].Body = []byte{0, 0, 0, 0, 0}
			}
			err := Check(t.Context(), plan)
			if err == nil || strings.Contains(err.Error(), "expects TLS and was asked") != (c.cure != "") || !strings.HasSuffix(err.Error(), c.cure) {
				t.Errorf("%v, want %q", err, c.cure)
			}
		})
	}
}

// shake serves one handshake of TLS, or says something else to what is none.
func shake(c net.Conn, config *tls.Config, otherwise string) {
	var first [1]byte
	if _, err := io.ReadFull(c, first[:]); err != nil {
		return
	}
	if first[0] != 0x16 { // no handshake
		readRequest(c)
		_, _ = io.WriteString(c, otherwise)
		return
	}
	_ = tls.Server(&begun{c, first[:]}, config).Handshake()
}

// begun is a connection of which something was read.
type begun struct {
	net.Conn
	rest []byte
}

func (b *begun) Read(p []byte) (int, error) {
	if len(b.rest) > 0 {
		n := copy(p, b.rest)
		b.rest = b.rest[n:]
		return n, nil
	}
	return b.Conn.Read(p)
}
