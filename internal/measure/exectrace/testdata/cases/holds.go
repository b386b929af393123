package main

import (
	"math"
	"math/rand"
	"net/http"
	"sync"
	"time"
)

// meanHold is the mean of holds whose spread is known.
const meanHold = 5 * time.Millisecond

// counter is a lock that is held for as long as a list says, whoever takes it.
type counter struct {
	mu    sync.Mutex
	taken int
	holds []time.Duration
}

func (c *counter) count() {
	c.mu.Lock()
	time.Sleep(c.holds[c.taken])
	c.taken++
	c.mu.Unlock()
}

func constantHolds(n int) []time.Duration {
	out := make([]time.Duration, n)
	for i := range out {
		out[i] = meanHold
	}
	return out
}

// exponentialHolds are the n quantiles of the exponential distribution, in an order
// that is the same every time.
func exponentialHolds(n int) []time.Duration {
	out := make([]time.Duration, n)
	for i := range out {
		out[i] = time.Duration(-math.Log1p(-(float64(i)+0.5)/float64(n)) * float64(meanHold))
	}
	rand.New(rand.NewSource(1)).Shuffle(n, func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}

// queue: all requests come at once.
func queue(holds []time.Duration) func(b *bench) {
	return func(b *bench) {
		c := &counter{holds: holds}
		b.handle("/count", func(*http.Request) { c.count() })
		b.start()
		paths := make([]string, len(holds))
		for i := range paths {
			paths[i] = "/count"
		}
		b.ask(paths...)
		b.stop(0)
	}
}

// sparse: requests come at random, and find the lock free as often as held. Those
// that have somebody wait for them are the longer ones.
func sparse(b *bench) {
	c := &counter{holds: exponentialHolds(400)}
	b.handle("/count", func(*http.Request) { c.count() })
	b.start()
	random := rand.New(rand.NewSource(2))
	var answered []*sync.WaitGroup
	next := time.Now()
	for range c.holds {
		next = next.Add(time.Duration(random.ExpFloat64() * 2 * float64(meanHold)))
		time.Sleep(time.Until(next))
		answered = append(answered, b.begin("/count"))
	}
	for _, w := range answered {
		w.Wait()
	}
	b.stop(0)
}
