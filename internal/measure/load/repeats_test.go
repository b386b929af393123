package load

import (
	"fmt"
	"testing"

	"github.com/unpark-go/unpark"
)

// plays counts what is hashed of so many answers a second over n connections: those
// of the first two seconds, a warm-up, and those of the eight after it. Every answer
// repeats.
func plays(r *repeats, n int, rate float64, together bool) (hashed, answers int) {
	const second = 1_000_000_000
	conns := make([]connection, n)
	for k := range int(10 * rate) {
		at := int64(float64(k) / rate * second)
		if together { // all connections at once, then nothing until their answers came
			at = int64(float64(k/n*n) / rate * second)
		}
		c := &conns[k%n]
		c.id = k % n
		c.count++
		want := r.wants(c, 0, at)
		if want {
			r.seen(0, 1)
		}
		if at >= 2*second {
			answers++
			if want {
				hashed++
			}
		}
	}
	return hashed, answers
}

// TestShareHashed: a slow service has samples enough in the window, over however many
// connections, and a fast one pays little.
func TestShareHashed(t *testing.T) {
	for _, c := range []struct {
		rate        float64
		least, most func(answers int) int
	}{
		{10, func(n int) int { return min(30, n) }, func(n int) int { return n }},
		{1_000, func(int) int { return 700 }, func(n int) int { return n / 7 }},
		{100_000, func(n int) int { return n / 150 }, func(n int) int { return n / 100 }},
	} {
		for _, n := range []int{1, 2, 3, 7, 8, 16, 31, 64, 100, 128, 200, 256} {
			for _, together := range []bool{false, true} {
				hashed, answers := plays(newRepeats(1), n, c.rate, together)
				if hashed < c.least(answers) || hashed > c.most(answers) {
					t.Errorf("%g/s over %d connections (together %v): %d of %d answers hashed, want %d to %d",
						c.rate, n, together, hashed, answers, c.least(answers), c.most(answers))
				}
			}
		}
	}
}

// TestNoTurnIsLeftOut: of requests that take turns, answers of all are hashed.
func TestNoTurnIsLeftOut(t *testing.T) {
	for _, rate := range []float64{1_000, 12_800} {
		for _, turns := range []int{2, 10, 64, 128} {
			r, c, seen := newRepeats(1), connection{}, map[int]bool{}
			for k := range int(10 * rate) {
				if c.count++; r.wants(&c, 0, int64(float64(k)/rate*1e9)) {
					r.seen(0, 1)
					if k > firstHashed+64 { // those at the beginning are next to each other
						seen[k%turns] = true
					}
				}
			}
			if len(seen) < turns {
				t.Errorf("%g/s: of %d requests in turn %d were hashed", rate, turns, len(seen))
			}
		}
	}
}

// sampled is how many answers of an open stretch were compared.
func (s *Stretch) sampled() (n int64) {
	for i, sh := range s.g.shards {
		sh.mu.Lock()
		n += s.tallies[i].sampled
		sh.mu.Unlock()
	}
	return n
}

// TestSlowAnswersAreCompared: after the warm-up, over more connections than there are
// answers, on every way that an answer takes.
func TestSlowAnswersAreCompared(t *testing.T) {
	t.Parallel()
	_, _, rpc := serveGRPC(t)
	requests := map[string]unpark.Request{
		protoHTTP1: {URL: serve(t, hello)},
		protoH2C:   {URL: serveH2(t, protoH2C, hello)},
		protoH2:    {URL: serveH2(t, protoH2, hello)},
		protoGRPC:  unary(rpc, "size 100"),
	}
	for _, protocol := range []string{protoHTTP1, protoH2C, protoH2, protoGRPC} {
		for _, plan := range []unpark.Plan{
			{Mode: unpark.Constant, RateRPS: 90, Connections: 64},
			{Mode: unpark.Closed, Connections: 64, Think: 0.5},
		} {
			plan.Requests = []unpark.Request{requests[protocol]}
			for _, engine := range []string{"pollers", engineCrew} {
				if protocol == protoH2 && engine != engineCrew {
					continue // pollers do no TLS
				}
				t.Run(fmt.Sprintf("%s, %s/%s", protocol, plan.Mode, engine), func(t *testing.T) {
					t.Parallel()
					g := start(t, over(protocol, plan))
					until(t, "a warm-up", func() bool { return g.repeats.kinds[0].sampled.Load() > firstHashed })
					s := g.Begin("window")
					until(t, "20 samples", func() bool { return s.sampled() >= 20 })
					g.Begin("rest")
					if l := s.Load(soon(t)); l.Repeated.Or(-1) != 1 {
						t.Errorf("repeated %v of %d answers", l.Repeated, l.Response.N)
					}
				})
			}
		}
	}
}
