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

// listener reads what a Conn writes.
type listener struct {
	t      *testing.T
	bytes  bytes.Buffer
	framer *http2.Framer
}

func listenTo(t *testing.T, c *Conn) *listener {
	l := &listener{t: t}
	l.framer = http2.NewFramer(io.Discard, &l.bytes)
	l.framer.ReadMetaHeaders = hpack.NewDecoder(tableSize, nil)
	l.take(c)
	if got := string(l.bytes.Next(len(http2.ClientPreface))); got != http2.ClientPreface {
		t.Fatalf("it begins with %q", got)
	}
	return l
}

// take takes all that is pending, a part at a time.
func (l *listener) take(c *Conn) {
	for b := c.Pending(); len(b) > 0; b = c.Pending() {
		n := min(len(b), 1000)
		l.bytes.Write(b[:n])
		c.Wrote(n)
	}
}

func (l *listener) next() http2.Frame {
	l.t.Helper()
	f, err := l.framer.ReadFrame()
	if err != nil {
		l.t.Fatal(err)
	}
	return f
}

// none fails the test when something was written.
func (l *listener) none() {
	l.t.Helper()
	if f, err := l.framer.ReadFrame(); !errors.Is(err, io.EOF) {
		l.t.Errorf("%v, %v", f, err)
	}
}

// greeting reads the settings and the window that a connection begins with.
func (l *listener) greeting() {
	l.t.Helper()
	s, ok := l.next().(*http2.SettingsFrame)
	if v, _ := s.Value(http2.SettingEnablePush); !ok || v != 0 {
		l.t.Errorf("%v", s)
	}
	if w := l.next().(*http2.WindowUpdateFrame); w.StreamID != 0 || w.Increment != connWindow-firstWindow {
		l.t.Errorf("%v", w)
	}
}

func (l *listener) header(stream uint32, end bool) *http2.MetaHeadersFrame {
	l.t.Helper()
	h := l.next().(*http2.MetaHeadersFrame)
	if h.StreamID != stream || h.StreamEnded() != end || h.PseudoValue("method") == "" {
		l.t.Errorf("%v, want stream %d, end %v", h, stream, end)
	}
	return h
}

// answer lets the server answer a stream with nothing.
func answer(t *testing.T, c *Conn, s *script, stream uint32) {
	t.Helper()
	s.bytes.Reset()
	s.headers(stream, true, ":status", "200", "server", "x")
	if done, err := c.Feed(s.bytes.Bytes()); !done || err != nil {
		t.Fatalf("stream %d: %v, %v", stream, done, err)
	}
}

// TestRequests: what is asked arrives, one stream after the other, and what repeats
// costs a few bytes.
func TestRequests(t *testing.T) {
	c := opened(&get)
	l := listenTo(t, c)
	l.greeting()
	h := l.header(1, true)
	for i, f := range h.Fields {
		if f.Name != get.Fields[i].Name || f.Value != get.Fields[i].Value {
			t.Errorf("field %d: %v, want %v", i, f, get.Fields[i])
		}
	}
	s := greeted()
	if done, err := c.Feed(s.bytes.Bytes()); done || err != nil {
		t.Fatal(done, err)
	}
	l.take(c)
	if f := l.next().(*http2.SettingsFrame); !f.IsAck() {
		t.Errorf("%v", f)
	}
	for stream := uint32(1); stream < 9; stream += 2 {
		answer(t, c, s, stream)
		c.Ask(&get)
		if n := len(c.Pending()); n > frameHead+len(get.Fields) {
			t.Errorf("%d bytes for a request like the one before", n)
		}
		l.take(c)
		l.header(stream+2, true)
	}
	l.none()
}

// TestWindows: a body is sent as the server has room for it.
func TestWindows(t *testing.T) {
	body := bytes.Repeat([]byte("0123456789"), 20_000)
	c := opened(&Request{Fields: get.Fields, Body: body})
	l := listenTo(t, c)
	l.greeting()
	l.header(1, false)
	var got []byte
	data := func() (end bool) {
		l.take(c)
		for l.bytes.Len() > 0 {
			switch f := l.next().(type) {
			case *http2.DataFrame:
				got = append(got, f.Data()...)
				end = f.StreamEnded()
			case *http2.SettingsFrame:
			default:
				t.Errorf("%v", f)
			}
		}
		return end
	}
	if data() || len(got) != firstWindow {
		t.Fatalf("%d bytes into the first window", len(got))
	}
	s := greeted()
	say := func(f func()) {
		t.Helper()
		f()
		if done, err := c.Feed(s.bytes.Bytes()); done || err != nil {
			t.Fatal(done, err)
		}
		s.bytes.Reset()
	}
	say(func() { _ = s.WriteWindowUpdate(0, 1<<20) })
	if data() || len(got) != firstWindow {
		t.Errorf("%d bytes though the stream has no room", len(got))
	}
	say(func() { _ = s.WriteWindowUpdate(1, 100) })
	if data() || len(got) != firstWindow+100 {
		t.Errorf("%d bytes", len(got))
	}
	// A smaller window for streams takes room away from the one in hand.
	say(func() {
		_ = s.WriteSettings(http2.Setting{ID: http2.SettingInitialWindowSize, Val: 1000})
		_ = s.WriteWindowUpdate(1, 2000)
	})
	if data() || len(got) != firstWindow+100 {
		t.Errorf("%d bytes into a window below zero", len(got))
	}
	say(func() { _ = s.WriteSettings(http2.Setting{ID: http2.SettingInitialWindowSize, Val: 1 << 20}) })
	if !data() || !bytes.Equal(got, body) {
		t.Errorf("%d bytes of %d", len(got), len(body))
	}
	answer(t, c, s, 1)
	l.take(c)
	l.none()
}

// TestEarlyAnswer: a server that wants no more of a body gets no more.
func TestEarlyAnswer(t *testing.T) {
	c := opened(&Request{Fields: get.Fields, Body: make([]byte, 1<<20)})
	l := listenTo(t, c)
	l.greeting()
	l.header(1, false)
	s := greeted()
	_, _ = c.Feed(s.bytes.Bytes())
	answer(t, c, s, 1)
	for l.bytes.Len() > 0 {
		l.next()
	}
	l.take(c)
	for {
		if r, ok := l.next().(*http2.RSTStreamFrame); ok {
			if r.ErrCode != http2.ErrCodeCancel || r.StreamID != 1 {
				t.Errorf("%v", r)
			}
			break
		}
	}
	if !c.Fit() {
		t.Error("the connection is given up")
	}
	c.Ask(&get)
	l.take(c)
	l.header(3, true)
}

// TestCancel: what comes for a request that was given up is read over, and the next
// is answered; the table of the server's fields stays right.
func TestCancel(t *testing.T) {
	c := opened(&get)
	l := listenTo(t, c)
	l.greeting()
	l.header(1, true)
	c.Cancel()
	if c.Fit() {
		t.Error("a server that never said a word is fit")
	}
	l.take(c)
	if r := l.next().(*http2.RSTStreamFrame); r.StreamID != 1 || r.ErrCode != http2.ErrCodeCancel {
		t.Errorf("%v", r)
	}
	c.Ask(&get)
	s := greeted()
	s.headers(1, false, ":status", "200", "server", "some server", "content-length", "3")
	_ = s.WriteData(1, true, []byte("a body longer than declared"))
	s.headers(3, false, ":status", "201", "server", "some server")
	_ = s.WriteData(1, true, []byte("late"))
	_ = s.WriteRSTStream(1, http2.ErrCodeStreamClosed)
	_ = s.WriteWindowUpdate(1, 1)
	_ = s.WriteData(3, true, []byte("ok"))
	done, err := c.Feed(s.bytes.Bytes())
	if !done || err != nil || c.Answer().Status != 201 || c.Answer().Body != 2 || !c.Fit() {
		t.Errorf("%v, %v, %+v", done, err, c.Answer())
	}
	c.Cancel() // nothing is asked: nothing to do
	l.take(c)
	l.header(3, true)
	if f := l.next().(*http2.SettingsFrame); !f.IsAck() {
		t.Errorf("%v", f)
	}
	l.none()
}

// TestRoomIsRestored: a long answer is not held up, and a short one costs no frame.
func TestRoomIsRestored(t *testing.T) {
	c := opened(&get)
	l := listenTo(t, c)
	l.greeting()
	l.header(1, true)
	s := greeted()
	s.headers(1, false, ":status", "200")
	part := make([]byte, maxFrame)
	for range streamWindow/maxFrame/2 - 1 {
		_ = s.WriteData(1, false, part)
	}
	feedAll := func() {
		t.Helper()
		if done, err := c.Feed(s.bytes.Bytes()); done || err != nil {
			t.Fatal(done, err)
		}
		s.bytes.Reset()
		l.take(c)
	}
	feedAll()
	l.next() // the acknowledgement of settings
	l.none()
	_ = s.WriteData(1, false, part)
	feedAll()
	if w := l.next().(*http2.WindowUpdateFrame); w.StreamID != 1 || w.Increment != streamWindow/2 {
		t.Errorf("%v", w)
	}
	l.none()
}

// TestFlood: acknowledgements that the server does not take are not kept for ever.
func TestFlood(t *testing.T) {
	c := opened(&get)
	s := greeted()
	for range 1000 {
		_ = s.WritePing(false, [8]byte{})
	}
	var err error
	for n := 0; err == nil; n++ {
		if _, err = c.Feed(s.bytes.Bytes()); n > 1000 {
			t.Fatal("it goes on")
		}
	}
	if !strings.Contains(err.Error(), "acknowledgements") {
		t.Error(err)
	}
}

// TestLongHeader is sent in as many frames as the server takes.
func TestLongHeader(t *testing.T) {
	r := Request{Fields: append([]hpack.HeaderField{}, get.Fields...)}
	r.Fields = append(r.Fields, hpack.HeaderField{Name: "x", Value: strings.Repeat("\x7f", 20_000)})
	c := opened(&r)
	l := listenTo(t, c)
	l.greeting()
	l.framer.ReadMetaHeaders = nil
	if h := l.next().(*http2.HeadersFrame); h.HeadersEnded() || !h.StreamEnded() {
		t.Errorf("%v", h)
	}
	for f := l.next().(*http2.ContinuationFrame); !f.HeadersEnded(); f = l.next().(*http2.ContinuationFrame) {
	}
	l.none()
}

// FuzzFeed: whatever a server sends and however it is cut, the outcome is the same,
// and what is answered are frames.
func FuzzFeed(f *testing.F) {
	s := greeted()
	s.headers(1, false, ":status", "200", "content-length", "5")
	_ = s.WriteDataPadded(1, false, []byte("hel"), []byte{0, 0})
	_ = s.WritePing(false, [8]byte{1})
	f.Add(bytes.Clone(s.bytes.Bytes()), 3)
	_ = s.WriteData(1, true, []byte("lo"))
	f.Add(bytes.Clone(s.bytes.Bytes()), 11)
	_ = s.WriteGoAway(1, http2.ErrCodeNo, []byte("bye"))
	s.headers(1, true, "late", "yes")
	f.Add(bytes.Clone(s.bytes.Bytes()), 1)
	f.Add([]byte("HTTP/1.1 200 OK\r\n\r\n"), 2)
	f.Fuzz(func(t *testing.T, b []byte, size int) {
		if size < 1 {
			size = 1
		}
		whole, parts := opened(&get), opened(&get)
		doneA, errA := whole.Feed(b)
		doneB, errB := feed(parts, b, size)
		if errA == nil && (doneA != doneB || *whole.Answer() != *parts.Answer()) || (errA == nil) != (errB == nil) {
			t.Fatalf("whole: %v, %v, %+v\nby %d bytes: %v, %v, %+v", doneA, errA, whole.Answer(), size, doneB, errB, parts.Answer())
		}
		out := append([]byte{}, whole.Pending()...)
		fr := http2.NewFramer(io.Discard, bytes.NewReader(out[len(http2.ClientPreface):]))
		for {
			if _, err := fr.ReadFrame(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("%v in what is written: %q", err, out)
			}
		}
		if whole.Fit() {
			whole.Cancel()
			whole.Ask(&get)
		}
	})
}

// BenchmarkExchange is a request and its answer of 100 bytes, without a socket.
func BenchmarkExchange(b *testing.B) {
	c := opened(&get)
	s := greeted()
	_, _ = c.Feed(s.bytes.Bytes())
	body := make([]byte, 100)
	stream := uint32(1)
	b.ReportAllocs()
	for b.Loop() {
		b.StopTimer()
		s.bytes.Reset()
		s.headers(stream, false, ":status", "200", "content-length", "100", "content-type", "text/plain")
		_ = s.WriteData(stream, true, body)
		b.StartTimer()
		c.Wrote(len(c.Pending()))
		if done, err := c.Feed(s.bytes.Bytes()); !done || err != nil {
			b.Fatal(done, err)
		}
		stream += 2
		c.Ask(&get)
	}
}
