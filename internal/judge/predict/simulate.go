package predict

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/unpark-go/unpark/internal/stats"
)

// times is how long something takes: gamma distributed with a mean in seconds and a
// squared coefficient of variation. 0 is constant, 1 exponential, more is a few
// long ones among many short.
type times struct{ mean, scv float64 }

// plus is how long two things take one after the other.
func (t times) plus(u times) times {
	mean := t.mean + u.mean
	if mean <= 0 {
		return times{}
	}
	return times{mean, (t.scv*t.mean*t.mean + u.scv*u.mean*u.mean) / (mean * mean)}
}

func (t times) draw(r *rand.Rand) float64 {
	switch {
	case t.mean <= 0:
		return 0
	case t.scv <= 0:
		return t.mean
	case t.scv == 1:
		return t.mean * r.ExpFloat64()
	}
	return t.mean * t.scv * gamma(r, 1/t.scv)
}

// gamma draws from the gamma distribution with scale 1 (Marsaglia and Tsang, "A
// Simple Method for Generating Gamma Variables", 2000).
func gamma(r *rand.Rand, shape float64) float64 {
	if shape < 1 {
		return gamma(r, shape+1) * math.Pow(1-r.Float64(), 1/shape)
	}
	d := shape - 1.0/3
	c := 1 / math.Sqrt(9*d)
	for {
		x := r.NormFloat64()
		v := 1 + c*x
		if v <= 0 {
			continue
		}
		v *= v * v
		if math.Log(1-r.Float64()) < x*x/2+d-d*v+d*math.Log(v) {
			return d * v
		}
	}
}

// plant is a service to be simulated: a request takes a lock, then a processor,
// then waits for what has no queue.
type plant struct {
	clients int     // closed loop; 0: open
	rate    float64 // open loop: arrivals per second
	even    bool    // evenly spaced; else at random (Poisson)
	hold    times   // under the lock
	shards  int     // that the lock is split into, at random; 0 and 1: one lock
	reads   float64 // share of holds that only read, under an RWMutex
	cpu     times
	servers int // processors; 0: no queue for them
	rest    times
	n       int // requests
	seed    uint64
}

// busy is the use of what is used most, of an open loop.
func (p plant) busy() float64 {
	return max(p.rate*p.hold.mean/float64(max(1, p.shards)), p.rate*p.cpu.mean/float64(max(1, p.servers)))
}

// outcome is what a simulation showed.
type outcome struct{ rate, mean, least, p50, p90, p99, wait float64 }

// stage is where a request goes next.
type stage int

const (
	toLock stage = iota
	toCPU
	toRest
	done
)

// step is a request that comes to a stage at an instant.
type step struct {
	at    float64
	began float64
	wait  float64 // for the lock
	to    stage
}

// steps is a heap by time. container/heap would box each step.
type steps []step

func (s *steps) push(x step) {
	h := append(*s, x)
	i := len(h) - 1
	for i > 0 && h[i].at < h[(i-1)/2].at {
		h[i], h[(i-1)/2] = h[(i-1)/2], h[i]
		i = (i - 1) / 2
	}
	*s = h
}

func (s *steps) pop() step {
	h := *s
	top, last := h[0], len(h)-1
	h[0] = h[last]
	h = h[:last]
	for i := 0; 2*i+1 < last; {
		child := 2*i + 1
		if child+1 < last && h[child+1].at < h[child].at {
			child++
		}
		if h[i].at <= h[child].at {
			break
		}
		h[i], h[child] = h[child], h[i]
		i = child
	}
	*s = h
	return top
}

// fifoLock is one lock: when the last writer and the last reader will have left it, and
// when the request that came last was let in.
type fifoLock struct{ writer, reader, entered float64 }

// acquire lets a request in, first come first served, and returns when it got in. A
// reader goes in with other readers, and waits behind a writer that waits
// (sync.RWMutex).
func (l *fifoLock) acquire(at, hold float64, read bool) float64 {
	in := max(at, l.writer, l.entered)
	if !read {
		in = max(in, l.reader)
		l.writer = in + hold
	} else {
		l.reader = max(l.reader, in+hold)
	}
	l.entered = in
	return in
}

// streams are the sources of chance of one simulation: one for each sort of time,
// so that two plants that differ in one thing see the same of the others.
type streams struct{ holds, cpus, rests, gaps, picks *rand.Rand }

func newStreams(seed uint64) streams {
	at := func(n uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, n)) }
	return streams{at(1), at(2), at(3), at(4), at(5)}
}

// run simulates the plant.
func (p plant) run() outcome { return p.record().outcome() }

// record simulates the plant. The first tenth of the requests is the warm-up and
// does not count. Every choice comes from the seed.
func (p plant) record() *recorder {
	chance := newStreams(p.seed)
	locks := make([]fifoLock, max(1, p.shards))
	free := make([]float64, p.servers)
	queue := p.begin(chance)
	record := recorder{warm: p.n / 10}
	for len(record.responses) < p.n-record.warm {
		e := queue.pop()
		switch e.to {
		case toLock:
			if p.clients == 0 {
				next := e.at + p.gap(chance)
				queue.push(step{at: next, began: next})
			}
			hold := p.hold.draw(chance.holds)
			in := locks[chance.picks.IntN(len(locks))].acquire(e.at, hold, chance.picks.Float64() < p.reads)
			e.at, e.wait, e.to = in+hold, in-e.at, toCPU
		case toCPU:
			e.at, e.to = onProcessor(free, e.at, p.cpu.draw(chance.cpus)), toRest
		case toRest:
			e.at, e.to = e.at+p.rest.draw(chance.rests), done
		default:
			record.finished(e)
			if p.clients == 0 {
				continue
			}
			e.began, e.to = e.at, toLock
		}
		queue.push(e)
	}
	return &record
}

// begin returns the first arrivals.
func (p plant) begin(chance streams) steps {
	var out steps
	for range p.clients {
		at := p.rest.mean * chance.gaps.Float64()
		out.push(step{at: at, began: at})
	}
	if p.clients == 0 {
		at := p.gap(chance)
		out.push(step{at: at, began: at})
	}
	return out
}

// gap is the time to the next arrival.
func (p plant) gap(chance streams) float64 {
	if p.even {
		return 1 / p.rate
	}
	return chance.gaps.ExpFloat64() / p.rate
}

// recorder keeps what happens after the warm-up.
type recorder struct {
	warm       int
	seen       int
	responses  []float64
	waits      []float64 // for the lock, of the same requests
	begin, end float64
}

func (r *recorder) finished(e step) {
	if r.seen++; r.seen <= r.warm {
		r.begin = e.at
		return
	}
	r.responses, r.waits, r.end = append(r.responses, e.at-e.began), append(r.waits, e.wait), e.at
}

func (r *recorder) outcome() outcome {
	slices.Sort(r.responses)
	n := float64(len(r.responses))
	at := func(q float64) float64 { return r.responses[int(q*(n-1))] }
	return outcome{
		rate: n / (r.end - r.begin), mean: stats.Mean(r.responses),
		least: at(0), p50: at(0.5), p90: at(0.9), p99: at(0.99), wait: stats.Mean(r.waits),
	}
}

// onProcessor returns when a request that comes at an instant has had its CPU.
func onProcessor(free []float64, at, cpu float64) float64 {
	if len(free) == 0 {
		return at + cpu
	}
	first := 0
	for i, v := range free {
		if v < free[first] {
			first = i
		}
	}
	free[first] = max(at, free[first]) + cpu
	return free[first]
}
