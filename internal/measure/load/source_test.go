package load

import (
	"sync"
	"testing"
	"time"
)

// TestScheduleHandsOutEverythingInOrder drives the schedule without a network:
// whatever the number of connections, each arrival is given out once, none
// early, and those that found a connection idle say so.
func TestScheduleHandsOutEverythingInOrder(t *testing.T) {
	for _, n := range []int{1, 3, 50} {
		c := &clock{base: time.Now()}
		s, err := newSchedule(c, constant{rate: 2000}, n)
		if err != nil {
			t.Fatal(err)
		}
		go s.run()
		var mu sync.Mutex
		var all sync.WaitGroup
		taken := map[int64]int64{}
		for i := range n {
			w := &worker{connection: connection{id: i}, inbox: make(chan arrival, 1)}
			all.Go(func() {
				last := int64(-1)
				for {
					a, ok := s.take(w)
					if !ok {
						return
					}
					if now := c.now(); a.intended > now {
						t.Errorf("arrival %d given out %d ns early", a.index, a.intended-now)
					}
					if a.index <= last {
						t.Errorf("arrival %d after %d", a.index, last)
					}
					last = a.index
					mu.Lock()
					taken[a.index] = a.intended
					mu.Unlock()
				}
			})
		}
		until(t, "200 arrivals", func() bool { mu.Lock(); defer mu.Unlock(); return len(taken) >= 200 })
		s.close()
		all.Wait()
		_, index, due := s.mark()
		if int64(len(taken)) != index {
			t.Errorf("%d connections: %d arrivals taken, cursor at %d", n, len(taken), index)
		}
		for k, at := range taken {
			if want := (constant{rate: 2000}).next(k, 0); at != want || k >= index || at > due {
				t.Errorf("arrival %d at %d, want %d before %d", k, at, want, index)
			}
		}
	}
}

// TestScheduleWithoutConnections: arrivals that nobody can take stay due, and
// the first connection that comes takes the oldest, at its intended start.
func TestScheduleWithoutConnections(t *testing.T) {
	c := &clock{base: time.Now().Add(-time.Second)}
	s, err := newSchedule(c, constant{rate: 100}, 1)
	if err != nil {
		t.Fatal(err)
	}
	go s.run()
	defer s.close()
	w := &worker{inbox: make(chan arrival, 1)}
	for k := range int64(3) {
		a, ok := s.take(w)
		if !ok || a.index != k || a.intended != k*10_000_000 || a.free {
			t.Errorf("arrival %+v, %v; want index %d at its intended start, no connection free", a, ok, k)
		}
	}
	g := &Generator{engine: &crew{from: s}, settings: &settings{pacer: s.pacer}}
	if now, n := g.cut(func(int64) {}); n < 100 || n != now/10_000_000+1 {
		t.Errorf("%d arrivals intended within %v at 100/s", n, time.Duration(now))
	}
}

func TestSleeper(t *testing.T) {
	s, err := newSleeper()
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range []time.Duration{0, 1, 50 * time.Microsecond, 3 * time.Millisecond} {
		start := time.Now()
		s.sleep(d)
		if took := time.Since(start); took < d {
			t.Errorf("slept %v of %v", took, d)
		}
	}
	ended := make(chan struct{})
	go func() { s.sleep(time.Hour); close(ended) }()
	time.Sleep(5 * time.Millisecond)
	s.close()
	select {
	case <-ended:
	case <-time.After(15 * time.Second):
		t.Fatal("close does not end a sleep")
	}
	s.sleep(time.Hour) // returns at once
}

func TestOwnLag(t *testing.T) {
	for name, tt := range map[string]struct {
		s    sample
		want int64
	}{
		"a connection was free":      {sample{arrival: arrival{intended: 100, free: true}, outcome: outcome{written: 160}, freed: 90}, 60},
		"none was free":              {sample{arrival: arrival{intended: 100}, outcome: outcome{written: 160}, freed: 150}, 10},
		"it had to be opened":        {sample{arrival: arrival{intended: 100, free: true}, outcome: outcome{written: 160, dial: 45}}, 15},
		"the generator stood still":  {sample{arrival: arrival{intended: 100, lost: 50}, outcome: outcome{written: 190}, freed: 170}, 70},
		"it did, then none was free": {sample{arrival: arrival{intended: 100, lost: 50}, outcome: outcome{written: 130 + 60}, freed: 140}, 90},
		"opening counts elsewhere":   {sample{arrival: arrival{intended: 100, free: true}, outcome: outcome{written: 160, dial: 70}}, 0},
	} {
		if got := tt.s.ownLag(); got != tt.want {
			t.Errorf("%s: own lag %d, want %d", name, got, tt.want)
		}
	}
}
