package predict_test

import (
	"container/heap"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/facts"
	"github.com/unpark-go/unpark/internal/stats"
)

// service simulates a service whose requests hold one lock for a while and do
// the rest on their own. It is the truth that predictions are held against.
type service struct {
	arrivals int
	rate     float64                    // Poisson arrivals per second
	hold     func(r *rand.Rand) float64 // s under the lock
	beside   func(r *rand.Rand) float64 // s outside of it
	locked   bool                       // false: the hold is not serial
	seed     uint64
}

// run returns the response times and the mean wait per request.
func (s service) run() (responses []float64, wait, waited float64) {
	r := rand.New(rand.NewPCG(s.seed, 1))
	var now, free float64
	for range s.arrivals {
		now += r.ExpFloat64() / s.rate
		start := now
		hold := s.hold(r)
		if s.locked {
			if free > now {
				start = free
				waited++
			}
			free = start + hold
		}
		wait += start - now
		responses = append(responses, start-now+hold+s.beside(r))
	}
	n := float64(s.arrivals)
	return responses, wait / n, waited / n
}

func constant(v float64) func(*rand.Rand) float64 {
	return func(*rand.Rand) float64 { return v }
}

func exponential(mean float64) func(*rand.Rand) float64 {
	return func(r *rand.Rand) float64 { return mean * r.ExpFloat64() }
}

// latencyOf summarises response times as the load engine does.
func latencyOf(v []float64) unpark.Latency {
	s := slices.Sorted(slices.Values(v))
	at := func(p float64) float64 { return s[min(len(s)-1, int(p*float64(len(s))))] }
	l := unpark.Latency{
		P50: at(0.5), P90: at(0.9), P95: at(0.95), P99: at(0.99), P999: at(0.999),
		Max: s[len(s)-1], Min: s[0], Mean: stats.Mean(s), N: int64(len(s)),
	}
	// Buckets of 5 %, about what the report draws.
	i := 0
	for le := s[0] * 1.05; i < len(s); le *= 1.05 {
		b := unpark.Bucket{Le: le}
		for i < len(s) && s[i] <= le {
			b.Count++
			i++
		}
		l.Buckets = append(l.Buckets, b)
	}
	return l
}

// evidence is what a perfect observer would say of the simulated service.
func (s service) evidence() (facts.Evidence, unpark.Finding) {
	responses, wait, waited := s.run()
	n := float64(s.arrivals)
	seconds := n / s.rate
	const cpu = 100e-6 // s per request
	site := unpark.Site{Function: "app.(*Cache).Get", File: "/src/cache.go", Line: 20}
	var hold float64
	r := rand.New(rand.NewPCG(s.seed, 2))
	for range 1000 {
		hold += s.hold(r) / 1000
	}
	u := min(1, hold*s.rate)
	ev := facts.Evidence{
		Host: unpark.Host{CPUs: 4}, Seconds: seconds, Requests: unpark.Num(n),
		Window: unpark.Window{
			Machine: unpark.Machine{CPUs: 4},
			Load: &unpark.Load{
				Mode: unpark.Poisson, OfferedRPS: s.rate, AchievedRPS: s.rate, Requests: int64(n),
				Response: latencyOf(responses), Service: latencyOf(responses), GeneratorCPU: unpark.Num(0.1),
			},
		},
		CPU: facts.CPU{Cores: unpark.Num(cpu * s.rate), Allowed: unpark.Num(4), Sampled: unpark.Num(cpu * n)},
		Locks: []facts.Lock{{
			Side: unpark.RequestPath, Type: "sync.Mutex", Waiter: site, Holder: site,
			Delay: wait * n, Released: wait * n, Count: waited * n, Utilization: unpark.Num(u),
		}},
	}
	f := unpark.Finding{
		Rule: "lock", Class: unpark.ClassLock, Site: site, Waiter: &site, Holder: &site,
		Cost: unpark.Cost{
			WaitPerRequest: unpark.Measured(wait, "s/req", int64(n)),
			HoldPerRequest: unpark.Measured(hold, "s/req", int64(n)),
		},
	}
	return ev, f
}

// shop simulates a closed loop of n clients over a lock, and cores that requests
// share first come first served. It returns the throughput and the mean wait for
// the lock.
func shop(n, cores int, hold, cpu, rest float64, locked bool, seed uint64) (rate, wait float64) {
	const requests = 40000
	r := rand.New(rand.NewPCG(seed, 3))
	var lockFree float64
	free := make(times, cores)
	clients := make(times, n)
	for i := range clients {
		clients[i] = rest * r.Float64()
	}
	heap.Init(&clients)
	heap.Init(&free)
	var end float64
	for range requests {
		// One queue for the lock, then one for a core; clients come in order of
		// time, which is exact for the lock and close enough for the cores.
		t := heap.Pop(&clients).(float64)
		if locked {
			start := max(t, lockFree)
			wait += start - t
			t = start + hold*(0.5+r.Float64())
			lockFree = t
		} else {
			t += hold * (0.5 + r.Float64())
		}
		core := heap.Pop(&free).(float64)
		t = max(t, core) + cpu*(0.5+r.Float64())
		heap.Push(&free, t)
		t += rest * (0.5 + r.Float64())
		heap.Push(&clients, t)
		end = max(end, t)
	}
	return requests / end, wait / requests
}

type times []float64

func (t times) Len() int           { return len(t) }
func (t times) Less(i, j int) bool { return t[i] < t[j] }
func (t times) Swap(i, j int)      { t[i], t[j] = t[j], t[i] }
func (t *times) Push(x any)        { *t = append(*t, x.(float64)) }
func (t *times) Pop() any {
	old := *t
	x := old[len(old)-1]
	*t = old[:len(old)-1]
	return x
}

func near(got, want, rel float64) bool { return math.Abs(got-want) <= rel*math.Abs(want) }
