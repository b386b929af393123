package profile

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"runtime/pprof"
	"strings"
	"sync"
	"testing"

	"github.com/unpark-go/unpark"
)

// service is a small HTTP service with one lock, one channel and some encoding,
// so that tests read profiles that the runtime of this machine wrote.
type service struct {
	mu    sync.Mutex
	cache map[string][]byte
	jobs  chan func()
}

func newService() *service {
	s := &service{cache: map[string][]byte{}, jobs: make(chan func())}
	go s.worker()
	return s
}

func (s *service) worker() {
	for job := range s.jobs {
		job()
	}
}

func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	done := make(chan []byte)
	s.jobs <- func() { done <- s.render(r.URL.Path) }
	w.Write(<-done)
}

func (s *service) render(key string) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	var words []string
	for i := range 300 {
		words = append(words, strings.Repeat(key, i%7))
	}
	b, err := json.Marshal(words)
	if err != nil {
		panic(err)
	}
	s.cache[key] = b
	return b
}

// drive sends n requests over 4 connections and leaves the connections open.
func drive(tb testing.TB, url string, n int) {
	tb.Helper()
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range n / 4 {
				resp, err := http.Get(url + "/abc")
				if err != nil {
					tb.Error(err)
					return
				}
				_, _ = io.Copy(io.Discard, resp.Body)
				resp.Body.Close()
			}
		})
	}
	wg.Wait()
}

// realProfiles returns one profile of each kind of this process under load.
func realProfiles(tb testing.TB) map[unpark.Kind][]byte {
	tb.Helper()
	runtime.SetBlockProfileRate(1)
	old := runtime.SetMutexProfileFraction(1)
	defer func() {
		runtime.SetBlockProfileRate(0)
		runtime.SetMutexProfileFraction(old)
	}()
	srv := httptest.NewServer(newService())
	defer srv.Close()
	out := map[unpark.Kind][]byte{}
	var cpu bytes.Buffer
	if err := pprof.StartCPUProfile(&cpu); err != nil {
		tb.Fatal(err)
	}
	pprof.Do(context.Background(), pprof.Labels("route", "/abc"), func(context.Context) { drive(tb, srv.URL, 400) })
	contend()
	pprof.StopCPUProfile()
	out[unpark.KindCPU] = cpu.Bytes()
	for _, k := range []unpark.Kind{
		unpark.KindBlock, unpark.KindMutex, unpark.KindAllocs, unpark.KindHeap,
		unpark.KindGoroutine, unpark.KindThreadCreate,
	} {
		var b bytes.Buffer
		if err := pprof.Lookup(string(k)).WriteTo(&b, 0); err != nil {
			tb.Fatal(err)
		}
		out[k] = b.Bytes()
	}
	return out
}

// contend makes sure that some goroutine waits for a lock that another holds.
func contend() {
	var mu sync.Mutex
	mu.Lock()
	waiting := make(chan struct{})
	done := make(chan struct{})
	go func() {
		close(waiting)
		mu.Lock()
		close(done)
		mu.Unlock()
	}()
	<-waiting
	for range 1000 {
		runtime.Gosched()
	}
	mu.Unlock()
	<-done
}

func mustDecode(tb testing.TB, data []byte, kind unpark.Kind) *Profile {
	tb.Helper()
	p, err := Decode(bytes.NewReader(data), kind, string(kind)+".pb.gz")
	if err != nil {
		tb.Fatal(err)
	}
	return p
}
