package window

import (
	"bytes"
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/load"
	"github.com/unpark-go/unpark/internal/measure/profile"
)

// session is one window while it is being taken.
type session struct {
	o       Options
	members members
	used    usage
	notes   []unpark.Notice
	writes  []unpark.Write

	releaseOnce sync.Once
	closeOnce   sync.Once
	cut         bool          // by Options.Cut
	took        time.Duration // of the first readings
	began       time.Time     // when the window was opened, which may begin earlier (Options.Since)
	reach       reach
	readers     map[int]float64 // what those that read from outside had used when it was opened
	reader      unpark.Number   // and used meanwhile
}

// reach is how much a session takes.
type reach uint8

const (
	everything reach = iota
	costs            // what tells where costs are
	figures          // no profile
)

func newSession(o Options, w *watch) *session {
	s := &session{o: o}
	for _, e := range o.Endpoints {
		s.members = append(s.members, &member{endpoint: e, raw: map[unpark.Kind]*raw{}})
	}
	s.used = usage{o: o, watch: w, members: s.members}
	return s
}

// members are the processes with an endpoint, in the order of the endpoints.
type members []*member

// each runs f for every member at once and waits.
func (ms members) each(f func(*member)) {
	var wg sync.WaitGroup
	for _, m := range ms {
		wg.Go(func() { f(m) })
	}
	wg.Wait()
}

// member is one process with an endpoint.
type member struct {
	endpoint *Endpoint
	lease    *lease
	pages    [2]page       // what its probe says at both ends
	outside  outside       // reads its goroutines; nil: its endpoint does
	living   unpark.Number // about how many goroutines it has; unknown where it cannot be read from outside

	mu        sync.Mutex
	raw       map[unpark.Kind]*raw
	snapshots []raw
	traces    []*recording
	armed     bool // its flight recorder
}

// raw is what one endpoint answered for one kind, not yet decoded.
type raw struct {
	base, body []byte // base: the first reading of a cumulative kind
	start, end time.Time
	err        error
	rate       unpark.Number
	read       *profile.Profile // what was decoded, of a snapshot; nil before, and where that failed
	off        string           // why the kind counts as off; empty when it does not
}

func (m *member) kind(k unpark.Kind) *raw {
	m.mu.Lock()
	defer m.mu.Unlock()
	r := m.raw[k]
	if r == nil {
		r = &raw{}
		m.raw[k] = r
	}
	return r
}

// open leases the rates and takes the first readings.
func (s *session) open(ctx context.Context) {
	if s.resume(ctx) {
		return
	}
	ttl := s.o.Duration + s.o.Trace + 2*patience
	var mu sync.Mutex
	s.members.each(func(m *member) {
		if m.endpoint.Info == nil {
			return
		}
		rates := s.o.Rates
		if n, ok := m.endpoint.Info.MutexFraction.Get(); ok && n > 0 {
			rates.Mutex = 0 // on already: a standing lease, or the service itself
		}
		l, err := m.endpoint.lease(ctx, rates, ttl)
		if err != nil {
			mu.Lock()
			defer mu.Unlock()
			cure := "end the other window that holds them, or wait until its lease runs out"
			if m.endpoint.attached() {
				cure = "see whether the process still runs"
			}
			s.notes = append(s.notes, unpark.Notice{
				Code: "lease", Message: fmt.Sprintf("sampling rates were not set for process %d: %v", m.endpoint.PID, err), Cure: cure,
			})
			return
		}
		m.lease = l
		mu.Lock()
		s.writes = append(s.writes, l.Writes...)
		mu.Unlock()
		for _, note := range l.Notes {
			mu.Lock()
			s.notes = append(s.notes, unpark.Notice{Code: "rates", Message: note, Cure: "declare the rate that the service sets: probe.Options.BlockProfileRate"})
			mu.Unlock()
		}
	})
	s.readers = s.members.readers(ctx)
	s.members.each(func(m *member) { m.look() })
	began := time.Now()
	s.members.each(func(m *member) { m.first(ctx) })
	s.took = time.Since(began)
}

// first takes the first reading of the cumulative kinds.
func (m *member) first(ctx context.Context) {
	for _, k := range cumulative {
		r := m.kind(k)
		r.base, r.err = m.endpoint.Read(ctx, k, 0)
		r.start = time.Now()
	}
	m.rates(ctx)
}

// rates finds at which rate the rated kinds are recorded.
func (m *member) rates(ctx context.Context) {
	block, mutex := m.kind(unpark.KindBlock), m.kind(unpark.KindMutex)
	if m.lease != nil {
		block.rate, mutex.rate = m.lease.Block, m.lease.Mutex
	} else {
		mutex.rate = m.endpoint.mutexFraction(ctx)
	}
	if n, ok := mutex.rate.Get(); ok && n <= 0 {
		mutex.off = "its sampling fraction is 0 (runtime.SetMutexProfileFraction)"
	}
	if n, ok := block.rate.Get(); ok && n <= 0 {
		block.off = "its sampling rate is 0 (runtime.SetBlockProfileRate)"
	}
	if m.lease == nil {
		return
	}
	if n, ok := m.lease.Memory.Get(); ok && n <= 0 {
		for _, k := range []unpark.Kind{unpark.KindAllocs, unpark.KindHeap} {
			m.kind(k).off = "runtime.MemProfileRate is 0: the linker leaves that out of a program that cannot ask for it"
		}
	}
}

// hold opens the window, keeps it for its length and closes it.
func (s *session) hold(ctx context.Context) *load.Stretch {
	if len(s.used.past) == 0 {
		s.members.each(func(m *member) { m.pages[0], _ = m.endpoint.metrics(ctx) })
	}
	stretch := s.o.begin("window", s.o.Duration)
	s.used.begin()
	s.began = s.used.first.at
	s.used.resumed()

	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	var wg sync.WaitGroup
	if s.reach != figures {
		for _, m := range s.members {
			wg.Go(func() { m.cpu(inner, s.o.Duration.Truncate(time.Second), s.hertz()) })
		}
	}
	if s.reach == everything && len(s.used.past) == 0 {
		wg.Go(func() { s.members.each(func(m *member) { m.record(inner, s.o.Duration) }) })
	}
	looking, stopLooking := context.WithCancel(inner)
	defer stopLooking()
	if s.reach == everything {
		wg.Go(func() { s.takeSnapshots(looking) })
	}
	early, err := sleepUntil(ctx, s.o.Duration, s.o.Cut)
	s.used.finish()
	if err == nil {
		s.o.closeStretch()
		s.cut = early
	}
	if early || s.reach != everything { // now: what comes while the CPU profile goes on is another load
		stopLooking()
		s.close(ctx)
	}
	wg.Wait()
	return stretch
}

// close takes the second readings, heap and goroutines included: what is held
// at the end is what the window left behind. The first call counts.
func (s *session) close(ctx context.Context) { s.closeOnce.Do(func() { s.readAgain(ctx) }) }

func (s *session) readAgain(ctx context.Context) {
	if ctx.Err() != nil {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(context.WithoutCancel(ctx), stragglers)
		defer cancel()
	}
	defer func() { s.reader = usedBy(s.readers, s.members.readers(ctx)) }()
	var again sync.Mutex
	s.members.each(func(m *member) {
		m.pages[1], _ = m.endpoint.metrics(ctx)
		if m.lease != nil && m.endpoint.attached() {
			more := written(ctx, m.endpoint)
			again.Lock()
			s.writes = append(s.writes, more...)
			again.Unlock()
		}
		if s.reach == figures {
			return
		}
		for _, k := range []unpark.Kind{unpark.KindBlock, unpark.KindMutex, unpark.KindAllocs} {
			m.second(ctx, k)
		}
		if s.reach == costs {
			return
		}
		for _, k := range []unpark.Kind{unpark.KindGoroutine, unpark.KindHeap, unpark.KindThreadCreate, unpark.KindGoroutineLeak} {
			if m.endpoint.attached() && (k == unpark.KindThreadCreate || k == unpark.KindGoroutineLeak) {
				continue
			}
			r := m.kind(k)
			r.start = time.Now()
			if k == unpark.KindGoroutine {
				r.body, r.err = m.goroutines(ctx)
			} else {
				r.body, r.err = m.endpoint.Read(ctx, k, 0)
			}
			r.end = time.Now()
		}
	})
}

func (m *member) second(ctx context.Context, k unpark.Kind) {
	r := m.kind(k)
	if r.err != nil {
		return
	}
	r.body, r.err = m.endpoint.Read(ctx, k, 0)
	r.end = time.Now()
}

// release gives the rates back; safe to call twice.
func (s *session) release() {
	s.releaseOnce.Do(func() { s.members.each(func(m *member) { m.lease.end() }) })
}

// mutexFraction reads the fraction from the text form of the profile
// (runtime/pprof.writeProfileInternal prints "sampling period=n").
func (e *Endpoint) mutexFraction(ctx context.Context) unpark.Number {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	body, err := e.get(ctx, e.base+"mutex?debug=1", maxProfile)
	if err != nil {
		return unpark.Number{}
	}
	_, rest, ok := bytes.Cut(body, []byte("sampling period="))
	var n float64
	if !ok {
		return unpark.Number{}
	}
	if _, err := fmt.Fscan(bytes.NewReader(rest), &n); err != nil {
		return unpark.Number{}
	}
	return unpark.Num(n)
}
