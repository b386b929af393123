package h1

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
)

// reading is what came of feeding bytes and then closing the connection.
type reading struct {
	status   int
	body     string
	keep     bool
	done     bool // before the close
	consumed int
	err      error
}

// read feeds in to p in parts of the given sizes, the last again and again, and
// closes the connection when that did not complete the response.
func read(t testing.TB, p *Parser, in string, head bool, sizes ...int) reading {
	t.Helper()
	var r reading
	var body strings.Builder
	p.Reset(head)
	p.SetSink(func(b []byte) { body.Write(b) })
	for rest := []byte(in); len(rest) > 0 && !r.done && r.err == nil; {
		size := min(len(rest), sizes[0])
		if len(sizes) > 1 {
			sizes = sizes[1:]
		}
		part := append([]byte(nil), rest[:size]...) // the parser must not keep it
		var n int
		n, r.done, r.err = p.Feed(part)
		if n < 0 || n > len(part) || n < len(part) && !r.done && r.err == nil {
			t.Fatalf("%q: %d bytes of %d consumed, done %v, %v", in, n, len(part), r.done, r.err)
		}
		for i := range part {
			part[i] = 'Z'
		}
		r.consumed += n
		rest = rest[n:]
	}
	if !r.done && r.err == nil {
		if p.KeepAlive() {
			t.Errorf("%q: kept alive before it is complete", in)
		}
		r.err = p.Close()
	}
	r.status, r.body, r.keep = p.Status(), body.String(), p.KeepAlive()
	if int(p.Body()) != len(r.body) {
		t.Fatalf("%q: body of %d bytes, %d handed over", in, p.Body(), len(r.body))
	}
	return r
}

// splits are ways to cut n bytes: whole, each byte, and some at random.
func splits(seed uint64, n int) [][]int {
	ways := [][]int{{max(n, 1)}, {1}}
	rng := rand.New(rand.NewPCG(seed, 1))
	for range 8 {
		var sizes []int
		for left := n; left > 0; {
			k := 1 + rng.IntN(min(left, 1+rng.IntN(40)))
			sizes, left = append(sizes, k), left-k
		}
		ways = append(ways, append(sizes, 1))
	}
	return ways
}

// ok is an answer whose header ends in the given lines.
func ok(lines ...string) string {
	return "HTTP/1.1 200 OK\r\n" + strings.Join(append(lines, "", ""), "\r\n")
}

const chunked = "Transfer-Encoding: chunked"

// TestResponses has every rule: what it accepts, and near misses with the error.
func TestResponses(t *testing.T) {
	type want struct {
		status int
		body   string
		keep   bool
		rest   string // not consumed
		eof    error  // of Close
		err    string // of Feed
	}
	whole := func(body string) want { return want{status: 200, body: body, keep: true} }
	closing := func(body string) want { return want{status: 200, body: body} }
	bad := func(text string) want { return want{err: text} }
	tests := []struct {
		name, in string
		head     bool
		want     want
	}{
		// Content-Length.
		{"length", ok("Content-Length: 5") + "hello", false, whole("hello")},
		{"length of nothing", ok("Content-Length: 0"), false, whole("")},
		{"name in any case", ok("cOnTeNt-LeNgTh:5") + "hello", false, whole("hello")},
		{"spaces around a value", ok("Content-Length: \t 5 \t") + "hello", false, whole("hello")},
		{"leading zeros", ok("Content-Length: 0005") + "hello", false, whole("hello")},
		{"what follows stays", ok("Content-Length: 5") + "helloHTTP/1.1", false, want{status: 200, body: "hello", keep: true, rest: "HTTP/1.1"}},
		{"equal lengths", ok("Content-Length: 5", "content-length: 5") + "hello", false, whole("hello")},
		{"two lengths", ok("Content-Length: 5", "Content-Length: 6") + "hello!", false, bad("two values of Content-Length: 5 and 6")},
		{"list of lengths", ok("Content-Length: 5, 5") + "hello", false, bad(`malformed Content-Length "5, 5"`)},
		{"empty length", ok("Content-Length:") + "hello", false, bad(`malformed Content-Length ""`)},
		{"negative length", ok("Content-Length: -5") + "hello", false, bad(`malformed Content-Length "-5"`)},
		{"signed length", ok("Content-Length: +5") + "hello", false, bad(`malformed Content-Length "+5"`)},
		{"largest length", ok("Content-Length: 9223372036854775807") + "hello", false, want{status: 200, body: "hello", eof: io.ErrUnexpectedEOF}},
		{"length above that", ok("Content-Length: 9223372036854775808") + "hello", false, bad("malformed Content-Length")},
		{"another header with the length of that name", ok("Content-Lengths: 5", "X-ontent-Length: 7", "Content-Length: 2") + "hi", false, whole("hi")},
		{"short body", ok("Content-Length: 5") + "hell", false, want{status: 200, body: "hell", eof: io.ErrUnexpectedEOF}},

		// Chunks.
		{"chunks", ok(chunked) + "5\r\nhello\r\n1\r\n!\r\n0\r\n\r\n", false, whole("hello!")},
		{"no chunks", ok(chunked) + "0\r\n\r\n", false, whole("")},
		{"hexadecimal sizes", ok(chunked) + "A\r\n0123456789\r\n0b\r\n0123456789a\r\n00\r\n\r\n", false, whole("01234567890123456789a")},
		{"extensions", ok(chunked) + "5;a=b\r\nhello\r\n1 ; c=\"d\"\r\n!\r\n0;last\r\n\r\n", false, whole("hello!")},
		{"space after a size", ok(chunked) + "5 \r\nhello\r\n0\t\r\n\r\n", false, whole("hello")},
		{"trailers", ok(chunked) + "5\r\nhello\r\n0\r\nX-A: b\r\nContent-Length: 99\r\n\r\n", false, whole("hello")},
		{"data with line ends", ok(chunked) + "4\r\n\r\n\r\n\r\n0\r\n\r\n", false, whole("\r\n\r\n")},
		{"what follows chunks", ok(chunked) + "1\r\na\r\n0\r\n\r\n\r\n", false, want{status: 200, body: "a", keep: true, rest: "\r\n"}},
		{"any case of chunked", ok("transfer-encoding: CHUNKED") + "0\r\n\r\n", false, whole("")},
		{"chunked wins and closes", ok("Content-Length: 3", chunked) + "5\r\nhello\r\n0\r\n\r\n", false, closing("hello")},
		{"in the other order", ok(chunked, "Content-Length: 3") + "5\r\nhello\r\n0\r\n\r\n", false, closing("hello")},
		{"chunked in HTTP/1.0", "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n", false, closing("a")},
		{"gzip", ok("Transfer-Encoding: gzip, chunked") + "0\r\n\r\n", false, bad(`unsupported Transfer-Encoding "gzip, chunked"`)},
		{"identity", ok("Transfer-Encoding: identity", "Content-Length: 1") + "a", false, bad("unsupported Transfer-Encoding")},
		{"chunked twice", ok(chunked, chunked) + "0\r\n\r\n", false, bad("unsupported Transfer-Encoding")},
		{"no size", ok(chunked) + "\r\nhello\r\n", false, bad(`malformed chunk size`)},
		{"size of letters", ok(chunked) + "xyz\r\nhello\r\n", false, bad(`malformed chunk size "x`)},
		{"size and more", ok(chunked) + "5x\r\nhello\r\n", false, bad(`malformed chunk size "5x"`)},
		{"negative size", ok(chunked) + "-5\r\nhello\r\n", false, bad(`malformed chunk size "-`)},
		{"space before a size", ok(chunked) + " 5\r\nhello\r\n", false, bad(`malformed chunk size " `)},
		{"largest size", ok(chunked) + "7fffffffffffffff\r\nhello", false, want{status: 200, body: "hello", eof: io.ErrUnexpectedEOF}},
		{"size above that", ok(chunked) + "8000000000000000\r\nhello", false, bad(`chunk size "8000000000000000" is above 2^63`)},
		{"size that wraps to 5", ok(chunked) + "10000000000000005\r\nhello\r\n", false, bad("is above 2^63")},
		{"longer than its size", ok(chunked) + "5\r\nhello!\r\n0\r\n\r\n", false, bad(`chunk is longer than its size: "!`)},
		{"no line end after a chunk", ok(chunked) + "5\r\nhello0\r\n\r\n", false, bad(`chunk is longer than its size: "0`)},
		{"CR alone after a chunk", ok(chunked) + "1\r\na\rb\r\n", false, bad(`chunk is longer than its size: "\rb`)},
		{"close before the last chunk", ok(chunked) + "5\r\nhello\r\n", false, want{status: 200, body: "hello", eof: io.ErrUnexpectedEOF}},
		{"close before the end of trailers", ok(chunked) + "0\r\nX: y\r\n", false, want{status: 200, eof: io.ErrUnexpectedEOF}},
		{"bad trailer", ok(chunked) + "0\r\nno colon\r\n\r\n", false, bad(`without a colon "no colon"`)},
		{"longest extension", ok(chunked) + "1;" + strings.Repeat("x", maxChunkLine-4) + "\r\na\r\n0\r\n\r\n", false, whole("a")},
		{"too long an extension", ok(chunked) + "1;" + strings.Repeat("x", maxChunkLine-3) + "\r\na\r\n0\r\n\r\n", false, bad(`chunk size line is longer than 4096 bytes: "1;xxx`)},

		// Until the close.
		{"until the close", ok() + "hello", false, closing("hello")},
		{"until the close, nothing", ok("Content-Type: text/plain"), false, closing("")},
		{"keep-alive does not help", ok("Connection: keep-alive") + "hello", false, closing("hello")},

		// No body.
		{"HEAD with a length", ok("Content-Length: 5"), true, whole("")},
		{"HEAD with chunks", ok(chunked), true, whole("")},
		{"HEAD with neither", ok(), true, whole("")},
		{"HEAD with a body", ok("Content-Length: 5") + "hello", true, want{status: 200, keep: true, rest: "hello"}},
		{"HEAD and close", ok("Connection: close"), true, closing("")},
		{"204", "HTTP/1.1 204 No Content\r\n\r\n", false, want{status: 204, keep: true}},
		{"204 with a length", "HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\nhello", false, want{status: 204, keep: true, rest: "hello"}},
		{"304 with chunks", "HTTP/1.1 304 Not Modified\r\n" + chunked + "\r\n\r\n", false, want{status: 304, keep: true}},
		{"205 has one", "HTTP/1.1 205 Reset\r\nContent-Length: 1\r\n\r\na", false, want{status: 205, body: "a", keep: true}},

		// 1xx.
		{"100 first", "HTTP/1.1 100 Continue\r\n\r\n" + ok("Content-Length: 2") + "hi", false, whole("hi")},
		{"103 twice, with headers", strings.Repeat("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\nContent-Length: 9\r\nConnection: close\r\n\r\n", 2) + ok("Content-Length: 2") + "hi", false, whole("hi")},
		{"100 and close", "HTTP/1.1 100 Continue\r\n\r\n", false, want{eof: io.ErrUnexpectedEOF}},
		{"101", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n", false, bad("status 101")},

		// Persistence.
		{"close", ok("Content-Length: 0", "Connection: close"), false, closing("")},
		{"close in any case", ok("Content-Length: 0", "CONNECTION: Close"), false, closing("")},
		{"close in a list", ok("Content-Length: 0", "Connection: x-a,\tclose ,b"), false, closing("")},
		{"close in a second field", ok("Content-Length: 0", "Connection: keep-alive", "Connection: close"), false, closing("")},
		{"nearly close", ok("Content-Length: 0", "Connection: closed, x-close,, clos"), false, whole("")},
		{"close elsewhere", ok("Content-Length: 0", "Proxy-Connection: close", "Connectio: close"), false, whole("")},
		{"HTTP/1.0", "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nhi", false, closing("hi")},
		{"HTTP/1.0 that keeps", "HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\nContent-Length: 2\r\n\r\nhi", false, whole("hi")},
		{"HTTP/1.0 that says both", "HTTP/1.0 200 OK\r\nConnection: keep-alive, close\r\nContent-Length: 2\r\n\r\nhi", false, closing("hi")},
		{"HTTP/1.0 until the close", "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\n\r\nhi", false, closing("hi")},
		{"HTTP/1.2", "HTTP/1.2 200 OK\r\nContent-Length: 0\r\n\r\n", false, whole("")},

		// Status lines.
		{"no reason", "HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n", false, whole("")},
		{"empty reason", "HTTP/1.1 200 \r\nContent-Length: 0\r\n\r\n", false, whole("")},
		{"long reason", "HTTP/1.1 200 not (quite) : \xe4\r\nContent-Length: 0\r\n\r\n", false, whole("")},
		{"spaces before the status", "HTTP/1.1   200 OK\r\nContent-Length: 0\r\n\r\n", false, whole("")},
		{"odd status", "HTTP/1.1 999 Odd\r\nContent-Length: 0\r\n\r\n", false, want{status: 999, keep: true}},
		{"hello", "HELLO\r\n\r\n", false, bad(`h1: malformed status line "H`)},
		{"smtp", "220 smtp ready\r\n", false, bad(`malformed status line "2`)},
		{"garbage without a line end", "\x15\x03\x01\x00\x02\x02\x50", false, bad(`malformed status line "\x15`)},
		{"empty line first", "\r\n" + ok("Content-Length: 0"), false, bad(`malformed status line "`)},
		{"lower case", "http/1.1 200 OK\r\n\r\n", false, bad("malformed status line")},
		{"no status", "HTTP/1.1\r\n\r\n", false, bad(`malformed status line "HTTP/1.1"`)},
		{"no version", "HTTP/ 200 OK\r\n\r\n", false, bad(`not HTTP/1.1 but version "HTTP/"`)},
		{"short status", "HTTP/1.1 20 OK\r\n\r\n", false, bad("malformed status line")},
		{"long status", "HTTP/1.1 2000 OK\r\n\r\n", false, bad("malformed status line")},
		{"status of letters", "HTTP/1.1 2x0 OK\r\n\r\n", false, bad("malformed status line")},
		{"status 099", "HTTP/1.1 099 Low\r\n\r\n", false, bad("status below 100")},
		{"HTTP/2", "HTTP/2 200 OK\r\n\r\n", false, bad(`not HTTP/1.1 but version "HTTP/2"`)},
		{"HTTP/2.0", "HTTP/2.0 200 OK\r\n\r\n", false, bad("version")},
		{"HTTP/0.9", "HTTP/0.9 200 OK\r\n\r\n", false, bad("version")},
		{"HTTP/1.10", "HTTP/1.10 200 OK\r\n\r\n", false, bad("version")},
		{"HTTP/1.x", "HTTP/1.x 200 OK\r\n\r\n", false, bad("version")},
		{"longest status line", "HTTP/1.1 200 " + strings.Repeat("x", maxStatus-15) + "\r\nContent-Length: 0\r\n\r\n", false, whole("")},
		{"too long a status line", "HTTP/1.1 200 " + strings.Repeat("x", maxStatus-14) + "\r\nContent-Length: 0\r\n\r\n", false, bad(`status line is longer than 8192 bytes: "HTTP/1.1 200 xxx`)},

		// Lines.
		{"LF alone", "HTTP/1.1 200 OK\nContent-Length: 5\n\nhello", false, whole("hello")},
		{"LF alone in chunks", "HTTP/1.1 200 OK\n" + chunked + "\n\n5\nhello\n0\n\n", false, whole("hello")},
		{"LF and CRLF", "HTTP/1.1 200 OK\nContent-Length: 5\r\n\nhello", false, whole("hello")},
		{"folded", ok("X-A: b", " c", "Content-Length: 0"), false, bad(`folded header line " c"`)},
		{"folded at first", ok("\tX-A: b", "Content-Length: 0"), false, bad(`folded header line "\tX-A: b"`)},
		{"no colon", ok("X-A b", "Content-Length: 0"), false, bad(`without a colon "X-A b"`)},
		{"no name", ok(": b", "Content-Length: 0"), false, bad(`malformed header name in ": b"`)},
		{"space before the colon", ok("Content-Length : 5") + "hello", false, bad("malformed header name")},
		{"name of other bytes", ok("X-\xe4: b"), false, bad(`malformed header name in "X-\xe4: b"`)},
		{"empty value", ok("X-A:", "Content-Length: 0"), false, whole("")},
		{"bytes above ASCII in a value", ok("X-A: \xe4\xff", "Content-Length: 0"), false, whole("")},
		{"CR in a value", ok("X-A: b\rContent-Length: 5", "Content-Length: 0"), false, bad("it has a NUL or CR")},
		{"NUL in a value", ok("X-A: b\x00", "Content-Length: 0"), false, bad("it has a NUL or CR")},
		{"close in the header", "HTTP/1.1 200 OK\r\nContent-Le", false, want{eof: io.ErrUnexpectedEOF}},
		{"close in the status line", "HT", false, want{eof: io.ErrUnexpectedEOF}},
		{"close at once", "", false, want{eof: io.EOF}},
	}
	var p Parser
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, sizes := range splits(1, len(tt.in)) {
				r := read(t, &p, tt.in, tt.head, sizes...)
				if tt.want.err != "" {
					var e *ProtocolError
					if !errors.As(r.err, &e) || !strings.Contains(r.err.Error(), prefixOf(tt.want.err, sizes)) {
						t.Errorf("%v: %v, want %q", sizes, r.err, tt.want.err)
					}
					if r.keep {
						t.Errorf("%v: kept alive", sizes)
					}
					continue
				}
				if !errors.Is(r.err, tt.want.eof) {
					t.Fatalf("%v: %v, want %v", sizes, r.err, tt.want.eof)
				}
				if got := (want{status: r.status, body: r.body, keep: r.keep, rest: tt.in[r.consumed:], eof: r.err}); got != tt.want {
					t.Errorf("%v: got %+v, want %+v", sizes, got, tt.want)
				}
			}
		})
	}
}

// prefixOf returns the part of an error's text that does not depend on how much of
// the bad line had come: all of it when it came at once.
func prefixOf(text string, sizes []int) string {
	if len(sizes) == 1 && sizes[0] > 1 {
		return text
	}
	text, _, _ = strings.Cut(text, `"`)
	return text
}

// TestLongHeader: the limit is one of bytes in all, and it holds without memory.
func TestLongHeader(t *testing.T) {
	const status, end = "HTTP/1.1 204 No\r\n", "\r\n"
	line := func(n int) string { return "X: " + strings.Repeat("a", n-5) + "\r\n" }
	fill := maxHead - len(status) - len(end)
	for _, tt := range []struct {
		name, in string
		fits     bool
	}{
		{"one line", status + line(fill) + end, true},
		{"one line, a byte more", status + line(fill+1) + end, false},
		{"many lines", status + strings.Repeat(line(64), fill/64-1) + line(fill%64+64) + end, true},
		{"many lines, a byte more", status + strings.Repeat(line(64), fill/64-1) + line(fill%64+65) + end, false},
		{"endless 100", strings.Repeat("HTTP/1.1 100 C\r\n\r\n", maxHead/18+1), false},
		{"trailers", ok(chunked) + "0\r\n" + strings.Repeat(line(1000), maxHead/1000+1), false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var p Parser
			for _, sizes := range [][]int{{len(tt.in)}, {1000}, {1}} {
				r := read(t, &p, tt.in, false, sizes...)
				if tt.fits && (r.status != 204 || r.err != nil || !r.keep) {
					t.Errorf("%v: %+v", sizes, r)
				}
				if !tt.fits && (r.err == nil || !strings.Contains(r.err.Error(), "header is longer than 262144 bytes")) {
					t.Errorf("%v: %v", sizes, r.err)
				}
			}
			p.Reset(false)
			if cap(p.carry) > keptCarry {
				t.Errorf("%d bytes are kept", cap(p.carry))
			}
		})
	}
	// A header of 1 GB, in one line.
	var p Parser
	part := []byte(strings.Repeat("a", 16<<10))
	_, _, _ = p.Feed([]byte(status + "X: "))
	fed := 0
	for fed < 1<<30 {
		n, _, err := p.Feed(part)
		if fed += n; err != nil {
			break
		}
	}
	if fed > maxHead+len(part) || cap(p.carry) > 2*maxHead {
		t.Errorf("an error after %d bytes, %d in memory", fed, cap(p.carry))
	}
}

func TestExcerptIsShort(t *testing.T) {
	var p Parser
	_, _, err := p.Feed([]byte("x" + strings.Repeat("\x1b[31m", 1000) + "\r\n"))
	if err == nil || len(err.Error()) > 250 || strings.Contains(err.Error(), "\x1b") || !strings.Contains(err.Error(), "…") {
		t.Errorf("%v", err)
	}
}

// TestResponsesInARow reads responses of one connection with one parser.
func TestResponsesInARow(t *testing.T) {
	var in strings.Builder
	const n = 50
	for i := range n {
		if i%2 == 0 {
			fmt.Fprintf(&in, "HTTP/1.1 %d OK\r\nContent-Length: %d\r\n\r\n%s", 210+i, i, strings.Repeat("x", i))
		} else {
			fmt.Fprintf(&in, "HTTP/1.1 %d OK\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n", 210+i, i, strings.Repeat("y", i))
		}
	}
	for _, sizes := range splits(2, in.Len()) {
		var p Parser // ready as it is
		rest, got := []byte(in.String()), 0
		for len(rest) > 0 {
			part := rest[:min(len(rest), sizes[0])]
			rest = rest[len(part):]
			if len(sizes) > 1 {
				sizes = sizes[1:]
			}
			for len(part) > 0 {
				k, done, err := p.Feed(part)
				if err != nil {
					t.Fatal(err)
				}
				part = part[k:]
				if !done {
					continue
				}
				if p.Status() != 210+got || int(p.Body()) != got || !p.KeepAlive() {
					t.Fatalf("response %d: status %d, body %d", got, p.Status(), p.Body())
				}
				got++
				p.Reset(false)
			}
		}
		if p.Started() {
			t.Error("something is left")
		}
		if got != n {
			t.Errorf("%d responses, want %d", got, n)
		}
	}
}

func TestStates(t *testing.T) {
	var p Parser
	if p.Started() || p.Status() != 0 || p.KeepAlive() {
		t.Error("a new parser has seen something")
	}
	if n, done, err := p.Feed(nil); n != 0 || done || err != nil || p.Started() {
		t.Error("nothing is something")
	}
	_, _, first := p.Feed([]byte("x"))
	_, _, again := p.Feed([]byte(ok("Content-Length: 0")))
	if first == nil || !errors.Is(again, first) || !errors.Is(p.Close(), first) || !p.Started() {
		t.Errorf("an error does not last: %v, %v, %v", first, again, p.Close())
	}
	p.Reset(false)
	if _, done, err := p.Feed([]byte(ok("Content-Length: 0"))); !done || err != nil {
		t.Error("Reset does not end it")
	}
	if n, done, err := p.Feed([]byte("more")); n != 0 || !done || err != nil {
		t.Errorf("after the end: %d, %v, %v", n, done, err)
	}
	if err := p.Close(); err != nil || p.KeepAlive() {
		t.Errorf("closed after the end: %v, keep %v", err, p.KeepAlive())
	}
}

func TestNothingIsAllocated(t *testing.T) {
	answer := []byte(ok("Server: test", "Date: Mon, 01 Jan 2024 00:00:00 GMT", "Connection: keep-alive", "Content-Length: 5") + "hello")
	chunks := []byte(ok("Content-Type: text/plain", chunked) + "5\r\nhello\r\n0\r\n\r\n")
	var p Parser
	total := 0
	sink := func(b []byte) { total += len(b) }
	for _, in := range [][]byte{answer, chunks} {
		for cut := range len(in) {
			allocs := testing.AllocsPerRun(20, func() {
				p.Reset(false)
				p.SetSink(sink)
				_, _, _ = p.Feed(in[:cut])
				if _, done, err := p.Feed(in[cut:]); !done || err != nil || p.Body() != 5 {
					t.Fatal(done, err)
				}
			})
			if allocs != 0 {
				t.Errorf("cut at %d of %q: %v allocations", cut, in, allocs)
			}
		}
	}
}
