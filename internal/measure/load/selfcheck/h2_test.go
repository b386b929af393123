package selfcheck

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/types/known/emptypb"
	"google.golang.org/protobuf/types/known/wrapperspb"
)

// startServe runs Serve and returns its URL, without a slash at the end.
func startServe(t testing.TB, s Service) string {
	t.Helper()
	in, hold := io.Pipe()
	lines, out := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- Serve(context.Background(), s, in, out) }()
	buf := make([]byte, 100)
	n, err := lines.Read(buf)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		hold.Close()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return strings.TrimSuffix(strings.TrimSpace(string(buf[:n])), "/")
}

func overH2C(t testing.TB) *http.Client {
	transport := &http.Transport{Protocols: new(http.Protocols), MaxConnsPerHost: 1}
	transport.Protocols.SetUnencryptedHTTP2(true)
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport, Timeout: 20 * time.Second}
}

// TestH2AsNetHTTPAsks: net/http's client is answered, one request at a time and
// hundreds at a time, with bodies longer than any window.
func TestH2AsNetHTTPAsks(t *testing.T) {
	t.Parallel()
	url := startServe(t, Service{Work: 2 * time.Millisecond})
	client := overH2C(t)
	ask := func(method, path string, send io.Reader, want string) {
		r, err := http.NewRequestWithContext(t.Context(), method, url+path, send)
		if err != nil {
			t.Error(err)
			return
		}
		resp, err := client.Do(r)
		if err != nil {
			t.Error(err)
			return
		}
		defer resp.Body.Close()
		got, err := io.ReadAll(resp.Body)
		if err != nil || resp.StatusCode != 200 || resp.ProtoMajor != 2 || string(got) != want || resp.ContentLength != int64(len(body)) {
			t.Errorf("%s %s: %s %q, length %d, %v", method, path, resp.Status, got, resp.ContentLength, err)
		}
	}
	ask("GET", "/", nil, body)
	ask("HEAD", "/x", nil, "")
	ask("POST", "/", strings.NewReader(strings.Repeat("x", 3<<20)), body)
	var all sync.WaitGroup
	for range 400 { // more than may be open at a time
		all.Go(func() { ask("GET", "/many", nil, body) })
	}
	all.Wait()
	s, err := askStats(t.Context(), url+"/")
	if err != nil || s.N != 403 || s.P50 < 0.002 {
		t.Errorf("%+v, %v", s, err)
	}
}

// TestH2AsGRPCAsks: gRPC's client is answered, and reads the message.
func TestH2AsGRPCAsks(t *testing.T) {
	t.Parallel()
	url := startServe(t, Service{})
	client, err := grpc.NewClient("passthrough:///"+strings.TrimPrefix(url, "http://"), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close() })
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 100 {
				var got wrapperspb.StringValue
				if err := client.Invoke(ctx, "/unpark.Selfcheck/Ask", &emptypb.Empty{}, &got); err != nil || got.Value != body {
					t.Errorf("%q, %v", got.Value, err)
					return
				}
			}
		})
	}
	all.Wait()
	// A long message is read over, whatever the window.
	var got wrapperspb.StringValue
	if err := client.Invoke(ctx, "/unpark.Selfcheck/Ask", wrapperspb.String(strings.Repeat("x", 1<<20)), &got); err != nil {
		t.Error(err)
	}
}

// peer speaks HTTP/2 by hand with a server.
type peer struct {
	t      *testing.T
	conn   net.Conn
	framer *http2.Framer
	fields *hpack.Encoder
	block  bytes.Buffer
}

func newPeer(t *testing.T, s Service, settings ...http2.Setting) *peer {
	c, err := net.Dial("tcp", strings.TrimPrefix(startServe(t, s), "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	_ = c.SetDeadline(time.Now().Add(20 * time.Second))
	p := &peer{t: t, conn: c, framer: http2.NewFramer(c, c)}
	p.framer.ReadMetaHeaders = hpack.NewDecoder(4096, nil)
	p.fields = hpack.NewEncoder(&p.block)
	_, _ = io.WriteString(c, http2.ClientPreface)
	p.must(p.framer.WriteSettings(settings...))
	p.read("SETTINGS")
	p.read("SETTINGS") // the acknowledgement
	return p
}

func (p *peer) must(err error) {
	p.t.Helper()
	if err != nil {
		p.t.Fatal(err)
	}
}

// ask sends a request without a body.
func (p *peer) ask(stream uint32, names ...string) {
	p.t.Helper()
	if len(names) == 0 {
		names = []string{":method", "GET", ":scheme", "http", ":path", "/"}
	}
	p.block.Reset()
	for i := 0; i < len(names); i += 2 {
		p.must(p.fields.WriteField(hpack.HeaderField{Name: names[i], Value: names[i+1]}))
	}
	p.must(p.framer.WriteHeaders(http2.HeadersFrameParam{StreamID: stream, BlockFragment: p.block.Bytes(), EndHeaders: true, EndStream: true}))
}

// read returns the next frame, which must be of that type.
func (p *peer) read(kind string) http2.Frame {
	p.t.Helper()
	f, err := p.framer.ReadFrame()
	if err != nil {
		p.t.Fatalf("want %s: %v", kind, err)
	}
	if f.Header().Type.String() != kind {
		p.t.Fatalf("%v, want %s", f, kind)
	}
	return f
}

func (p *peer) answered(stream uint32) {
	p.t.Helper()
	if f := p.read("HEADERS").(*http2.MetaHeadersFrame); f.StreamID != stream || f.PseudoValue("status") != "200" {
		p.t.Errorf("%v, want stream %d", f, stream)
	}
	if f := p.read("DATA").(*http2.DataFrame); f.StreamID != stream || string(f.Data()) != body || !f.StreamEnded() {
		p.t.Errorf("%v %q", f, f.Data())
	}
}

// TestH2Window: an answer waits until the client has room for it, and does not
// hold up those of other streams.
func TestH2Window(t *testing.T) {
	t.Parallel()
	p := newPeer(t, Service{}, http2.Setting{ID: http2.SettingInitialWindowSize, Val: 2})
	p.ask(1)
	p.ask(3)
	p.must(p.framer.WritePing(false, [8]byte{7}))
	if f := p.read("PING").(*http2.PingFrame); !f.IsAck() || f.Data != [8]byte{7} { // no answer before it
		t.Errorf("%v", f)
	}
	p.must(p.framer.WriteWindowUpdate(3, 1))
	p.answered(3)
	p.must(p.framer.WriteWindowUpdate(3, 1)) // of a stream that has ended: nothing
	p.must(p.framer.WriteSettings(http2.Setting{ID: http2.SettingInitialWindowSize, Val: 1 << 20}))
	p.answered(1)
	p.read("SETTINGS")
	// The window of the connection is that of all streams.
	sent := 2
	for id := uint32(5); sent < defaultWindow/len(body); id += 2 {
		p.ask(id)
		p.answered(id)
		sent++
	}
	p.ask(99999)
	p.must(p.framer.WritePing(false, [8]byte{}))
	p.read("PING")
	p.must(p.framer.WriteWindowUpdate(0, 100))
	p.answered(99999)
}

// TestH2Cancel: a request that is withdrawn in a freeze is not answered, and the
// connection goes on meanwhile.
func TestH2Cancel(t *testing.T) {
	t.Parallel()
	p := newPeer(t, Service{Work: 300 * time.Millisecond})
	p.ask(1)
	p.ask(3)
	p.must(p.framer.WriteRSTStream(1, http2.ErrCodeCancel))
	p.must(p.framer.WritePing(false, [8]byte{}))
	p.read("PING")
	p.answered(3)
}

// TestH2Refusals: what breaks the protocol is told, and ends the stream or the
// connection.
func TestH2Refusals(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		send   func(*peer)
		stream http2.ErrCode
		end    http2.ErrCode // of the connection; 0: it goes on
	}{
		"no path":    {func(p *peer) { p.ask(1, ":method", "GET", ":scheme", "http") }, http2.ErrCodeProtocol, 0},
		"upper case": {func(p *peer) { p.ask(1, ":method", "GET", ":scheme", "http", ":path", "/", "X", "y") }, http2.ErrCodeProtocol, 0},
		"long header": {func(p *peer) {
			p.ask(1, ":method", "GET", ":scheme", "http", ":path", "/", "x", strings.Repeat("y", 1<<13))
		}, 0, 0},
		"even stream":       {func(p *peer) { p.ask(2) }, 0, http2.ErrCodeProtocol},
		"stream again":      {func(p *peer) { p.ask(5); p.answered(5); p.ask(3) }, 0, http2.ErrCodeStreamClosed},
		"data of no stream": {func(p *peer) { p.must(p.framer.WriteData(7, true, []byte("x"))) }, 0, http2.ErrCodeProtocol},
		"data after end":    {func(p *peer) { p.ask(1); p.answered(1); p.must(p.framer.WriteData(1, true, []byte("x"))) }, http2.ErrCodeStreamClosed, 0},
		"reset of none":     {func(p *peer) { p.must(p.framer.WriteRSTStream(9, http2.ErrCodeCancel)) }, 0, http2.ErrCodeProtocol},
		"window of none":    {func(p *peer) { p.must(p.framer.WriteWindowUpdate(9, 1)) }, 0, http2.ErrCodeProtocol},
		"window too large":  {func(p *peer) { p.must(p.framer.WriteWindowUpdate(0, 1<<31-1)) }, 0, http2.ErrCodeFlowControl},
		"odd settings": {func(p *peer) {
			p.must(p.framer.WriteSettings(http2.Setting{ID: http2.SettingInitialWindowSize, Val: 1 << 31}))
		}, 0, http2.ErrCodeFlowControl},
		"frame too long": {func(p *peer) { _, _ = p.conn.Write([]byte{0xff, 0, 0, 0, 0, 0, 0, 0, 1}) }, 0, http2.ErrCodeFrameSize},
		"push": {func(p *peer) {
			p.must(p.framer.WritePushPromise(http2.PushPromiseParam{StreamID: 1, PromiseID: 2, BlockFragment: []byte{0x82}, EndHeaders: true}))
		}, 0, http2.ErrCodeProtocol},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPeer(t, Service{})
			test.send(p)
			switch {
			case test.end != 0:
				if f := p.read("GOAWAY").(*http2.GoAwayFrame); f.ErrCode != test.end {
					t.Errorf("%v, want %v", f, test.end)
				}
				if _, err := p.framer.ReadFrame(); err == nil || errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("the connection goes on: %v", err)
				}
				return
			case test.stream != 0:
				if f := p.read("RST_STREAM").(*http2.RSTStreamFrame); f.ErrCode != test.stream {
					t.Errorf("%v, want %v", f, test.stream)
				}
			default:
				p.answered(1)
			}
			p.ask(11)
			p.answered(11)
		})
	}
}

// TestH2Crowd: more streams than were agreed on are refused, and may be tried again.
func TestH2Crowd(t *testing.T) {
	t.Parallel()
	p := newPeer(t, Service{Work: 500 * time.Millisecond})
	for i := range uint32(mostStreams + 1) {
		p.ask(2*i + 1)
	}
	if f := p.read("RST_STREAM").(*http2.RSTStreamFrame); f.ErrCode != http2.ErrCodeRefusedStream || f.StreamID != 2*mostStreams+1 {
		t.Errorf("%v", f)
	}
	for range mostStreams {
		p.read("HEADERS")
		p.read("DATA")
	}
}

func TestSplitterTells(t *testing.T) {
	t.Parallel()
	addr := strings.TrimPrefix(startServe(t, Service{}), "http://")
	for sent, want := range map[string]string{
		"GET / HTTP/1.0\r\n\r\n":           "HTTP/1.1 200 OK", // shorter than a preface
		"PRI * HTTP/2.0\r\n\r\nXX\r\n\r\n": "",
		"PRINT / HTTP/1.1\r\n\r\n\r\n\r\n": "",
	} {
		c, err := net.Dial("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		_ = c.SetDeadline(time.Now().Add(20 * time.Second))
		_, _ = io.WriteString(c, sent)
		got, err := io.ReadAll(c)
		if want == "" && len(got) > 0 || !strings.HasPrefix(string(got), want) {
			t.Errorf("%q: %q, %v", sent, got, err)
		}
		_ = c.Close()
	}
}

// memoryConn is a client that sends what it has and reads everything.
type memoryConn struct {
	net.Conn
	in  *bytes.Reader
	out bytes.Buffer
}

func (c *memoryConn) Read(b []byte) (int, error)  { return c.in.Read(b) }
func (c *memoryConn) Write(b []byte) (int, error) { return c.out.Write(b) }
func (c *memoryConn) Close() error                { return nil }

// FuzzH2: whatever a client sends, what it gets are frames.
func FuzzH2(f *testing.F) {
	var b bytes.Buffer
	w := http2.NewFramer(&b, nil)
	_ = w.WriteSettings(http2.Setting{ID: http2.SettingInitialWindowSize, Val: 100})
	f.Add(bytes.Clone(b.Bytes()))
	_ = w.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: []byte{0x82, 0x86, 0x84}, EndHeaders: true, EndStream: true})
	_ = w.WritePing(false, [8]byte{1})
	f.Add(bytes.Clone(b.Bytes()))
	_ = w.WriteHeaders(http2.HeadersFrameParam{StreamID: 3, BlockFragment: []byte{0x83, 0x86, 0x84}, EndHeaders: true})
	_ = w.WriteData(3, true, []byte("body"))
	_ = w.WriteWindowUpdate(0, 1<<20)
	_ = w.WriteRSTStream(3, http2.ErrCodeCancel)
	_ = w.WriteGoAway(3, http2.ErrCodeNo, nil)
	f.Add(bytes.Clone(b.Bytes()))
	answers, err := newH2Answers()
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, sent []byte) {
		c := &memoryConn{in: bytes.NewReader(sent)}
		newH2Conn(c, newBook(Service{}), &answers).serve()
		r := http2.NewFramer(nil, bytes.NewReader(c.out.Bytes()))
		r.ReadMetaHeaders = hpack.NewDecoder(0, nil)
		for {
			if _, err := r.ReadFrame(); errors.Is(err, io.EOF) {
				return
			} else if err != nil {
				t.Fatalf("%v after % x", err, c.out.Bytes())
			}
		}
	})
}
