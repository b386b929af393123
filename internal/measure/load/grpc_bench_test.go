package load

import (
	"context"
	"hash/maphash"
	"net/http"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
)

// BenchmarkExchangeGRPC measures a unary call with an answer of 100 bytes over
// one connection. The server is in the same process: its processor time and its
// allocations are in the figures.
func BenchmarkExchangeGRPC(b *testing.B) {
	_, _, addr := serveGRPC(b)
	s, err := newSettings(unpark.Plan{Mode: unpark.Closed, Connections: 1, Requests: []unpark.Request{unary(addr, "size 100")}})
	if err != nil {
		b.Fatal(err)
	}
	x, err := newH2Link(context.Background(), s, &clock{base: time.Now()}, maphash.MakeSeed())
	if err != nil {
		b.Fatal(err)
	}
	defer x.close()
	b.ReportAllocs()
	for b.Loop() {
		if o := x.exchange(0, false); o.status != http.StatusOK || o.bytes != 100 {
			b.Fatalf("%+v", o)
		}
	}
}
