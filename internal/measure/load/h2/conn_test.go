package h2

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

// script is what a server sends.
type script struct {
	*http2.Framer
	bytes  bytes.Buffer
	block  bytes.Buffer
	fields *hpack.Encoder
}

func newScript() *script {
	s := &script{}
	s.Framer = http2.NewFramer(&s.bytes, nil)
	s.AllowIllegalWrites = true
	s.fields = hpack.NewEncoder(&s.block)
	return s
}

// header encodes fields: name, value, name, value …
func (s *script) header(fields ...string) []byte {
	s.block.Reset()
	for i := 0; i < len(fields); i += 2 {
		_ = s.fields.WriteField(hpack.HeaderField{Name: fields[i], Value: fields[i+1]})
	}
	return bytes.Clone(s.block.Bytes())
}

func (s *script) headers(stream uint32, end bool, fields ...string) {
	_ = s.WriteHeaders(http2.HeadersFrameParam{StreamID: stream, BlockFragment: s.header(fields...), EndHeaders: true, EndStream: end})
}

// greeted is a server whose settings came.
func greeted() *script {
	s := newScript()
	_ = s.WriteSettings()
	return s
}

var get = Request{Fields: []hpack.HeaderField{{Name: ":method", Value: "GET"}, {Name: ":scheme", Value: "http"}, {Name: ":path", Value: "/"}, {Name: ":authority", Value: "h"}}}

// opened is a connection with a request on it.
func opened(r *Request) *Conn {
	c := &Conn{}
	c.Open()
	c.Ask(r)
	return c
}

// feed hands over the bytes in parts of a size.
func feed(c *Conn, b []byte, size int) (done bool, err error) {
	for len(b) > 0 && err == nil {
		n := min(size, len(b))
		var over bool
		over, err = c.Feed(b[:n])
		done = done || over
		b = b[n:]
	}
	return done, err
}

// TestAnswers: whatever the shape of the answer and however it is cut, it is read to
// its end and no further.
func TestAnswers(t *testing.T) {
	long := strings.Repeat("x", 3000)
	for name, tt := range map[string]struct {
		head   bool
		send   func(*script)
		status int
		body   string
	}{
		"header alone": {false, func(s *script) { s.headers(1, true, ":status", "204") }, 204, ""},
		"body": {false, func(s *script) {
			s.headers(1, false, ":status", "200", "content-length", "3000")
			_ = s.WriteData(1, false, []byte(long[:1000]))
			_ = s.WriteData(1, true, []byte(long[1000:]))
		}, 200, long},
		"empty DATA at the end": {false, func(s *script) {
			s.headers(1, false, ":status", "200")
			_ = s.WriteData(1, false, []byte("abc"))
			_ = s.WriteData(1, true, nil)
		}, 200, "abc"},
		"padding": {false, func(s *script) {
			_ = s.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: s.header(":status", "200", "content-length", "5"), EndHeaders: true, PadLength: 9, Priority: http2.PriorityParam{Weight: 3, StreamDep: 5}})
			_ = s.WriteDataPadded(1, true, []byte("hello"), make([]byte, 200))
		}, 200, "hello"},
		"padding alone": {false, func(s *script) {
			s.headers(1, false, ":status", "200")
			_ = s.WriteDataPadded(1, true, nil, make([]byte, 7))
		}, 200, ""},
		"trailer": {false, func(s *script) {
			s.headers(1, false, ":status", "200", "trailer", "x")
			_ = s.WriteData(1, false, []byte("abc"))
			s.headers(1, true, "x", "y", "grpc-status", "0")
		}, 200, "abc"},
		"continuations": {false, func(s *script) {
			block := s.header(":status", "200", "x-long", long, "content-length", "0")
			_ = s.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: block[:5], EndStream: true})
			_ = s.WriteContinuation(1, false, block[5:6])
			_ = s.WriteContinuation(1, true, block[6:])
		}, 200, ""},
		"hints": {false, func(s *script) {
			s.headers(1, false, ":status", "103", "link", "</a>")
			s.headers(1, false, ":status", "100")
			s.headers(1, true, ":status", "200")
		}, 200, ""},
		"HEAD":              {true, func(s *script) { s.headers(1, true, ":status", "200", "content-length", "77") }, 200, ""},
		"304 with a length": {false, func(s *script) { s.headers(1, true, ":status", "304", "content-length", "77") }, 304, ""},
		"among others": {false, func(s *script) {
			_ = s.WritePing(false, [8]byte{1})
			_ = s.WriteSettings(http2.Setting{ID: http2.SettingMaxConcurrentStreams, Val: 7}, http2.Setting{ID: 0x99, Val: 1})
			_ = s.WriteRawFrame(0x77, 0, 1, []byte("unknown types are ignored"))
			s.headers(1, false, ":status", "200")
			_ = s.WriteWindowUpdate(0, 5)
			_ = s.WritePriority(1, http2.PriorityParam{StreamDep: 3})
			_ = s.WriteData(1, true, []byte("ok"))
			_ = s.WriteRSTStream(1, http2.ErrCodeNo) // the answer was whole
			_ = s.WriteGoAway(1, http2.ErrCodeNo, nil)
		}, 200, "ok"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, size := range []int{1, 2, 7, 10, 100, 1 << 20} {
				s := greeted()
				tt.send(s)
				c := opened(&Request{Fields: get.Fields, Head: tt.head})
				var body []byte
				c.SetSink(func(b []byte) { body = append(body, b...) })
				done, err := feed(c, s.bytes.Bytes(), size)
				if !done || err != nil || c.Answer().Status != tt.status || string(body) != tt.body || c.Answer().Body != int64(len(tt.body)) {
					t.Errorf("by %d bytes: done %v, %v, %+v, body of %d bytes", size, done, err, c.Answer(), len(body))
				}
				if !c.Answer().Started || c.Answer().Unseen || c.Fit() != (name != "among others") || c.Close() != nil {
					t.Errorf("by %d bytes: started %v, unseen %v, fit %v", size, c.Answer().Started, c.Answer().Unseen, c.Fit())
				}
			}
		})
	}
}

// TestFaults: what leaves an answer uncertain, or breaks the protocol, is an error
// that says so.
func TestFaults(t *testing.T) {
	ok := []string{":status", "200"}
	for name, tt := range map[string]struct {
		send func(*script)
		want string
	}{
		"longer than declared": {func(s *script) {
			s.headers(1, false, ":status", "200", "content-length", "2")
			_ = s.WriteData(1, true, []byte("abc"))
		}, "bad Content-Length: a body of more than the 2 bytes"},
		"shorter than declared": {func(s *script) {
			s.headers(1, false, ":status", "200", "content-length", "5")
			_ = s.WriteData(1, true, []byte("abc"))
		}, "bad Content-Length: a body of 3 bytes, 5 were declared"},
		"nothing of what was declared": {func(s *script) { s.headers(1, true, ":status", "200", "content-length", "5") }, "a body of 0 bytes"},
		"two lengths":                  {func(s *script) { s.headers(1, true, ":status", "200", "content-length", "5", "content-length", "6") }, "bad Content-Length"},
		"odd length":                   {func(s *script) { s.headers(1, true, ":status", "200", "content-length", "+5") }, "bad Content-Length"},
		"DATA before a header":         {func(s *script) { _ = s.WriteData(1, true, []byte("abc")) }, "DATA before a header"},
		"second header":                {func(s *script) { s.headers(1, false, ok...); s.headers(1, false, "a", "b") }, "a second header"},
		"no status":                    {func(s *script) { s.headers(1, true, "a", "b") }, "no :status"},
		"status late":                  {func(s *script) { s.headers(1, true, "a", "b", ":status", "200") }, "pseudo field"},
		"status twice":                 {func(s *script) { s.headers(1, true, ":status", "200", ":status", "200") }, "pseudo field"},
		"status odd":                   {func(s *script) { s.headers(1, true, ":status", "2e2") }, "pseudo field"},
		"status short":                 {func(s *script) { s.headers(1, true, ":status", "99") }, "pseudo field"},
		"pseudo in trailer":            {func(s *script) { s.headers(1, false, ok...); s.headers(1, true, ":status", "200") }, "pseudo field"},
		"request field":                {func(s *script) { s.headers(1, true, ":path", "/", ":status", "200") }, `pseudo field ":path"`},
		"upper case":                   {func(s *script) { s.headers(1, true, ":status", "200", "X-A", "b") }, `field name "X-A"`},
		"connection":                   {func(s *script) { s.headers(1, true, ":status", "200", "connection", "close") }, "field connection"},
		"ends with hints":              {func(s *script) { s.headers(1, true, ":status", "103") }, "ends with status 103"},
		"body to HEAD": {func(s *script) {
			s.headers(1, false, ok...)
			_ = s.WriteData(1, true, []byte("abc"))
		}, ""},
		"even stream":   {func(s *script) { s.headers(2, true, ok...) }, "HEADERS on stream 2"},
		"later stream":  {func(s *script) { s.headers(3, true, ok...) }, "HEADERS on stream 3"},
		"DATA on none":  {func(s *script) { _ = s.WriteData(0, true, []byte("abc")) }, "DATA on stream 0"},
		"reset of none": {func(s *script) { _ = s.WriteRSTStream(7, http2.ErrCodeNo) }, "RST_STREAM on stream 7"},
		"push": {func(s *script) {
			_ = s.WritePushPromise(http2.PushPromiseParam{StreamID: 1, PromiseID: 2, EndHeaders: true})
		}, "a push"},
		"window 0":              {func(s *script) { _ = s.WriteWindowUpdate(1, 0) }, "by nothing"},
		"window of a stream":    {func(s *script) { _ = s.WriteWindowUpdate(1, 1<<31-1) }, "2^31"},
		"window of all":         {func(s *script) { _ = s.WriteWindowUpdate(0, 1<<31-1) }, "2^31"},
		"window of none":        {func(s *script) { _ = s.WriteWindowUpdate(9, 1) }, "WINDOW_UPDATE on stream 9"},
		"window short":          {func(s *script) { _ = s.WriteRawFrame(http2.FrameWindowUpdate, 0, 0, []byte{1}) }, "WINDOW_UPDATE of 1 bytes"},
		"settings odd":          {func(s *script) { _ = s.WriteRawFrame(http2.FrameSettings, 0, 0, make([]byte, 7)) }, "SETTINGS"},
		"settings of a stream":  {func(s *script) { _ = s.WriteRawFrame(http2.FrameSettings, 0, 1, nil) }, "SETTINGS on stream 1"},
		"settings with a value": {func(s *script) { _ = s.WriteSettings(http2.Setting{ID: http2.SettingMaxFrameSize, Val: 1}) }, "MAX_FRAME_SIZE"},
		"ping short":            {func(s *script) { _ = s.WriteRawFrame(http2.FramePing, 0, 0, []byte("1234")) }, "PING"},
		"goaway short":          {func(s *script) { _ = s.WriteRawFrame(http2.FrameGoAway, 0, 0, []byte("1234")) }, "GOAWAY"},
		"frame too long":        {func(s *script) { _ = s.WriteRawFrame(0x77, 0, 0, make([]byte, maxFrame+1)) }, "more than the 16384"},
		"in the middle": {func(s *script) {
			_ = s.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: s.header(ok...)})
			_ = s.WritePing(false, [8]byte{})
		}, "in the middle of a header"},
		"continuation of another": {func(s *script) {
			_ = s.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: s.header(ok...)})
			_ = s.WriteContinuation(3, true, nil)
		}, "in the middle of a header"},
		"continuation of none": {func(s *script) { _ = s.WriteContinuation(1, true, nil) }, "without a header"},
		"padding too long": {func(s *script) {
			s.headers(1, false, ok...)
			_ = s.WriteRawFrame(http2.FrameData, http2.FlagDataPadded, 1, []byte{9, 1, 2})
		}, "more padding"},
		"padding without length": {func(s *script) {
			s.headers(1, false, ok...)
			_ = s.WriteRawFrame(http2.FrameData, http2.FlagDataPadded, 1, nil)
		}, "without a length"},
		"padded HEADERS": {func(s *script) { _ = s.WriteRawFrame(http2.FrameHeaders, http2.FlagHeadersPadded, 1, []byte{9, 1, 2}) }, "more padding"},
		"short priority": {func(s *script) {
			_ = s.WriteRawFrame(http2.FrameHeaders, http2.FlagHeadersPriority, 1, []byte{9, 1, 2})
		}, "priority"},
		"compression": {func(s *script) { _ = s.WriteRawFrame(http2.FrameHeaders, 5, 1, []byte{0xff, 0xff, 0xff}) }, "malformed header"},
		"header cut":  {func(s *script) { _ = s.WriteRawFrame(http2.FrameHeaders, 5, 1, []byte{0x40}) }, "malformed header"},
		"header too long": {func(s *script) {
			block := s.header(":status", "200", "x", strings.Repeat("y", 4000))
			for range 80 { // one byte each from the table
				block = append(block, 0xbe)
			}
			_ = s.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: block, EndHeaders: true, EndStream: true})
		}, "more than 262144"},
		"reset":   {func(s *script) { _ = s.WriteRSTStream(1, http2.ErrCodeInternal) }, "RST_STREAM, INTERNAL_ERROR"},
		"refused": {func(s *script) { _ = s.WriteRSTStream(1, http2.ErrCodeRefusedStream) }, "REFUSED_STREAM"},
		"goaway":  {func(s *script) { _ = s.WriteGoAway(0, http2.ErrCodeEnhanceYourCalm, []byte("too_many\x1b")) }, `ENHANCE_YOUR_CALM): "too_many\x1b"`},
	} {
		t.Run(name, func(t *testing.T) {
			if tt.want == "" {
				tt.want = "a body in the answer to HEAD"
			}
			for _, size := range []int{1, 5, 1 << 20} {
				s := greeted()
				tt.send(s)
				c := opened(&Request{Fields: get.Fields, Head: name == "body to HEAD"})
				done, err := feed(c, s.bytes.Bytes(), size)
				if done || err == nil || !strings.Contains(err.Error(), tt.want) {
					t.Errorf("by %d bytes: done %v, %v, want %q", size, done, err, tt.want)
				}
				if seen := name != "refused" && name != "goaway"; c.Answer().Unseen == seen || c.Fit() || !errors.Is(c.Close(), err) {
					t.Errorf("by %d bytes: unseen %v, fit %v", size, c.Answer().Unseen, c.Fit())
				}
				if _, again := c.Feed([]byte{0}); !errors.Is(again, err) {
					t.Errorf("after the error: %v", again)
				}
			}
		})
	}
}

// TestNotHTTP2: a server of another protocol is told at once by what it says.
func TestNotHTTP2(t *testing.T) {
	for said, want := range map[string]string{
		"HTTP/1.1 400 Bad Request\r\n\r\n": "HTTP/1.1",
		"220 smtp ready\r\n":               "220 smtp",
		"\x15\x03\x01\x00\x02\x02\x16":     `"\x15\x03\x01\x00`,
	} {
		for _, size := range []int{4, 100} {
			if _, err := feed(opened(&get), []byte(said), size); err == nil || !strings.Contains(err.Error(), "no HTTP/2") {
				t.Errorf("%q: %v", said, err)
			}
		}
		if _, err := opened(&get).Feed([]byte(said)); !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", said, err)
		}
	}
}

// TestEnds: what the end of the connection means.
func TestEnds(t *testing.T) {
	for name, tt := range map[string]struct {
		send func(*script)
		want error
	}{
		"nothing came":                   {func(*script) {}, io.EOF},
		"in the middle":                  {func(s *script) { s.headers(1, false, ":status", "200") }, io.ErrUnexpectedEOF},
		"farewell, the request was seen": {func(s *script) { _ = s.WriteGoAway(1, http2.ErrCodeNo, nil) }, io.EOF},
	} {
		s := greeted()
		tt.send(s)
		c := opened(&get)
		if done, err := c.Feed(s.bytes.Bytes()); done || err != nil {
			t.Errorf("%s: %v, %v", name, done, err)
		}
		if err := c.Close(); !errors.Is(err, tt.want) || c.Fit() {
			t.Errorf("%s: %v", name, err)
		}
	}
	c := opened(&get)
	s := greeted()
	_ = s.WriteGoAway(1, http2.ErrCodeInternal, nil)
	_, _ = c.Feed(s.bytes.Bytes())
	var away *GoAwayError
	if err := c.Close(); !errors.As(err, &away) || away.Code != http2.ErrCodeInternal {
		t.Errorf("a server that leaves for a fault: %v", err)
	}
}
