package load

import (
	"hash/maphash"
	"strings"
	"testing"

	"github.com/unpark-go/unpark/internal/measure/load/h2"
)

// okCall is the header of a call that succeeded.
func okCall() *h2.Answer {
	return &h2.Answer{Status: 200, ContentType: "application/grpc", GRPCStatus: "0"}
}

func newCallAnswer(single bool) *callAnswer {
	a := &callAnswer{sum: &bodySum{}}
	a.sum.hash.SetSeed(maphash.MakeSeed())
	a.reset(single, true)
	return a
}

// TestCallAnswer: what a body and a trailer say together.
func TestCallAnswer(t *testing.T) {
	for name, tt := range map[string]struct {
		single bool
		body   string
		header func(*h2.Answer)
		status int
		bytes  int64
		detail string
		err    string
	}{
		"one":                 {true, string(framed("hello")), nil, 200, 5, "", ""},
		"empty":               {true, string(framed("")), nil, 200, 0, "", ""},
		"three":               {false, string(framed("a", "", "bc")), nil, 200, 3, "", ""},
		"none of a stream":    {false, "", nil, 200, 0, "", ""},
		"none":                {true, "", nil, 0, 0, "", "without a message"},
		"two":                 {true, string(framed("a", "b")), nil, 0, 1, "", "a second message"},
		"cut in a message":    {true, string(framed("hello")[:7]), nil, 0, 2, "", "ends 3 bytes before"},
		"cut in a prefix":     {false, string(framed("a")) + "\x00\x00", nil, 0, 1, "", "within the prefix of its message 2"},
		"compressed":          {true, "\x01\x00\x00\x00\x01x", nil, 0, 0, "", "compressed"},
		"too long":            {true, "\x00\x04\x00\x00\x01", nil, 0, 0, "", "more than 67108864"},
		"status of HTTP":      {true, "", func(h *h2.Answer) { h.Status = 502 }, 0, 0, "", "status 502 Bad Gateway"},
		"a page":              {true, "", func(h *h2.Answer) { h.ContentType = "text/html" }, 0, 0, "", "not gRPC"},
		"another codec":       {true, string(framed("x")), func(h *h2.Answer) { h.ContentType = "application/grpc+json" }, 200, 1, "", ""},
		"gRPC-Web":            {true, "", func(h *h2.Answer) { h.ContentType = "application/grpc-web" }, 0, 0, "", "not gRPC"},
		"no status":           {true, string(framed("x")), func(h *h2.Answer) { h.GRPCStatus = "" }, 0, 1, "", "no grpc-status"},
		"odd status":          {true, string(framed("x")), func(h *h2.Answer) { h.GRPCStatus = "-1" }, 0, 1, "", "no grpc-status"},
		"an error":            {true, "", func(h *h2.Answer) { h.GRPCStatus, h.GRPCMessage = "5", "no%20such%0A" }, 404, 0, `gRPC NOT_FOUND "no such\n"`, ""},
		"an error in between": {false, string(framed("a")), func(h *h2.Answer) { h.GRPCStatus = "10" }, 409, 1, "gRPC ABORTED", ""},
		"bad escape":          {true, "", func(h *h2.Answer) { h.GRPCStatus, h.GRPCMessage = "13", "%zz" }, 500, 0, "gRPC INTERNAL", ""},
	} {
		for _, size := range []int{1, 3, 1 << 20} {
			a, h := newCallAnswer(tt.single), okCall()
			if tt.header != nil {
				tt.header(h)
			}
			for b := []byte(tt.body); len(b) > 0; b = b[min(size, len(b)):] {
				a.add(b[:min(size, len(b))])
			}
			status, detail, err := a.finish(h)
			if status != tt.status && tt.err == "" || a.bytes != tt.bytes {
				t.Errorf("%s: status %d, %d bytes", name, status, a.bytes)
			}
			if said := words(detail); said != tt.detail {
				t.Errorf("%s: %s, want %s", name, said, tt.detail)
			}
			if said := words(err); (said == "") != (tt.err == "") || !strings.Contains(said, tt.err) {
				t.Errorf("%s: %s, want %s", name, said, tt.err)
			}
		}
	}
}

func words(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// FuzzCallAnswer: however a body is cut, the outcome is the same.
func FuzzCallAnswer(f *testing.F) {
	f.Add(framed("hello"), 1, true)
	f.Add(framed("a", "", "bc"), 4, false)
	f.Add([]byte{0, 255, 255, 255, 255, 1}, 2, false)
	f.Fuzz(func(t *testing.T, body []byte, size int, single bool) {
		size = max(1, size)
		whole, parts := newCallAnswer(single), newCallAnswer(single)
		whole.add(body)
		for b := body; len(b) > 0; b = b[min(size, len(b)):] {
			parts.add(b[:min(size, len(b))])
		}
		_, _, errA := whole.finish(okCall())
		_, _, errB := parts.finish(okCall())
		if words(errA) != words(errB) || whole.bytes != parts.bytes || whole.messages != parts.messages {
			t.Errorf("whole: %v, %d bytes of %d; by %d: %v, %d bytes of %d", errA, whole.bytes, whole.messages, size, errB, parts.bytes, parts.messages)
		}
		if whole.bytes > int64(len(body)) {
			t.Errorf("%d bytes of %d", whole.bytes, len(body))
		}
	})
}
