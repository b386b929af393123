package evidence

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/profile"
)

const (
	benchProcesses = 128
	benchSnapshots = 10
)

// fleet encodes the profiles of many processes that run one program: 1000 stacks
// of each kind, and 200 in each goroutine dump.
func fleet() (files map[unpark.Kind][][]byte, dumps [][]byte) {
	files = map[unpark.Kind][][]byte{}
	leaf := map[unpark.Kind]string{
		unpark.KindCPU: "runtime.memmove", unpark.KindBlock: "sync.(*Mutex).Lock", unpark.KindMutex: "sync.(*Mutex).Unlock",
		unpark.KindAllocs: "strings.Repeat", unpark.KindHeap: "strings.Repeat", unpark.KindGoroutine: "runtime.gopark runtime.chanrecv1",
	}
	stacks := func(kind unpark.Kind, process, n int) []byte {
		code := rand.New(rand.NewPCG(1, 1))
		r := rand.New(rand.NewPCG(2, uint64(process)))
		var out []made
		for range n {
			var b strings.Builder
			b.WriteString(leaf[kind])
			for range 10 + code.IntN(15) {
				f := code.IntN(800)
				fmt.Fprintf(&b, " example.com/shop/pkg%d.(*T%d).M%d@%d", f%40, f%7, f, 1+code.IntN(5))
			}
			b.WriteString(serve)
			out = append(out, made{b.String(), 0.01 * float64(1+r.IntN(100)), 1})
		}
		return encode(kind, out)
	}
	for kind := range leaf {
		for i := range benchProcesses {
			if kind == unpark.KindGoroutine {
				dumps = append(dumps, stacks(kind, i, 200))
				continue
			}
			files[kind] = append(files[kind], stacks(kind, i, 1000))
		}
	}
	return files, dumps
}

// BenchmarkVerdict128 is DESIGN §6: 128 worker processes, all kinds decoded,
// merged and reduced on two cores within 5 s and 512 MB. "MB" is what is
// held at the end, without the files.
func BenchmarkVerdict128(b *testing.B) {
	files, dumps := fleet()
	runtime.GC()
	var base, m runtime.MemStats
	runtime.ReadMemStats(&base)
	b.ReportAllocs()
	for b.Loop() {
		in := Input{Target: unpark.Target{Module: "example.com/shop"}, Window: window(30), Profiles: map[unpark.Kind][]*profile.Profile{}}
		for kind, fs := range files {
			in.Profiles[kind] = decodeAll(b, kind, fs)
		}
		for range benchSnapshots {
			in.Snapshots = append(in.Snapshots, decodeAll(b, unpark.KindGoroutine, dumps))
		}
		ev, flames, _ := Reduce(in)
		runtime.GC()
		runtime.ReadMemStats(&m)
		b.ReportMetric(float64(m.HeapAlloc-base.HeapAlloc)/(1<<20), "MB")
		runtime.KeepAlive(ev)
		runtime.KeepAlive(flames)
		runtime.KeepAlive(in)
	}
}

// decodeAll decodes on as many goroutines as there are processors.
func decodeAll(b *testing.B, kind unpark.Kind, files [][]byte) []*profile.Profile {
	out := make([]*profile.Profile, len(files))
	next := make(chan int)
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := range next {
				p, err := profile.Decode(bytes.NewReader(files[i]), kind, string(kind))
				if err != nil {
					b.Error(err)
				}
				out[i] = p
			}
		})
	}
	for i := range files {
		next <- i
	}
	close(next)
	wg.Wait()
	return out
}
