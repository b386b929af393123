package report

import "github.com/unpark-go/unpark"

// flames draws one graph per kind below the request path, the background, the
// runtime and the observer.
func flames(r unpark.Run) []unpark.Flame {
	var out []unpark.Flame
	for _, k := range []unpark.Kind{unpark.KindCPU, unpark.KindBlock, unpark.KindMutex, unpark.KindAllocs, unpark.KindGoroutine} {
		b := flameBuilder{flame: unpark.Flame{Kind: k, Unit: k.Unit(), Names: []string{"all\x00"}}, names: map[string]int{}}
		b.node(0, 0, 'q', 0)
		web := []string{
			"net/http.(*conn).serve\x00/go/src/net/http/server.go:2120", "net/http.HandlerFunc.ServeHTTP\x00/go/src/net/http/server.go:2322",
			"example.com/shop/lookup/internal/web.(*Server).item\x00/src/lookup/internal/web/server.go:88",
		}
		cache := "example.com/shop/lookup/internal/cache.(*Cache).Get\x00/src/lookup/internal/cache/cache.go:41"
		b.stack(62.1, 'q', append(web, cache, "sync.(*Mutex).Lock\x00/go/src/sync/mutex.go:46", "internal/sync.(*Mutex).lockSlow\x00/go/src/internal/sync/mutex.go:149")...)
		b.stack(16, 'q', append(web, cache, "example.com/shop/lookup/internal/cache.decode\x00/src/lookup/internal/cache/cache.go:90",
			"encoding/json.Unmarshal\x00/go/src/encoding/json/decode.go:108", "encoding/json.(*decodeState).value\x00/go/src/encoding/json/decode.go:370")...)
		b.stack(9.4, 'q', append(web, "example.com/shop/lookup/internal/web.(*Server).render\x00/src/lookup/internal/web/render.go:23",
			"runtime.makeslice\x00/go/src/runtime/slice.go:117", "runtime.mallocgc\x00/go/src/runtime/malloc.go:1083")...)
		b.stack(3, 'q', append(web[:1:1], "net/http.(*response).finishRequest\x00/go/src/net/http/server.go:1700", "bufio.(*Writer).Flush\x00/go/src/bufio/bufio.go:639",
			"internal/poll.(*FD).Write\x00/go/src/internal/poll/fd_unix.go:380", "syscall.write\x00/go/src/syscall/zsyscall_linux_amd64.go:964")...)
		b.stack(11, 'b', "example.com/shop/lookup/internal/cache.(*Cache).refresh\x00/src/lookup/internal/cache/refresh.go:17", "time.Sleep\x00/go/src/runtime/time.go:364")
		b.stack(5, 'r', "runtime.gcBgMarkWorker\x00/go/src/runtime/mgc.go:1432", "runtime.gcDrain\x00/go/src/runtime/mgcmark.go:1203", "runtime.scanobject\x00/go/src/runtime/mgcmark.go:1510")
		b.stack(2.6, 'r', "runtime.mcall\x00/go/src/runtime/asm_amd64.s:459", "runtime.schedule\x00/go/src/runtime/proc.go:4142", "runtime.findRunnable\x00/go/src/runtime/proc.go:3380")
		b.stack(4, 'o', "github.com/unpark-go/unpark/probe/agent.(*server).profile\x00/m/agent/pprof.go:60", "runtime/pprof.StartCPUProfile\x00/go/src/runtime/pprof/pprof.go:849")
		b.flame.Total = b.flame.Value[0]
		out = append(out, b.flame)
	}
	return out
}

// flameBuilder appends stacks that must come in preorder.
type flameBuilder struct {
	flame unpark.Flame
	names map[string]int
	path  []int // the nodes of the stack before
}

func (b *flameBuilder) node(depth, name int, side byte, self float64) {
	f := &b.flame
	b.path = append(b.path[:depth], len(f.Name))
	f.Name, f.Depth, f.Side = append(f.Name, name), append(f.Depth, depth), append(f.Side, side)
	f.Value, f.Self = append(f.Value, 0), append(f.Self, 0)
	for _, n := range b.path {
		f.Value[n] += self
	}
	f.Self[len(f.Self)-1] = self
}

func (b *flameBuilder) stack(v float64, side byte, names ...string) {
	f := &b.flame
	shared := true
	for i, text := range names {
		id, ok := b.names[text]
		if !ok {
			id = len(f.Names)
			f.Names = append(f.Names, text)
			b.names[text] = id
		}
		depth := i + 1
		if shared = shared && depth < len(b.path) && f.Name[b.path[depth]] == id; shared {
			continue
		}
		b.node(depth, id, side, 0)
	}
	b.path = b.path[:len(names)+1]
	for _, n := range b.path {
		f.Value[n] += v
	}
	f.Self[b.path[len(names)]] += v
}
