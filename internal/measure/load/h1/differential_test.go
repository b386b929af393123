package h1

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
)

// corpus are responses that both parsers must read alike.
func corpus() []string {
	big := strings.Repeat("0123456789", 1000)
	list := []string{
		ok("Content-Length: 5") + "hello",
		ok("Content-Length: 5") + "hello and more",
		ok("Content-Length: 5") + "hell",
		ok("Content-Length: 0"),
		ok("Content-Length: 05 ", "Content-Length: 05") + "hello",
		ok("Content-Length: 5", "Content-Length: 6") + "hello!",
		ok("Content-Length: 5x") + "hello",
		ok("Content-Length: -1"),
		ok("Content-Length: "),
		ok("Content-Length: 99999999999999999999") + "hello",
		ok("Content-Length: 10000") + big,
		ok() + "until the end",
		ok("Connection: keep-alive") + "until the end",
		ok("Connection: close", "Content-Length: 5") + "hello",
		ok("Connection: a, CLOSE ,b", "Content-Length: 5") + "hello",
		ok("Connection: Keep-Alive", "Content-Length: 5") + "hello",
		ok("Connection: disclose", "Content-Length: 5") + "hello",
		ok(chunked) + "5\r\nhello\r\n0\r\n\r\n",
		ok(chunked) + "5;x=y\r\nhello\r\n1\r\n!\r\n0\r\n\r\nmore",
		ok(chunked) + "5 \r\nhello\r\n0\r\nX-Trailer: a\r\n\r\n",
		ok("transfer-encoding: Chunked", "Connection: close") + "2710\r\n" + big + "\r\n0\r\n\r\n",
		ok(chunked) + "0\r\n\r\n",
		ok(chunked) + "5\r\nhell",
		ok(chunked) + "5\r\nhello\r\n",
		ok(chunked) + "5\r\nhello\r\n0\r\n",
		ok(chunked) + "5\r\nhelloworld\r\n0\r\n\r\n",
		ok(chunked) + "x\r\nhello\r\n0\r\n\r\n",
		ok(chunked) + "\r\n",
		ok(chunked) + "fffffffffffffffff\r\nhello",
		ok("Transfer-Encoding: gzip") + "x",
		ok("Transfer-Encoding: identity", "Content-Length: 1") + "x",
		ok(chunked, chunked) + "0\r\n\r\n",
		"HTTP/1.1 204 No Content\r\n\r\n",
		"HTTP/1.1 204 No Content\r\nContent-Length: 3\r\n\r\nabc",
		"HTTP/1.1 304 Not Modified\r\nContent-Length: 300\r\nConnection: close\r\n\r\n",
		"HTTP/1.1 404 Not Found\r\nContent-Length: 9\r\n\r\nnot found",
		"HTTP/1.1 500\r\nContent-Length: 0\r\n\r\n",
		"HTTP/1.1 302   Found \r\nLocation: /x\r\nContent-Length: 0\r\n\r\n",
		"HTTP/1.1 100 Continue\r\n\r\n" + ok("Content-Length: 1") + "a",
		"HTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\n" + ok(chunked) + "1\r\na\r\n0\r\n\r\n",
		"HTTP/1.0 200 OK\r\n\r\nold",
		"HTTP/1.0 200 OK\r\nContent-Length: 3\r\n\r\nold",
		"HTTP/1.0 200 OK\r\nContent-Length: 3\r\nConnection: keep-alive\r\n\r\nold",
		"HTTP/1.0 200 OK\r\nContent-Length: 3\r\nConnection: keep-alive, close\r\n\r\nold",
		"HTTP/1.1 200 OK\nContent-Length: 2\n\nhi",
		"HTTP/1.1 200 OK\r\nX: " + strings.Repeat("y", 20_000) + "\r\nContent-Length: 2\r\n\r\nhi",
		"HELLO\r\n\r\n", "HTTP/1.1\r\n\r\n", "HTTP/1.1 20 OK\r\n\r\n", "HTTP/1.1 abc OK\r\n\r\n", "http/1.1 200 OK\r\n\r\n", "HTTP/11 200 OK\r\n\r\n",
		"\r\n" + ok("Content-Length: 0"),
		"HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
		"HTTP/1.1 200 OK\r\n: no name\r\n\r\n",
		"HTTP/1.1 200 OK\r\n folded: first\r\n\r\n",
		"HTTP/1.1 200 OK\r\nX\x01: y\r\n\r\n",
		"HTTP/1.1 200 OK\r\nX: y\x00\r\n\r\n",
		"HTTP/1.1 200 OK\r\nX: y\rz\r\n\r\n",
		"HTTP/1.1 200 OK\r\nX: y", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 2", "",
	}
	return append(list, string(page()))
}

// byNetHTTP reads the final response as net/http does.
func byNetHTTP(in string, head bool) (r reading) {
	request := &http.Request{Method: http.MethodGet}
	if head {
		request.Method = http.MethodHead
	}
	from := bufio.NewReader(strings.NewReader(in))
	resp, err := http.ReadResponse(from, request)
	for err == nil && resp.StatusCode/100 == 1 {
		resp, err = http.ReadResponse(from, request)
	}
	if err != nil {
		return reading{err: err}
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	untilClose := resp.ContentLength == -1 && len(resp.TransferEncoding) == 0 && !head
	return reading{status: resp.StatusCode, body: string(body), keep: err == nil && !resp.Close && !untilClose, err: err}
}

// TestAsNetHTTPReads compares with net/http, whole, byte by byte and at random
// splits. Where the two differ on purpose (see the package comment), the response
// is in TestResponses and not here.
func TestAsNetHTTPReads(t *testing.T) {
	var p Parser
	for i, in := range corpus() {
		for _, head := range []bool{false, true} {
			want := byNetHTTP(in, head)
			for _, sizes := range splits(uint64(i), len(in)) {
				got := read(t, &p, in, head, sizes...)
				if (got.err != nil) != (want.err != nil) {
					t.Errorf("%.80q, HEAD %v, by %v: %v, net/http %v", in, head, sizes, got.err, want.err)
					continue
				}
				if want.err == nil && (got.status != want.status || got.body != want.body || got.keep != want.keep) {
					t.Errorf("%.80q, HEAD %v, by %v: %d, %d bytes, keep %v; net/http: %d, %d bytes, keep %v",
						in, head, sizes, got.status, len(got.body), got.keep, want.status, len(want.body), want.keep)
				}
			}
		}
	}
}

// TestWhatNetHTTPWrites reads what net/http's own encoder makes.
func TestWhatNetHTTPWrites(t *testing.T) {
	var p Parser
	for _, length := range []int64{-1, 0, 5, 100_000} {
		for _, minor := range []int{0, 1} {
			for _, code := range []int{200, 204, 304, 404} {
				size := max(length, 70_000*min(1, -length))
				if code == 204 || code == 304 {
					size = 0
				}
				body := strings.Repeat("b", int(size))
				resp := http.Response{
					StatusCode: code, ProtoMajor: 1, ProtoMinor: minor, ContentLength: length,
					Header: http.Header{"X-A": {"b"}}, Body: io.NopCloser(strings.NewReader(body)),
					Request: &http.Request{Method: "GET"},
				}
				if length < 0 && minor == 1 {
					resp.TransferEncoding = []string{"chunked"}
				}
				var wire bytes.Buffer
				if err := resp.Write(&wire); err != nil && code == 200 {
					t.Fatal(err)
				}
				for _, cut := range []int{wire.Len(), 1000, 1} {
					got := read(t, &p, wire.String(), false, cut)
					if got.err != nil || got.status != code || got.body != body {
						t.Errorf("%.80q: status %d, %d bytes, %v", wire.String(), got.status, len(got.body), got.err)
					}
				}
			}
		}
	}
}

// FuzzParser: no panic, no more consumed than given, and the same outcome however
// the bytes are split.
func FuzzParser(f *testing.F) {
	for i, in := range corpus() {
		f.Add([]byte(in), i%3 == 0, uint64(i))
	}
	f.Fuzz(func(t *testing.T, in []byte, head bool, seed uint64) {
		var p Parser
		want := read(t, &p, string(in), head, max(1, len(in)))
		var protocol *ProtocolError
		if want.err != nil && !errors.Is(want.err, io.EOF) && !errors.Is(want.err, io.ErrUnexpectedEOF) && !errors.As(want.err, &protocol) {
			t.Errorf("an error of type %T", want.err)
		}
		for _, sizes := range splits(seed, len(in)) {
			got := read(t, &p, string(in), head, sizes...)
			if errors.As(want.err, &protocol) && errors.As(got.err, &protocol) {
				continue // what of a body came before the error does not matter, nor how much the excerpt shows
			}
			if got != want {
				t.Errorf("%q by %v\ngot  %+v\nwant %+v", in, sizes, got, want)
			}
		}
		if reference := byNetHTTP(string(in), head); want.err == nil && reference.err == nil {
			agree(t, in, want, reference)
		}
	})
}

// agree checks a response that both parsers accept, but for what they read
// differently on purpose.
func agree(t *testing.T, in []byte, got, reference reading) {
	if bytes.Contains(in, []byte("HTTP/1.0")) || bytes.Contains(bytes.ToLower(in), []byte("transfer-encoding")) {
		return // with chunks: the close; under HTTP/1.0: chunks at all
	}
	if got.status != reference.status || got.body != reference.body || got.keep != reference.keep {
		t.Errorf("%q\ngot      %+v\nnet/http %+v", in, got, reference)
	}
}
