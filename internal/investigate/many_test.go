package investigate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"runtime/trace"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	pprof "github.com/google/pprof/profile"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/judge/evidence"
	"github.com/unpark-go/unpark/internal/measure/profile"
	"github.com/unpark-go/unpark/internal/measure/window"
)

// madeLeaves is where the stacks of a kind end, of those that every process has.
var madeLeaves = map[unpark.Kind]string{
	unpark.KindCPU: "runtime.memmove", unpark.KindBlock: "sync.(*Mutex).Lock", unpark.KindMutex: "sync.(*Mutex).Unlock",
	unpark.KindAllocs: "strings.Repeat", unpark.KindHeap: "strings.Repeat", unpark.KindGoroutine: "runtime.gopark runtime.chanrecv1",
}

// madeProfile is the profile of one process of many that run one program with 800 functions: about n stacks of
// 14 to 29 frames each, of which another tenth is missing in each process.
func madeProfile(kind unpark.Kind, process, n int) *pprof.Profile {
	code, own := rand.New(rand.NewPCG(1, 1)), rand.New(rand.NewPCG(2, uint64(process)))
	p := &pprof.Profile{DurationNanos: int64(2 * time.Second)}
	value := func(name, unit string) { p.SampleType = append(p.SampleType, &pprof.ValueType{Type: name, Unit: unit}) }
	switch kind {
	case unpark.KindCPU:
		value("samples", "count")
		value("cpu", "nanoseconds")
	case unpark.KindBlock, unpark.KindMutex:
		value("contentions", "count")
		value("delay", "nanoseconds")
	case unpark.KindAllocs:
		value("alloc_objects", "count")
		value("alloc_space", "bytes")
	case unpark.KindHeap:
		value("inuse_objects", "count")
		value("inuse_space", "bytes")
	default:
		value("goroutine", "count")
	}
	places := map[string]*pprof.Location{}
	place := func(at string) *pprof.Location {
		if l := places[at]; l != nil {
			return l
		}
		name, line, _ := strings.Cut(at, "@")
		number, _ := strconv.ParseInt(line, 10, 64)
		id := uint64(len(places) + 1)
		f := &pprof.Function{ID: id, Name: name, Filename: "/src/" + name + ".go"}
		l := &pprof.Location{ID: id, Line: []pprof.Line{{Function: f, Line: number}}}
		p.Function, p.Location, places[at] = append(p.Function, f), append(p.Location, l), l
		return l
	}
	for range n {
		frames := strings.Fields(madeLeaves[kind])
		for range 10 + code.IntN(15) {
			f := code.IntN(800)
			frames = append(frames, fmt.Sprintf("example.com/shop/pkg%d.(*T%d).M%d@%d", f%40, f%7, f, 1+code.IntN(5)))
		}
		frames = append(frames, "net/http.HandlerFunc.ServeHTTP@2", "net/http.serverHandler.ServeHTTP@3", "net/http.(*conn).serve@4")
		weight, missing := int64(1+own.IntN(100)), own.IntN(10) == 0
		if missing {
			continue
		}
		s := &pprof.Sample{Value: []int64{weight}}
		if len(p.SampleType) > 1 {
			s.Value = []int64{1, 1e5 * weight}
		}
		for _, at := range frames {
			s.Location = append(s.Location, place(at))
		}
		p.Sample = append(p.Sample, s)
	}
	return p
}

// madeSnapshots is how many goroutine profiles a process has beside those of the six kinds: 24 files in all.
const madeSnapshots = 18

// madeFiles makes the files of a process, by their names in its folder.
func madeFiles(process, stacks int) (map[string][]byte, error) {
	out := map[string][]byte{}
	add := func(name string, kind unpark.Kind, seed, n int) error {
		var b bytes.Buffer
		err := madeProfile(kind, seed, n).Write(&b)
		out[name] = b.Bytes()
		return err
	}
	var errs []error
	for kind := range madeLeaves {
		errs = append(errs, add(kind.File(), kind, process, stacks))
	}
	for i := range madeSnapshots {
		errs = append(errs, add(window.SnapshotFile(i), unpark.KindGoroutine, process+1000*(i+1), stacks/5))
	}
	return out, errors.Join(errs...)
}

// madeTrace records a service that answers requests under a lock until its execution trace has so many bytes.
func madeTrace(w io.Writer, size int64) error {
	var mu sync.Mutex
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		mu.Lock()
		time.Sleep(50 * time.Microsecond)
		mu.Unlock()
		_, _ = io.WriteString(w, "ok")
	}))
	defer s.Close()
	counted := &counter{w: w}
	if err := trace.Start(counted); err != nil {
		return err
	}
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 16}}
	var clients sync.WaitGroup
	for range 16 {
		clients.Go(func() {
			for counted.size() < size {
				if r, err := client.Get(s.URL); err == nil {
					_, _ = io.Copy(io.Discard, r.Body)
					_ = r.Body.Close()
				}
			}
		})
	}
	clients.Wait()
	trace.Stop()
	return counted.err
}

// counter counts what is written through it.
type counter struct {
	mu  sync.Mutex
	w   io.Writer
	n   int64
	err error
}

func (c *counter) Write(b []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	n, err := c.w.Write(b)
	c.n += int64(n)
	c.err = errors.Join(c.err, err)
	return n, err
}

func (c *counter) size() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.n
}

// madeWindow is the document of a window with the files of such processes; the first of them has a trace.
func madeWindow(start time.Time, pids ...int) unpark.Window {
	w := unpark.Window{Start: start, End: start.Add(2 * time.Second)}
	w.Machine.CPUs = 2
	for i, pid := range pids {
		w.Processes = append(w.Processes, unpark.Process{
			PID: pid, State: "whole", Cores: unpark.Num(0.5), GOMAXPROCS: unpark.Num(2), Endpoint: "http://127.0.0.1:6060",
		})
		add := func(kind unpark.Kind) {
			w.Profiles = append(w.Profiles, unpark.ProfileFile{
				Kind: kind, PID: pid, Start: w.Start, End: w.End, State: unpark.Present, Rate: unpark.Num(100),
				File: path.Join("window-01", strconv.Itoa(pid), kind.File()),
			})
		}
		for _, kind := range unpark.Kinds() {
			if madeLeaves[kind] != "" {
				add(kind)
			}
		}
		if i == 0 {
			add(unpark.KindTrace)
		}
	}
	return w
}

// TestSumsAreOneVerdict: profiles that are read side by side into their sums come to the verdict, the flame graphs and the
// warnings of those that are read one after the other and handed on one by one, whatever is broken among them.
func TestSumsAreOneVerdict(t *testing.T) {
	dir := t.TempDir()
	pids := []int{7, 8, 9, -1, 11}
	write := func(pid int, name string, body []byte) {
		file := filepath.Join(dir, "window-01", strconv.Itoa(pid), name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, body, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	for _, pid := range pids {
		files, err := madeFiles(pid, 60)
		if err != nil {
			t.Fatal(err)
		}
		for name, body := range files {
			switch {
			case pid == 8 && name == "block.pb.gz", pid == 9 && name == window.SnapshotFile(3):
				body = body[:len(body)/2]
			case pid == 11 && name == "cpu.pb.gz", pid == -1 && name == window.SnapshotFile(0):
				continue
			}
			write(pid, name, body)
		}
	}
	var traced bytes.Buffer
	if err := madeTrace(&traced, 200<<10); err != nil {
		t.Fatal(err)
	}
	write(pids[0], unpark.KindTrace.File(), traced.Bytes())
	w := madeWindow(time.Unix(1e9, 0).UTC(), pids...)
	w.Load = &unpark.Load{Mode: unpark.Constant, Seconds: 2, Requests: 5000, AchievedRPS: 2500, OfferedRPS: 2500, Status: map[string]int64{"200": 5000}, ErrorKinds: map[string]int64{}}
	run := newRun(Config{Plan: unpark.Plan{Mode: unpark.Constant, RateRPS: 2500, Connections: 8, Duration: 2}})
	run.Target.Module = "example.com/shop"
	run.Windows = []unpark.Window{w}

	verdict := func(in evidence.Input, bad []unpark.Notice) string {
		t.Helper()
		fresh := run
		fresh.Windows = []unpark.Window{w}
		fresh.Warnings = bad
		conclude(&fresh, 0, in, false)
		text, err := json.Marshal(fresh)
		if err != nil {
			t.Fatal(err)
		}
		flames, err := json.Marshal(fresh.Flames)
		if err != nil {
			t.Fatal(err)
		}
		return string(text) + string(flames)
	}
	want := verdict(oneByOne(dir, run))
	if !strings.Contains(want, "profile-unreadable") || !strings.Contains(want, "(*T") {
		t.Fatalf("there is nothing to compare: %.300s", want)
	}
	for range 3 {
		if got := verdict(input(run, 0, dir)); got != want {
			at := 0
			for at < min(len(got), len(want)) && got[at] == want[at] {
				at++
			}
			t.Fatalf("side by side …%.300s\none by one …%.300s", got[max(0, at-100):], want[max(0, at-100):])
		}
	}
}

// oneByOne is [input] as it would be without sums: a profile for each process.
func oneByOne(dir string, run unpark.Run) (evidence.Input, []unpark.Notice) {
	w := run.Windows[0]
	in := evidence.Input{
		Host: run.Host, Target: run.Target, Plan: run.Plan, Window: w, Traces: traceFiles(dir, w),
		Profiles: map[unpark.Kind][]*profile.Profile{}, Lost: map[unpark.Kind]int{},
	}
	var bad []unpark.Notice
	for _, f := range w.Profiles {
		if f.Kind == unpark.KindTrace {
			continue
		}
		p, err := decodeFile(dir, f.File, f.Kind)
		if err != nil {
			in.Lost[f.Kind]++
			bad = append(bad, unpark.Notice{Code: "profile-unreadable", Message: err.Error(), Cure: "capture it again; the other profiles were used"})
			continue
		}
		in.Profiles[f.Kind] = append(in.Profiles[f.Kind], p)
	}
	for i := range madeSnapshots {
		var at []*profile.Profile
		for _, pid := range []int{-1, 7, 8, 9, 11} {
			if p, err := decodeFile(dir, path.Join("window-01", strconv.Itoa(pid), window.SnapshotFile(i)), unpark.KindGoroutine); err == nil {
				at = append(at, p)
			}
		}
		in.Snapshots = append(in.Snapshots, at)
	}
	return in, inOne(bad)
}
