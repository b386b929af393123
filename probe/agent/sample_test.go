package agent

import (
	"math"
	"sync"
	"testing"
	"time"
)

// sampled has a timer of its own be in a state as if so many requests began in the second before.
func sampled(t testing.TB, began uint64) (*Timer, *ticker) {
	t.Helper()
	f := process.follow() // the clock of requests begins
	timer := &Timer{}
	k := &ticker{of: &timer.sample}
	k.adapt(began)
	t.Cleanup(func() {
		k.stop()
		process.open.Add(-timing)
		f.ticker.stop()
	})
	return timer, k
}

// total is how many ended of which the time is known, how many of these slowly, and how many were brief without being timed.
func (c counts) total() (timed, slowly, brief uint64) {
	for i, n := range c.ended {
		timed += n
		if i >= bucketOf(int64(slow)) {
			slowly += n
		}
	}
	return timed, slowly, c.brief
}

// TestOfManyRequestsSomeAreTimed: as many as are wanted, and all are counted.
func TestOfManyRequestsSomeAreTimed(t *testing.T) {
	const n = 200_000
	for _, tt := range []struct {
		began uint64
		want  float64
	}{{2*timedWanted + 1, 0.5}, {20 * timedWanted, 0.05}, {2 * timedWanted, 1}, {0, 1}} {
		timer, _ := sampled(t, tt.began)
		for range n {
			timer.Ended(timer.began(timing))
		}
		c := timer.read()
		timed, slowly, brief := c.total()
		// The few that a busy machine interrupts are slow and are told by the tick.
		deviation := 6 * math.Sqrt(n*tt.want*(1-tt.want))
		if got := float64(timed); math.Abs(got-n*tt.want) > deviation+float64(slowly) {
			t.Errorf("%d a second: %v of %d timed, want %v ± %v", tt.began, got, n, n*tt.want, deviation)
		}
		if c.started != n || timed+brief != n {
			t.Errorf("%d a second: %d started, %d and %d ended", tt.began, c.started, timed, brief)
		}
	}
}

// TestNoSlowRequestIsMissed: each of a stall's is told with how long it took, whether the clock timed it or not.
func TestNoSlowRequestIsMissed(t *testing.T) {
	timer, _ := sampled(t, 50*timedWanted)
	const n, stall = 64, 300 * time.Millisecond
	var wg sync.WaitGroup
	wg.Add(n)
	for range n {
		go func() {
			defer wg.Done()
			at := timer.began(timing)
			time.Sleep(stall)
			timer.Ended(at)
		}()
	}
	wg.Wait()
	c := timer.read()
	_, slowly, brief := c.total()
	if slowly != n || brief != 0 {
		t.Errorf("%d of %d were slow, %d brief", slowly, n, brief)
	}
	for i, k := range c.ended {
		if k > 0 && lowest(i+1) < stall.Seconds()/2 { // a busy machine's ticks are late
			t.Errorf("%d took %v s at most, they took %v", k, lowest(i+1), stall)
		}
	}
}

// TestTickEnds: a request that began by the tick ends by the clock when no tick is kept any more.
func TestTickEnds(t *testing.T) {
	timer, k := sampled(t, 1000*timedWanted) // one in a thousand is timed
	at := timer.began(timing)
	for at&1 != 0 { // by chance
		timer.Ended(at)
		at = timer.began(timing)
	}
	k.adapt(1)
	if again := timer.began(timing); again&1 != 1 {
		t.Errorf("%d is of no clock", again)
	}
	time.Sleep(2 * slow)
	timer.Ended(at)
	if _, slowly, brief := timer.read().total(); slowly < 1 || brief != 0 {
		t.Errorf("%d slow, %d brief", slowly, brief)
	}
	end, done := make(chan struct{}), make(chan struct{})
	go func() { timer.sample.keep(end); close(done) }()
	close(end)
	<-done
}

// TestWhole: brief requests that were not timed took what those of the sample did; slow ones are as they are.
func TestWhole(t *testing.T) {
	border := bucketOf(int64(slow))
	for _, tt := range []struct {
		name        string
		ended, want map[int]uint64
		brief       uint64
	}{
		{"each was timed", map[int]uint64{3: 5, border: 2}, map[int]uint64{3: 5, border: 2}, 0},
		{"one in ten", map[int]uint64{3: 10, 4: 30, border: 2}, map[int]uint64{3: 100, 4: 300, border: 2}, 360},
		{"it does not go evenly", map[int]uint64{3: 1, 4: 1, 5: 1}, map[int]uint64{3: 3, 4: 3, 5: 4}, 7},
		{"none was timed", map[int]uint64{border: 2}, map[int]uint64{border / 2: 7, border: 2}, 7},
		{"nothing", nil, nil, 0},
	} {
		var ended, want [buckets]uint64
		for i, n := range tt.ended {
			ended[i] = n
		}
		for i, n := range tt.want {
			want[i] = n
		}
		if whole(&ended, tt.brief); ended != want {
			t.Errorf("%s: %v", tt.name, ended[:border+1])
		}
	}
}

// TestVitalsOfMany: of a service that answers many requests a second, all of them are in the line, and none is left in flight.
func TestVitalsOfMany(t *testing.T) {
	_, client := startUnix(t, Options{})
	timer := Middleware()
	next, _ := followed(t, client)
	next()
	chance := &process.requests.sample.chance
	var n uint64
	for deadline := time.Now().Add(20 * time.Second); chance.Load() == 0; {
		for range 1000 {
			at, _ := timer.Began()
			timer.Ended(at)
			n++
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d requests, and each is timed", n)
		}
	}
	for range 10_000 {
		at, _ := timer.Began()
		timer.Ended(at)
	}
	for deadline := time.Now().Add(20 * time.Second); ; {
		v := next()
		if len(v.Requests.Counts) == 0 && chance.Load() == 0 { // it is quiet, and each is timed again
			if v.Requests.InFlight != 0 {
				t.Errorf("%d in flight", v.Requests.InFlight)
			}
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("it is quiet, and requests would not be timed")
		}
	}
}

// BenchmarkTimer: what a request costs that is timed, and what one of many does.
func BenchmarkTimer(b *testing.B) {
	for name, began := range map[string]uint64{"each": 0, "sampled": 65_000} {
		b.Run(name, func(b *testing.B) {
			timer, _ := sampled(b, began)
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					timer.Ended(timer.began(timing))
				}
			})
		})
	}
}
