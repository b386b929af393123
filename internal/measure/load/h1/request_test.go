package h1

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
)

func parseURL(t testing.TB, text string) *url.URL {
	t.Helper()
	u, err := url.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func TestAppendRequest(t *testing.T) {
	type h = http.Header
	for _, tt := range []struct {
		name, method, url, host string
		header                  h
		body, want              string
	}{
		{"plain", "GET", "http://a.example:8080/p?q=1", "", nil, "", "GET /p?q=1 HTTP/1.1\nHost: a.example:8080\n\n"},
		{"no path", "GET", "http://a.example", "", nil, "", "GET / HTTP/1.1\nHost: a.example\n\n"},
		{"escaped", "GET", "http://a/b%2fc%20d?x=%20", "", nil, "", "GET /b%2fc%20d?x=%20 HTTP/1.1\nHost: a\n\n"},
		{"to be escaped", "GET", "http://a/c d/ä", "", nil, "", "GET /c%20d/%C3%A4 HTTP/1.1\nHost: a\n\n"},
		{"opaque", "GET", "http:/a/b", "c", nil, "", "GET /a/b HTTP/1.1\nHost: c\n\n"},
		{
			"order", "GET", "http://a/", "shop.example",
			h{"X-B": {"2", "3"}, "Accept": {"*/*"}, "User-Agent": {"me"}},
			"",
			"GET / HTTP/1.1\nHost: shop.example\nUser-Agent: me\nAccept: */*\nX-B: 2\nX-B: 3\n\n",
		},
		{"no agent", "GET", "http://a/", "", h{"User-Agent": {""}}, "", "GET / HTTP/1.1\nHost: a\n\n"},
		{"body", "POST", "http://a/", "", nil, "hello", "POST / HTTP/1.1\nHost: a\nContent-Length: 5\n\nhello"},
		{"POST of nothing", "POST", "http://a/", "", nil, "", "POST / HTTP/1.1\nHost: a\nContent-Length: 0\n\n"},
		{"PUT of nothing", "PUT", "http://a/", "", nil, "", "PUT / HTTP/1.1\nHost: a\nContent-Length: 0\n\n"},
		{"PATCH of nothing", "PATCH", "http://a/", "", nil, "", "PATCH / HTTP/1.1\nHost: a\nContent-Length: 0\n\n"},
		{"DELETE of nothing", "DELETE", "http://a/", "", nil, "", "DELETE / HTTP/1.1\nHost: a\n\n"},
		{"GET with a body", "GET", "http://a/", "", nil, "x", "GET / HTTP/1.1\nHost: a\nContent-Length: 1\n\nx"},
		{
			"framing is not the user's", "POST", "http://a/", "",
			h{"Content-Length": {"9"}, "Transfer-Encoding": {"chunked"}, "host": {"b"}, "Trailer": {"X"}, "X": {"y"}},
			"z",
			"POST / HTTP/1.1\nHost: a\nX: y\nContent-Length: 1\n\nz",
		},
		{"value", "GET", "http://a/", "", h{"X": {" \tä\tb "}, "Y": {""}}, "", "GET / HTTP/1.1\nHost: a\nX: ä\tb\nY: \n\n"},
		{"IPv6", "GET", "http://[::1]:80/", "", nil, "", "GET / HTTP/1.1\nHost: [::1]:80\n\n"},
		{"zone", "GET", "http://[fe80::1%25eth0]:80/", "", nil, "", "GET / HTTP/1.1\nHost: [fe80::1]:80\n\n"},
		{"empty port", "GET", "http://a:/", "", nil, "", "GET / HTTP/1.1\nHost: a\n\n"},
		{"a method of one's own", "PURGE!", "http://a/", "", nil, "", "PURGE! / HTTP/1.1\nHost: a\n\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := AppendRequest([]byte("before"), tt.method, parseURL(t, tt.url), tt.host, tt.header, []byte(tt.body))
			if err != nil {
				t.Fatal(err)
			}
			if text := strings.ReplaceAll(string(got), "\r\n", "\n"); text != "before"+tt.want {
				t.Errorf("got %q\nwant %q", text, "before"+tt.want)
			}
			if r, err := http.ReadRequest(bufio.NewReader(bytes.NewReader(got[len("before"):]))); err != nil {
				t.Errorf("net/http: %v", err)
			} else if b, _ := io.ReadAll(r.Body); string(b) != tt.body || r.Method != tt.method {
				t.Errorf("net/http reads %s with %q", r.Method, b)
			}
		})
	}
}

// TestAsNetHTTP: the same message as that of net/http, but for the order of fields.
func TestAsNetHTTP(t *testing.T) {
	header := http.Header{"User-Agent": {"unpark"}, "X-A": {"1", "2"}, "Accept": {"text/html"}}
	for _, method := range []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"} {
		for _, body := range []string{"", "hello"} {
			if method == "TRACE" && body != "" {
				continue
			}
			u := parseURL(t, "http://a.example:1/x/y?z")
			got, err := AppendRequest(nil, method, u, "b.example", header, []byte(body))
			if err != nil {
				t.Fatal(err)
			}
			r := &http.Request{Method: method, URL: u, Host: "b.example", Header: header}
			if body != "" {
				r.ContentLength, r.Body = int64(len(body)), io.NopCloser(strings.NewReader(body))
			}
			var want bytes.Buffer
			if err := r.Write(&want); err != nil {
				t.Fatal(err)
			}
			if a, b := sortedLines(string(got)), sortedLines(want.String()); a != b {
				t.Errorf("%s %q\ngot  %q\nwant %q", method, body, a, b)
			}
		}
	}
}

func sortedLines(message string) string {
	head, body, _ := strings.Cut(message, "\r\n\r\n")
	lines := strings.Split(head, "\r\n")
	slices.Sort(lines[1:])
	return strings.Join(lines, "\n") + "\n\n" + body
}

func TestAppendRequestRefuses(t *testing.T) {
	type h = http.Header
	for _, tt := range []struct {
		name, method, host string
		url                *url.URL
		header             h
		want               string
	}{
		{"no method", "", "", nil, nil, `method ""`},
		{"method of two words", "GET /", "", nil, nil, `method "GET /"`},
		{"tunnel", "CONNECT", "", nil, nil, "opens a tunnel"},
		{"space in the query", "GET", "", &url.URL{Host: "a", Path: "/", RawQuery: "b c"}, nil, `request target "/": ' ' at byte 3`},
		{"line end in the query", "GET", "", &url.URL{Host: "a", RawQuery: "b\r\nX: y"}, nil, `'\r'`},
		{"line end in the host", "GET", "a\r\nX: y", nil, nil, `host "a\r\nX: y"`},
		{"user in the host", "GET", "u@a", nil, nil, `host "u@a"`},
		{"international host", "GET", "bücher.example", nil, nil, "xn--"},
		{"no host", "GET", "", &url.URL{Path: "/"}, nil, "no host"},
		{"line end in a value", "GET", "", nil, h{"X-Bad": {"ok", "a\r\nX: y"}}, `header "X-Bad"`},
		{"LF in a value", "GET", "", nil, h{"X-Bad": {"a\n"}}, `header "X-Bad"`},
		{"NUL in a value", "GET", "", nil, h{"X-Bad": {"a\x00"}}, `header "X-Bad"`},
		{"line end in a left out value", "GET", "", nil, h{"Trailer": {"a\n"}}, `header "Trailer"`},
		{"line end in a name", "GET", "", nil, h{"X\r\nY": {"a"}}, `header name "X\r\nY"`},
		{"colon in a name", "GET", "", nil, h{"X:": {"a"}}, `header name "X:"`},
		{"no name", "GET", "", nil, h{"": {"a"}}, `header name ""`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			u := tt.url
			if u == nil {
				u = &url.URL{Host: "a", Path: "/"}
			}
			got, err := AppendRequest([]byte("before"), tt.method, u, tt.host, tt.header, nil)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v, want %q", err, tt.want)
			}
			if string(got) != "before" {
				t.Errorf("dst became %q", got)
			}
		})
	}
}

func FuzzAppendRequest(f *testing.F) {
	f.Add("GET", "http://a/b?c", "", "X-A", "b", "")
	f.Add("POST", "http://[::1%25x]:1/", "h", "User-Agent", "\tä", "body")
	f.Add("A", "http:a b", "x\r\ny", "Content-Length", "9", "z")
	f.Fuzz(func(t *testing.T, method, target, host, name, value, body string) {
		u, err := url.Parse(target)
		if err != nil {
			return
		}
		got, err := AppendRequest(nil, method, u, host, http.Header{name: {value}}, []byte(body))
		if err != nil {
			if len(got) > 0 {
				t.Errorf("an error and %q", got)
			}
			return
		}
		head, rest, ok := strings.Cut(string(got), "\r\n\r\n")
		if !ok || rest != body || strings.Count(head, "\r\n") != strings.Count(head, "\n") || strings.Count(head, "\n") > 4 {
			t.Errorf("not one message: %q", got)
		}
		if strings.Count(strings.SplitN(head, "\r\n", 2)[0], " ") != 2 {
			t.Errorf("not one request line: %q", got)
		}
	})
}
