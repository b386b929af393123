package load

import (
	"context"
	"hash/maphash"
	"net"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
)

// benchGenerator returns a generator with one worker and nothing running.
func benchGenerator(b *testing.B, url string) *Generator {
	b.Helper()
	s, err := newSettings(unpark.Plan{Mode: unpark.Closed, Connections: 1, Requests: []unpark.Request{{URL: url}}})
	if err != nil {
		b.Fatal(err)
	}
	g := &Generator{settings: s, clock: &clock{base: time.Now()}, repeats: newRepeats(1)}
	g.newShards(1)
	g.stretches.Store(&[]*Stretch{newStretch(g, "warmup")})
	return g
}

func BenchmarkRecord(b *testing.B) {
	g := benchGenerator(b, "http://127.0.0.1/")
	c := connection{shard: g.shards[0]}
	s := sample{arrival: arrival{free: true}, outcome: outcome{status: 200, bytes: 100}}
	b.ReportAllocs()
	for i := int64(0); b.Loop(); i++ {
		s.intended = i * 1000
		s.written = s.intended + 20_000
		s.done = s.written + 100_000 + i%1000*1000
		g.record(&c, &s)
	}
}

// BenchmarkWants: what every request pays, on several threads.
func BenchmarkWants(b *testing.B) {
	r := newRepeats(1)
	var ids atomic.Int64
	b.RunParallel(func(pb *testing.PB) {
		c := connection{id: int(ids.Add(1))}
		for pb.Next() {
			if c.count++; r.wants(&c, 0, c.count*10_000) {
				r.seen(0, 1)
			}
		}
	})
}

// BenchmarkExchangeHTTP1 measures a request and its answer over one connection to
// a server that does nothing but answer; allocations are the client's.
func BenchmarkExchangeHTTP1(b *testing.B) {
	answer := []byte("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")
	addr := listen(b, func(c net.Conn) {
		var buf [4096]byte
		for {
			if _, err := c.Read(buf[:]); err != nil {
				return
			}
			if _, err := c.Write(answer); err != nil {
				return
			}
		}
	})
	g := benchGenerator(b, "http://"+addr+"/")
	x := newHTTPLink(context.Background(), g.settings, g.clock, maphash.MakeSeed())
	defer x.close()
	b.ReportAllocs()
	for b.Loop() {
		if o := x.exchange(0, false); o.status != http.StatusOK || o.bytes != 5 {
			b.Fatalf("%+v", o)
		}
	}
}

// BenchmarkSleeper reports by how much the pacing goroutine oversleeps.
func BenchmarkSleeper(b *testing.B) {
	s, err := newSleeper()
	if err != nil {
		b.Fatal(err)
	}
	defer s.close()
	const d = 200 * time.Microsecond
	over := newHistogram(digits)
	for b.Loop() {
		start := time.Now()
		s.sleep(d)
		over.add(int64(time.Since(start) - d))
	}
	l := over.latency()
	b.ReportMetric(l.P50*1e6, "p50-over-µs")
	b.ReportMetric(l.P99*1e6, "p99-over-µs")
}
