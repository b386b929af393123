package h1

import (
	"fmt"
	"strings"
	"testing"
)

// page is an answer of about 4.5 kB as net/http gives it.
func page() []byte {
	body := strings.Repeat("x", 4400)
	return fmt.Appendf(nil, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nDate: Mon, 01 Jan 2024 00:00:00 GMT\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
}

func BenchmarkFeed(b *testing.B) {
	whole := page()
	chunks := []byte(ok("Content-Type: application/json", "Date: Mon, 01 Jan 2024 00:00:00 GMT", chunked) +
		strings.Repeat("898\r\n"+strings.Repeat("x", 0x898)+"\r\n", 2) + "0\r\n\r\n")
	for _, bb := range []struct {
		name string
		in   []byte
		cut  int
	}{
		{"whole", whole, len(whole)},
		{"split in the header", whole, 60},
		{"split in the body", whole, 4096},
		{"chunked", chunks, len(chunks)},
	} {
		b.Run(bb.name, func(b *testing.B) {
			var p Parser
			b.SetBytes(int64(len(bb.in)))
			b.ReportAllocs()
			for b.Loop() {
				p.Reset(false)
				_, done, err := p.Feed(bb.in[:bb.cut])
				if !done && err == nil {
					_, done, err = p.Feed(bb.in[bb.cut:])
				}
				if !done || err != nil {
					b.Fatal(done, err)
				}
			}
		})
	}
}
