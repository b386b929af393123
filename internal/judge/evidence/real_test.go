package evidence

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	httppprof "net/http/pprof"
	"runtime"
	"runtime/pprof"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/profile"
)

// read takes one profile of this process.
func read(t testing.TB, kind unpark.Kind) *profile.Profile {
	t.Helper()
	var b bytes.Buffer
	if err := pprof.Lookup(string(kind)).WriteTo(&b, 0); err != nil {
		t.Fatal(err)
	}
	p, err := profile.Decode(&b, kind, string(kind))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// record samples everything while a stretch runs and puts the rates back.
func record(t testing.TB) (stop func()) {
	t.Helper()
	runtime.SetBlockProfileRate(1)
	fraction := runtime.SetMutexProfileFraction(1)
	return func() {
		runtime.SetBlockProfileRate(0)
		runtime.SetMutexProfileFraction(fraction)
	}
}

// capture reads the contention kinds around body and returns a window of that
// stretch, with dumps that body takes through the function it is given. Each kind may
// begin and end earlier or later by the time that reading takes, in seconds.
func capture(t testing.TB, body func(dump func())) (in Input, reading float64) {
	t.Helper()
	began := time.Now()
	kinds := []unpark.Kind{unpark.KindBlock, unpark.KindMutex, unpark.KindAllocs}
	before := map[unpark.Kind]*profile.Profile{}
	for _, k := range kinds {
		before[k] = read(t, k)
	}
	in = Input{Target: unpark.Target{Module: "github.com/unpark-go/unpark"}, Profiles: map[unpark.Kind][]*profile.Profile{}}
	in.Window.Start = time.Now()
	body(func() { in.Snapshots = append(in.Snapshots, []*profile.Profile{read(t, unpark.KindGoroutine)}) })
	in.Window.End = time.Now()
	for _, k := range kinds {
		in.Profiles[k] = []*profile.Profile{read(t, k).Sub(before[k])}
	}
	return in, (time.Since(began) - in.Window.End.Sub(in.Window.Start)).Seconds()
}

// calibrated is a lock that is held for long.
type calibrated struct {
	mu    sync.Mutex
	holds atomic.Int64
	stop  atomic.Bool
}

func (c *calibrated) work() {
	for !c.stop.Load() {
		c.mu.Lock()
		time.Sleep(20 * time.Millisecond)
		c.holds.Add(1)
		c.mu.Unlock()
	}
}

// Six goroutines share one lock and hold it all the time: at every instant five
// wait, so a window of 3 s holds 15 s of delay at either end (DESIGN §5). Sleep
// overshoots, which lengthens the holds and not the number that waits, so the truth
// is five times the window as measured.
func TestCalibration(t *testing.T) {
	if testing.Short() {
		t.Skip("measures for three seconds")
	}
	defer record(t)()
	var c calibrated
	var wg sync.WaitGroup
	for range 6 {
		wg.Go(c.work)
	}
	// In the steady state, what the first waits lost before the window makes up for
	// what the last ones have not recorded by its end.
	await(t, func() bool { return c.holds.Load() >= 12 })
	in, reading := capture(t, func(dump func()) {
		from, taken := c.holds.Load(), int64(0)
		for end := time.Now().Add(3 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
			if n := c.holds.Load() - from; n/10 > taken {
				taken = n / 10
				dump()
			}
		}
	})
	c.stop.Store(true)
	wg.Wait()

	ev, flames, notices := Reduce(in)
	l := find(ev.Locks, "github.com/unpark-go/unpark/internal/judge/evidence.(*calibrated).work")
	if l == nil {
		t.Fatalf("locks %+v", ev.Locks)
	}
	truth := 5 * ev.Seconds
	within := 0.05*truth + 5*reading
	if !near(l.Delay, truth, within) || !near(l.Released, truth, within) {
		t.Errorf("waiters lost %.2f s, the holder is charged with %.2f s, the truth is %.2f ± %.2f s", l.Delay, l.Released, truth, within)
	}
	if l.Holder.Function != l.Waiter.Function || l.Holder.Line <= l.Waiter.Line || l.Type != mutexLock || l.Side != unpark.RequestPath {
		t.Errorf("lock %+v", l)
	}
	if a, ok := l.Agreement.Get(); !ok || a < agreeLow || a > agreeHigh {
		t.Errorf("agreement %v", l.Agreement)
	}
	if u, ok := l.Utilization.Get(); ok && u < 0.8 {
		t.Errorf("utilization %v of a lock that is always held", u)
	}
	if len(l.Held) == 0 || l.Held[0].Site.Function != "time.Sleep" {
		t.Errorf("held %+v", l.Held)
	}
	if hasNotice(notices, "block-mutex-disagree") {
		t.Errorf("notices %v", notices)
	}
	for _, f := range flames {
		if f.Kind == unpark.KindBlock && f.Total < l.Delay {
			t.Errorf("the flame holds %v s of %v s", f.Total, l.Delay)
		}
	}
}

// await polls until ok, and gives up when a machine this slow would prove nothing.
func await(t testing.TB, ok func() bool) {
	t.Helper()
	deadline := time.Now().Add(30 * time.Second)
	for !ok() {
		if time.Now().After(deadline) {
			t.Fatal("gave up waiting")
		}
		time.Sleep(time.Millisecond)
	}
}

// shop is a service with one lock held across work and a pool of idle workers.
type shop struct {
	mu   sync.Mutex
	work chan func()
	quit chan struct{}
}

func (s *shop) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	fmt.Fprint(w, s.price())
}

func (s *shop) price() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	time.Sleep(200 * time.Microsecond)
	return strings.Repeat("x", 100)
}

func (s *shop) idle() {
	for {
		select {
		case f := <-s.work:
			f()
		case <-s.quit:
			return
		}
	}
}

// ask sends n requests over one connection, without net/http's client, whose own
// goroutines would be in the profile of the service.
func ask(t testing.TB, addr string, n int) {
	c, err := net.Dial("tcp", addr)
	if err != nil {
		t.Error(err)
		return
	}
	defer c.Close()
	r := bufio.NewReader(c)
	for range n {
		if _, err := io.WriteString(c, "GET / HTTP/1.1\r\nHost: shop\r\n\r\n"); err != nil {
			t.Error(err)
			return
		}
		resp, err := http.ReadResponse(r, nil)
		if err != nil {
			t.Error(err)
			return
		}
		_, _ = io.Copy(io.Discard, resp.Body)
	}
}

// A service whose profile is full of idle workers, idle connections and the
// observer: what remains on the request path is its lock.
func TestRealService(t *testing.T) {
	defer record(t)()
	s := &shop{work: make(chan func()), quit: make(chan struct{})}
	var idle, clients sync.WaitGroup
	for range 200 {
		idle.Go(s.idle)
	}
	srv := httptest.NewServer(s)
	defer srv.Close()
	var wake atomic.Int64
	in, _ := capture(t, func(dump func()) {
		clients.Go(func() {
			// A delta endpoint waits in the target for as long as it measures.
			rec := httptest.NewRecorder()
			httppprof.Handler("mutex").ServeHTTP(rec, httptest.NewRequest("GET", "/debug/pprof/mutex?seconds=1", nil))
		})
		for range 8 {
			clients.Go(func() { ask(t, srv.Listener.Addr().String(), 100) })
		}
		for i := range 12 {
			if i%3 == 0 {
				dump()
			}
			time.Sleep(20 * time.Millisecond)
		}
		clients.Wait()
		// The idle waits end within the window, so the block profile holds them all.
		for range 200 {
			s.work <- func() { wake.Add(1) }
		}
		await(t, func() bool { return wake.Load() == 200 })
	})
	close(s.quit)
	idle.Wait()

	ev, _, _ := Reduce(in)
	const price = "github.com/unpark-go/unpark/internal/judge/evidence.(*shop).price"
	var request, lock, parked float64
	for _, w := range ev.Waits {
		switch {
		case w.Source != unpark.KindBlock.File():
		case w.Side == unpark.RequestPath:
			request += w.Delay
			if w.Waiter.Function == price {
				lock += w.Delay
			}
		case w.Idle && strings.HasSuffix(w.Waiter.Function, "(*shop).idle"):
			parked += w.Delay
		}
	}
	if lock < 0.9*request {
		t.Errorf("the lock is %.3f s of %.3f s of waiting on the request path", lock, request)
		for _, w := range ev.Waits {
			t.Logf("%.4f %s %s %s idle %v", w.Delay, w.Side, w.Class, w.Waiter, w.Idle)
		}
	}
	if parked < 10*ev.Seconds {
		t.Errorf("idle workers waited %.1f s", parked)
	}
	if o := ev.Window.Observer.Wait; o < 0.9 || o > 2 {
		t.Errorf("the observer waited %.2f s, its handler waits 1 s", o)
	}
	if l := find(ev.Locks, price); l == nil || l.Holder.Function != price || l.Side != unpark.RequestPath {
		t.Errorf("locks %+v", ev.Locks)
	}
	for _, g := range ev.Goroutines {
		if strings.HasSuffix(g.Site.Function, "(*shop).idle") && (g.Mean != 200 || !g.Idle) {
			t.Errorf("idle workers %+v", g)
		}
	}
}
