//go:build unix

package fleet

import (
	"archive/tar"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/fleet/hub"
	"github.com/unpark-go/unpark/internal/fleet/wire"
)

// used is the CPU time of this process.
func used() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u) // of this process it cannot fail
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkAgents drives one plan, 4,000 requests a second for 5 s, by 1, 2, 4 and 8 agents at a service
// in a process of its own, $UNPARK_FLEET_SERVICE. coordinator-ms/s is the CPU of coordinator
// and NATS server in each second of the load, agents-ms/s that of all generators.
func BenchmarkAgents(b *testing.B) {
	url := os.Getenv("UNPARK_FLEET_SERVICE")
	if url == "" {
		b.Skip("no UNPARK_FLEET_SERVICE")
	}
	for _, n := range []int{1, 2, 4, 8} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			id, join, _, err := hub.Open(b.TempDir())
			if err != nil {
				b.Fatal(err)
			}
			f, err := Open(b.Context(), Options{Identity: id, Listen: "127.0.0.1:0"})
			if err != nil {
				b.Fatal(err)
			}
			defer f.Close()
			for i := range n {
				start(b, f.URL(), join, string(rune('a'+i)), time.Duration(i%3-1)*2*time.Second)
			}
			agents, err := f.Choose(b.Context(), fmt.Sprint(n), 30*time.Second)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				once(b, f, agents, url)
			}
		})
	}
}

func once(b *testing.B, f *Fleet, agents []Agent, url string) {
	p := unpark.Plan{Mode: unpark.Constant, RateRPS: 4000, Connections: 64, Duration: 5, Timeout: 5, Requests: []unpark.Request{{URL: url}}}
	session, err := f.Begin(b.Context(), order(agents, p))
	if err != nil {
		b.Fatal(err)
	}
	time.Sleep(time.Until(session.Start()))
	before := used()
	time.Sleep(time.Until(session.Start().Add(5 * time.Second)))
	cost := used() - before
	from := time.Now()
	r, err := session.Wait(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	if r.Record == nil {
		b.Fatalf("%+v", r.Void)
	}
	spread := 0.0
	for _, a := range r.Agents {
		spread = max(spread, a.Start.Or(0))
	}
	l := r.Record.Load(r.Measured())
	b.ReportMetric(l.AchievedRPS/4000, "kept")
	b.ReportMetric(l.OfferedRPS/4000, "offered")
	b.ReportMetric(spread*1e3, "start-ms")
	b.ReportMetric(cost.Seconds()/5*1e3, "coordinator-ms/s")
	b.ReportMetric(l.GeneratorCPU.Or(0)*1e3, "agents-ms/s")
	b.ReportMetric(time.Since(from).Seconds(), "collect-s")
	b.ReportMetric(float64(len(r.Void)), "void")
}

// BenchmarkHandIn has 16 agents hand in what 8 processes each leave, 24 profiles of 40 kB, and a
// trace of 16 MB each, at once: from there until all is in the run directory. Nothing is
// decoded.
func BenchmarkHandIn(b *testing.B) {
	for _, agents := range []int{1, 4, 16} {
		b.Run(fmt.Sprint(agents), func(b *testing.B) {
			id, join, _, err := hub.Open(b.TempDir())
			if err != nil {
				b.Fatal(err)
			}
			f, err := Open(b.Context(), Options{Identity: id, Listen: "127.0.0.1:0"})
			if err != nil {
				b.Fatal(err)
			}
			defer f.Close()
			j, err := hub.ReadJoin(join)
			if err != nil {
				b.Fatal(err)
			}
			dir := b.TempDir()
			trace, small := make([]byte, 16<<20), make([]byte, 40<<10)
			_, _ = rand.Read(trace)
			_, _ = rand.Read(small)
			for round := 0; b.Loop(); round++ {
				handIn(b, f, j, agents, filepath.Join(dir, fmt.Sprint(round)), trace, small)
			}
		})
	}
}

func handIn(b *testing.B, f *Fleet, j hub.Join, agents int, dir string, trace, small []byte) {
	from, before := time.Now(), used()
	s := &Session{f: f, run: "r", o: Order{Window: "window-01", Create: func(name string) (io.WriteCloser, error) {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			return nil, err
		}
		return os.Create(name)
	}}}
	var wg sync.WaitGroup
	errs := make([]error, agents)
	room := make(chan struct{}, fetchers)
	for i := range agents {
		wg.Go(func() {
			p := &part{member: &member{numbers: map[int]int{}}, done: &wire.Done{}}
			p.done.Files, errs[i] = puts(b, f, j, i, trace, small)
			for n := range 8 {
				p.numbers[100*i+n+1] = 100*i + n + 1
			}
			room <- struct{}{}
			defer func() { <-room }()
			errs[i] = errors.Join(errs[i], s.object(b.Context(), p.done.Files, func(r io.Reader) error { return s.unpack(r, p) }))
		})
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(time.Since(from).Seconds(), "s")
	b.ReportMetric((used() - before).Seconds(), "cpu-s")
	b.ReportMetric(peak(), "peak-MB")
}

// puts stores what one agent has; its chunks share the process with the coordinator here.
func puts(b *testing.B, f *Fleet, j hub.Join, i int, trace, small []byte) (string, error) {
	nc, err := j.DialAgent(f.URL())
	if err != nil {
		return "", err
	}
	defer nc.Close()
	pack := func(to *io.PipeWriter) {
		out := tar.NewWriter(to)
		put := func(file string, body []byte) error {
			if err := out.WriteHeader(&tar.Header{Name: file, Mode: 0o600, Size: int64(len(body))}); err != nil {
				return err
			}
			_, err := out.Write(body)
			return err
		}
		var errs []error
		for n := range 8 {
			for k := range 24 {
				errs = append(errs, put(fmt.Sprintf("window-01/%d/kind-%02d.pb.gz", 100*i+n+1, k), small))
			}
		}
		errs = append(errs, put(fmt.Sprintf("window-01/%d/trace.out", 100*i+1), trace), out.Close())
		to.CloseWithError(errors.Join(errs...))
	}
	key := fmt.Sprintf("r/%d/files.tar", i)
	return key, hub.Put(b.Context(), nc, key, func() io.ReadCloser {
		in, to := io.Pipe()
		go pack(to)
		return in
	})
}

// peak is the most memory that the process had, in MB.
func peak() float64 {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(text), "VmHWM:")
	var kb float64
	_, _ = fmt.Sscan(rest, &kb) // 0 when it does not say
	return kb / 1024
}
