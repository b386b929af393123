package verdict

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"flag"
	"io"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"runtime/trace"
	"sync"
	"testing"
	"time"

	"github.com/valyala/fasthttp"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/types/known/emptypb"

	"github.com/unpark-go/unpark/internal/judge/evidence"
	"github.com/unpark-go/unpark/internal/measure/exectrace"
	"github.com/unpark-go/unpark/internal/measure/profile"
	"github.com/unpark-go/unpark/probe"
)

// record makes the traces anew, by running the servers:
//
//	go test -trimpath -run TestInferred ./labs/verdict -record
var record = flag.Bool("record", false, "record testdata/inferred anew")

// shared is what every request of these services waits for.
type shared struct{ mu sync.Mutex }

// marked serves one request and marks it as the probe's middleware does.
func (s *shared) marked() {
	ctx, task := trace.NewTask(context.Background(), "GET /marked")
	defer task.End()
	defer trace.StartRegion(ctx, probe.RegionRequest).End()
	s.mu.Lock()
	defer s.mu.Unlock()
	time.Sleep(3 * time.Millisecond)
}

// fastServer serves over fasthttp.
func fastServer(t *testing.T) (call func() error) {
	s := new(shared)
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &fasthttp.Server{Handler: func(c *fasthttp.RequestCtx) {
		s.marked()
		c.SetBodyString("ok")
	}}
	go func() { _ = server.Serve(ln) }()
	t.Cleanup(func() { _ = server.Shutdown() })
	client := &fasthttp.Client{MaxConnsPerHost: 64}
	return func() error {
		code, _, err := client.Get(nil, "http://"+ln.Addr().String()+"/")
		if err == nil && code != fasthttp.StatusOK {
			err = io.ErrUnexpectedEOF
		}
		return err
	}
}

// callServer serves gRPC; with workers, by a fixed number of goroutines.
func callServer(workers uint32) func(*testing.T) func() error {
	return func(t *testing.T) func() error {
		s := new(shared)
		ln, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		server := grpc.NewServer(grpc.NumStreamWorkers(workers), grpc.UnknownServiceHandler(func(_ any, stream grpc.ServerStream) error {
			if err := stream.RecvMsg(new(emptypb.Empty)); err != nil {
				return err
			}
			s.marked()
			return stream.SendMsg(new(emptypb.Empty))
		}))
		go func() { _ = server.Serve(ln) }()
		t.Cleanup(server.Stop)
		conn, err := grpc.NewClient(ln.Addr().String(), grpc.WithTransportCredentials(insecure.NewCredentials()))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conn.Close() })
		return func() error {
			return conn.Invoke(context.Background(), "/any.Service/Method", new(emptypb.Empty), new(emptypb.Empty))
		}
	}
}

// TestInferred: without any marks, the requests of fasthttp and gRPC servers are
// the same, and wait for the same, as those that are marked. The traces were recorded
// once: what happens at their ends differs with the load of the machine.
func TestInferred(t *testing.T) {
	for name, serve := range map[string]func(*testing.T) func() error{
		"fasthttp": fastServer, "grpc": callServer(0), "grpc-workers": callServer(4),
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join("testdata", "inferred", name+".trace.gz")
			if *record {
				write(t, file, traced(t, 4, 25, serve(t)))
			}
			tr := recorded(t, file)
			if tr.Exact.Count != 100 {
				t.Fatalf("%d marked requests, want 100", tr.Exact.Count)
			}
			// The first request of a connection that is opened in the trace, and the last
			// of one whose goroutine reads on, may be at an end of it. The goroutine of the
			// call before it may not be back at its connection when it begins.
			if n := tr.Inferred.Count; n < 95 || n > 101 {
				t.Errorf("%d inferred requests of 100, %d unfinished", n, tr.Inferred.Unfinished)
			}
			// What is around the marks depends on how busy the machine is, what is inside
			// does not.
			exact, inferred := per(tr.Exact, exectrace.Lock), per(tr.Inferred, exectrace.Lock)
			if exact < 3e6 || inferred < 0.9*exact || inferred > 1.1*exact {
				t.Errorf("a marked request waits %.3g ms for the lock, an inferred one %.3g ms", exact/1e6, inferred/1e6)
			}
			for _, r := range tr.Inferred.Sample {
				var sum int64
				for _, s := range r.Spent {
					sum += s.Time
				}
				if sum != r.Wall {
					t.Fatalf("the states of a request add up to %d of %d ns", sum, r.Wall)
				}
			}
		})
	}
}

// per is the mean time of a request in a state, in ns.
func per(rs exectrace.Requests, s exectrace.State) float64 {
	return float64(rs.Spent[s]) / float64(max(1, rs.Count))
}

// traced runs some clients and returns the execution trace of them and their server.
func traced(t *testing.T, clients, each int, call func() error) []byte {
	t.Helper()
	if _, file, _, _ := runtime.Caller(0); filepath.IsAbs(file) {
		t.Fatal("the trace would name folders of this machine: record with -trimpath")
	}
	if err := call(); err != nil { // connections are open before the trace
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := trace.Start(&out); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range clients {
		wg.Go(func() {
			for range each {
				if err := call(); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	time.Sleep(20 * time.Millisecond) // servers read on
	trace.Stop()
	return out.Bytes()
}

func write(t *testing.T, file string, data []byte) {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := z.Write(data)
	if err = errors.Join(err, z.Close(), os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, b.Bytes(), 0o644)); err != nil {
		t.Fatal(err)
	}
}

// recorded reads a trace.
func recorded(t *testing.T, file string) *exectrace.Trace {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	c := profile.NewCatalogue("github.com/unpark-go/unpark/labs")
	tr, err := exectrace.Read(z, exectrace.Options{Meaning: evidence.Meaning(c)})
	if err != nil || tr.Broken != nil {
		t.Fatal(err, tr)
	}
	return tr
}
