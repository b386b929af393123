package exchange

import (
	"bytes"
	"context"
	"runtime"
	"runtime/pprof"
	"sync"
	"testing"
	"time"

	google "github.com/google/pprof/profile"

	"github.com/unpark-go/unpark"
)

// captured are profiles that the runtime of this machine wrote, of all kinds that are exchanged, with labels.
var captured = sync.OnceValue(func() []Profile {
	runtime.SetBlockProfileRate(1)
	runtime.SetMutexProfileFraction(1)
	defer runtime.SetBlockProfileRate(0)
	defer runtime.SetMutexProfileFraction(0)
	var cpu bytes.Buffer
	if err := pprof.StartCPUProfile(&cpu); err != nil {
		panic(err)
	}
	var mu sync.Mutex
	var wg sync.WaitGroup
	var kept [][]byte
	for i := range 4 {
		wg.Go(func() {
			pprof.Do(context.Background(), pprof.Labels("route", []string{"/a", "/b"}[i%2]), func(context.Context) {
				until := time.Now().Add(150 * time.Millisecond)
				for n := 0; time.Now().Before(until); n++ {
					mu.Lock()
					if n%1000 == 0 {
						kept = append(kept, make([]byte, 1<<14))
					}
					mu.Unlock()
				}
			})
		})
	}
	wg.Wait()
	pprof.StopCPUProfile()
	out := []Profile{{Kind: unpark.KindCPU, Name: "window-01/7/cpu.pb.gz", PID: 7, Window: 1, Data: cpu.Bytes()}}
	for _, k := range []unpark.Kind{unpark.KindBlock, unpark.KindMutex, unpark.KindAllocs, unpark.KindHeap, unpark.KindGoroutine} {
		var b bytes.Buffer
		if err := pprof.Lookup(string(k)).WriteTo(&b, 0); err != nil {
			panic(err)
		}
		out = append(out, Profile{Kind: k, Name: "window-01/7/" + k.File(), PID: 7, Window: 1, Data: b.Bytes()})
	}
	runtime.KeepAlive(kept)
	return out
})

// canonical is a profile as Google's library writes it when its parts are in the order of their use: equal for profiles that say the same.
func canonical(t testing.TB, data []byte) []byte {
	t.Helper()
	p, err := google.ParseData(data)
	if err != nil {
		t.Fatal(err)
	}
	if p, err = google.Merge([]*google.Profile{p}); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := p.WriteUncompressed(&out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
