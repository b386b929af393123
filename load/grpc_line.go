package load

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/connectivity"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/unpark-go/unpark/load/direct"
)

const (
	// maxAnswer is how long one message of an answer may be. gRPC says so with this
	// number in the words, which is one that no server has as a limit of its own.
	maxAnswer = 64<<20 - 1
	// grpcWindow is how much a server may send before we acknowledge it. With a
	// window of its own gRPC sends no ping after each answer to find a better one.
	grpcWindow = 1 << 20
	grpcBuffer = 16 << 10
)

// errSpent is why gRPC may not dial again.
var errSpent = errors.New("this connection was opened once already")

// grpcPeer is where calls go, and the line there while there is one.
type grpcPeer struct {
	addr      string // host:port
	authority string // empty: by addr
	agent     string
	secure    bool
	trusted   bool // its certificate proves nothing: all is on this machine
	line      *grpcLine
}

func newGRPCPeer(k *kind, s *settings) grpcPeer {
	return grpcPeer{
		addr: k.url.Host, authority: k.host, agent: k.rpc.agent,
		secure: k.url.Scheme == schemeGRPCS, trusted: onlyLoopback(s.kinds),
	}
}

func (p *grpcPeer) drop() {
	if p.line != nil {
		p.line.close()
		p.line = nil
	}
}

// grpcLine is a ClientConn that dials once: when its connection is gone, so is
// the line. gRPC would dial again by a schedule of its own and hide refusals
// behind it. It notes what gRPC's errors do not tell.
type grpcLine struct {
	client  *grpc.ClientConn
	clock   *clock
	secrets *tls.Config // nil: plain text
	spent   atomic.Bool // it has dialled

	// Of the call in hand.
	written atomic.Int64  // when its headers were handed to the kernel
	begun   atomic.Uint32 // its stream; 0: its headers were not written
	ended   atomic.Uint32 // the last stream that the server has ended with headers

	mu    sync.Mutex
	raw   net.Conn
	fault error // the first one of the connection
	gone  bool
}

var _ credentials.TransportCredentials = lineCredentials{}

func newGRPCLine(p *grpcPeer, c *clock) (*grpcLine, error) {
	l := &grpcLine{clock: c}
	var creds credentials.TransportCredentials = insecure.NewCredentials()
	if p.secure {
		host, _, _ := net.SplitHostPort(p.addr)
		l.secrets = &tls.Config{ServerName: host, NextProtos: []string{"h2"}, InsecureSkipVerify: p.trusted} //nolint:gosec // see loopback
		creds = lineCredentials{l}
	}
	options := []grpc.DialOption{
		grpc.WithTransportCredentials(creds), grpc.WithContextDialer(l.dial),
		grpc.WithUserAgent(p.agent), grpc.WithNoProxy(), grpc.WithDisableServiceConfig(), grpc.WithDisableHealthCheck(),
		grpc.WithDisableRetry(), grpc.WithIdleTimeout(0), grpc.WithReadBufferSize(grpcBuffer),
		grpc.WithStaticStreamWindowSize(grpcWindow), grpc.WithStaticConnWindowSize(grpcWindow),
		// The deadline of a call is its timeout, which the context brings.
		grpc.WithConnectParams(grpc.ConnectParams{Backoff: backoff.DefaultConfig, MinConnectTimeout: 24 * time.Hour}),
		grpc.WithDefaultCallOptions(grpc.ForceCodecV2(rawCodec{}), grpc.MaxCallRecvMsgSize(maxAnswer)),
	}
	if p.authority != "" {
		options = append(options, grpc.WithAuthority(p.authority))
	}
	var err error
	if l.client, err = grpc.NewClient("passthrough:///"+p.addr, options...); err != nil {
		return nil, err
	}
	return l, nil
}

// open connects, and waits until that succeeded or failed. An error means that
// ctx ended before.
func (l *grpcLine) open(ctx context.Context) error {
	l.client.Connect()
	for {
		switch state := l.client.GetState(); state {
		case connectivity.Ready, connectivity.TransientFailure:
			return nil
		default:
			if !l.client.WaitForStateChange(ctx, state) {
				return ctx.Err()
			}
		}
	}
}

func (l *grpcLine) dial(ctx context.Context, addr string) (net.Conn, error) {
	if l.spent.Swap(true) {
		return nil, errSpent
	}
	d := net.Dialer{KeepAlive: -1} // as for httpLink
	c, err := d.DialContext(ctx, "tcp", addr)
	if err != nil {
		l.note(err)
		return nil, err
	}
	c = direct.Conn(c)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.gone {
		_ = c.Close()
		return nil, net.ErrClosed
	}
	l.raw = c
	if l.secrets != nil {
		return c, nil // lineCredentials do the rest
	}
	return newLineConn(c, l), nil
}

// close closes the connection below gRPC first: saying goodbye could block.
func (l *grpcLine) close() {
	l.mu.Lock()
	l.gone = true
	if l.raw != nil {
		_ = l.raw.Close()
	}
	l.mu.Unlock()
	_ = l.client.Close()
}

// forget prepares for a call.
func (l *grpcLine) forget() {
	l.written.Store(0)
	l.begun.Store(0)
}

// answered reports whether the server has ended the call: with headers, in which
// a gRPC server says the status.
func (l *grpcLine) answered() bool {
	stream := l.begun.Load()
	return stream > 0 && l.ended.Load() == stream
}

// unseen reports whether the server has not seen a call that failed: gRPC wanted
// another connection for it.
func (l *grpcLine) unseen(err error) bool { return strings.Contains(err.Error(), errSpent.Error()) }

// note keeps the first fault of the connection. That gRPC or we closed it is none.
func (l *grpcLine) note(err error) {
	if errors.Is(err, net.ErrClosed) || errors.Is(err, os.ErrDeadlineExceeded) || errors.Is(err, context.Canceled) {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.fault == nil {
		l.fault = err
	}
}

func (l *grpcLine) noted() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.fault
}

// lineCredentials shake hands for TLS and note why it failed, which gRPC tells in
// words alone.
type lineCredentials struct{ line *grpcLine }

// ClientHandshake agrees on h2, as gRPC demands.
func (c lineCredentials) ClientHandshake(ctx context.Context, _ string, raw net.Conn) (net.Conn, credentials.AuthInfo, error) {
	conn := tls.Client(raw, c.line.secrets)
	err := conn.HandshakeContext(ctx)
	if state := conn.ConnectionState(); err == nil && state.NegotiatedProtocol != "h2" {
		err = fmt.Errorf("tls: the server agreed to no h2, which gRPC needs (ALPN %q)", state.NegotiatedProtocol)
	}
	if err != nil {
		c.line.note(err)
		return nil, nil, err
	}
	return newLineConn(conn, c.line), credentials.TLSInfo{
		State:          conn.ConnectionState(),
		CommonAuthInfo: credentials.CommonAuthInfo{SecurityLevel: credentials.PrivacyAndIntegrity},
	}, nil
}

// ServerHandshake is not for clients.
func (lineCredentials) ServerHandshake(net.Conn) (net.Conn, credentials.AuthInfo, error) {
	return nil, nil, errors.ErrUnsupported
}

// Info says that this is TLS.
func (lineCredentials) Info() credentials.ProtocolInfo {
	return credentials.ProtocolInfo{SecurityProtocol: "tls"}
}

// Clone shares the line, which is what it is for.
func (c lineCredentials) Clone() credentials.TransportCredentials { return c }

// OverrideServerName is not supported.
func (lineCredentials) OverrideServerName(string) error { return errors.ErrUnsupported }
