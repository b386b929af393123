package guard

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/target/rusage"
	"github.com/unpark-go/unpark/internal/measure/window"
)

const (
	// sessionLength is for how long things are lent at a time; probes allow a day.
	sessionLength = 23 * time.Hour
	// silence is how long a process may say nothing before it counts as lost: one that is
	// stopped, or has no processor, comes back.
	silence = 30 * time.Second
	// collectedOver is over how many seconds the collector's share is taken: its CPU is
	// brought up to date when a collection ends.
	collectedOver = 10
)

// sampler reads the figures of all processes of the target.
type sampler struct {
	endpoints []*window.Endpoint
	lost      chan error // the first process that is lost; nil when the session is over

	mu   sync.Mutex
	said []said
}

// said is what one process said so far.
type said struct {
	lines    []vital // the newest last
	requests []timed // by second, the newest last
	fresh    int     // of requests, the newest, that no reading had yet
}

// startSampler begins to follow the processes that have vitals, until ctx ends.
func startSampler(ctx context.Context, endpoints []*window.Endpoint) *sampler {
	s := &sampler{endpoints: endpoints, lost: make(chan error, len(endpoints)), said: make([]said, len(endpoints))}
	for i, e := range endpoints {
		if e.Info == nil || !e.Info.Vitals {
			continue
		}
		go func() {
			s.lost <- e.Follow(ctx, sessionLength, silence, func(line []byte) error {
				if v, ok := readVital(line); ok {
					s.hear(i, v)
				}
				return nil
			})
		}()
	}
	return s
}

func (s *sampler) hear(i int, v vital) {
	s.mu.Lock()
	defer s.mu.Unlock()
	of := &s.said[i]
	of.lines = append(of.lines, v)
	of.lines = of.lines[max(0, len(of.lines)-collectedOver-1):]
	if v.Requests != nil {
		of.requests = append(of.requests, *v.Requests)
		of.requests = of.requests[max(0, len(of.requests)-oldest):]
		of.fresh = min(of.fresh+1, len(of.requests))
	}
}

// read returns what is known now.
func (s *sampler) read(ctx context.Context) (reading, error) {
	r := reading{at: time.Now(), values: map[metric]unpark.Quantity{}, allowed: allowed(s.endpoints)}
	if err := s.plain(ctx); err != nil {
		return r, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	r.values[cpu] = s.sum(cpu, said.cores)
	r.values[goroutines] = s.sum(goroutines, func(of said) unpark.Number { return of.newest().Goroutines })
	r.values[heap] = s.sum(heap, func(of said) unpark.Number { return of.newest().Heap })
	r.values[gc] = s.collector()
	r.values[rss] = s.resident()
	s.requests(&r)
	return r, nil
}

// plain asks the processes that have no vitals.
func (s *sampler) plain(ctx context.Context) error {
	for i, e := range s.endpoints {
		if e.Info != nil && e.Info.Vitals {
			continue
		}
		v := vital{At: time.Now()}
		n, ok := e.Goroutines(ctx)
		if ok {
			v.Goroutines = unpark.Num(float64(n))
		}
		if e.Local > 0 {
			u, err := rusage.ReadProcess(e.Local)
			if err != nil {
				return fmt.Errorf("read what process %d uses: %w", e.Local, err)
			}
			v.CPU = unpark.Num(u.CPU)
		} else if !ok {
			return fmt.Errorf("read figures of %s: %w", e.Address, errSilent)
		}
		s.hear(i, v)
	}
	return nil
}

var errSilent = errors.New("it does not answer")

// newest is the last line; the zero line before the first.
func (of said) newest() vital {
	if len(of.lines) == 0 {
		return vital{}
	}
	return of.lines[len(of.lines)-1]
}

// used is the CPU between the newest line and one so many lines before, per second.
func (of said) used(back int, get func(vital) unpark.Number) unpark.Number {
	n := len(of.lines)
	if n < 2 {
		return unpark.Number{}
	}
	first, last := of.lines[max(0, n-1-back)], of.lines[n-1]
	a, okA := get(first).Get()
	b, okB := get(last).Get()
	if !okA || !okB || b < a {
		return unpark.Number{}
	}
	return unpark.Ratio(b-a, last.At.Sub(first.At).Seconds())
}

func cpuOf(v vital) unpark.Number { return v.CPU }

// cores is what it used in the last second.
func (of said) cores() unpark.Number { return of.used(1, cpuOf) }

// sum adds a figure over the processes; unknown where one does not tell it.
func (s *sampler) sum(m metric, of func(said) unpark.Number) unpark.Quantity {
	q := unpark.Quantity{Unit: m.unit()}
	total := 0.0
	for _, one := range s.said {
		v, ok := of(one).Get()
		if !ok {
			return q
		}
		total += v
	}
	q.Value = unpark.Num(total)
	return q
}

// collector is the collector's share of the CPU.
func (s *sampler) collector() unpark.Quantity {
	of := s.sum(gc, func(one said) unpark.Number {
		return one.used(collectedOver, func(v vital) unpark.Number { return v.GC })
	})
	all := s.sum(cpu, func(one said) unpark.Number { return one.used(collectedOver, cpuOf) })
	q := unpark.Quantity{Unit: gc.unit()}
	v, ok := of.Value.Get()
	if total, known := all.Value.Get(); ok && known {
		q.Value = unpark.Ratio(v, total)
	}
	return q
}

// resident is the memory of the processes of this machine.
func (s *sampler) resident() unpark.Quantity {
	q := unpark.Quantity{Unit: rss.unit()}
	total := 0.0
	for _, e := range s.endpoints {
		if e.Local <= 0 {
			return q
		}
		u, err := rusage.ReadProcess(e.Local)
		if err != nil {
			return q
		}
		total += u.RSS
	}
	q.Value = unpark.Num(total)
	return q
}

// requests adds what the middleware timed in all processes. A process tells its seconds by a clock of its own, and a reading may be
// late: of several that are new each figure is that of the slowest, or a second of slow answers would be one that no reading has.
func (s *sampler) requests(r *reading) {
	open, known, seconds := 0.0, false, 1
	for i := range s.said {
		of := &s.said[i]
		if v := of.newest().Requests; v != nil {
			open, known = open+v.InFlight, true
		}
		seconds = max(seconds, of.fresh)
		of.fresh = 0
	}
	for before := range seconds {
		var all []timed
		for _, of := range s.said {
			all = append(all, recent(of.requests[:max(0, len(of.requests)-before)])...)
		}
		for m, q := range map[metric]float64{p99: 0.99, p50: 0.5, slowest: 1} {
			if v := quantile(all, q); before == 0 || v.Value.Or(0) > r.values[m].Value.Or(0) {
				r.values[m] = v
			}
		}
	}
	if known {
		r.values[inFlight] = unpark.Quantity{Value: unpark.Num(open), Unit: inFlight.unit()}
	}
}

// allowed is how many cores the target may use; unknown where a process does not say.
func allowed(endpoints []*window.Endpoint) unpark.Number {
	total, cpus := 0.0, 0.0
	for _, e := range endpoints {
		if e.Info == nil || e.Info.GOMAXPROCS <= 0 || e.Info.NumCPU <= 0 {
			return unpark.Number{}
		}
		total += float64(e.Info.GOMAXPROCS)
		cpus = max(cpus, float64(e.Info.NumCPU))
	}
	return unpark.Num(min(total, cpus)) // processes of one machine share its processors
}

// check refuses conditions that this target can never tell.
func check(conditions []Condition, endpoints []*window.Endpoint, log string) error {
	for _, c := range conditions {
		if c.metric == logLine && log == "" {
			return fmt.Errorf("watch for %s: there is no log to follow: name its file with --log", c.Text)
		}
		var middleware []string
		for _, e := range endpoints {
			if err := tells(c, e); err != nil {
				return err
			}
			if e.Info == nil || !e.Info.Middleware {
				middleware = append(middleware, e.Address)
			}
		}
		if c.metric.ofRequests() && len(middleware) == len(endpoints) {
			return fmt.Errorf("watch for %s: nothing times requests at %s: it takes probe.Handler around the service's handler and probe.Start in main (docs/probe.md); without them watch for others, such as cpu and goroutines, or follow a log (log~PATTERN)",
				c.Text, strings.Join(middleware, ", "))
		}
	}
	return nil
}

// tells refuses a condition that one process does not tell.
func tells(c Condition, e *window.Endpoint) error {
	vitals, attached := e.Info != nil && e.Info.Vitals, e.Info != nil && e.Info.Attached
	need := ""
	switch {
	case (c.metric == heap || c.metric == gc) && (!vitals || attached):
		need = "it takes unpark's probe of this version in the process (unpark run --pkg, or probe.Start in main); rss is known of any process of this machine"
	case c.metric == rss && e.Local <= 0:
		need = "its process is not known to be on this machine: run the guard there, or watch for heap"
	case c.share && (e.Info == nil || e.Info.GOMAXPROCS <= 0):
		need = "how many processors it may use is not told by net/http/pprof: name cores, such as cpu>1.5"
	case c.metric == cpu && !vitals && e.Local <= 0:
		need = "what it uses is not told by net/http/pprof on another machine: run the guard there, or build it with the probe"
	}
	if need == "" {
		return nil
	}
	return fmt.Errorf("watch for %s at %s: %s", c.Text, e.Address, need)
}
