package load

import (
	"math"
	"strconv"
	"sync"

	"github.com/unpark-go/unpark"
)

// lateAfter is how far behind a free connection's intended start a request may
// be sent before it counts as late: the resolution of a Go timer.
const lateAfter = 1_000_000

// maxShards bounds the memory of recording: one shard has four histograms of
// 200 kB for each open stretch.
const maxShards = 16

// shard is where a few workers record. One lock, hardly contended, costs less
// than four histograms for each connection would take from the caches.
type shard struct {
	mu    sync.Mutex
	pulse pulse
	_     [64]byte // no false sharing between shards
}

// pulse is what happened since the last tick, by the time of the answer.
type pulse struct {
	response, service, lag *histogram
	errors                 int64
}

func newPulse() pulse {
	return pulse{response: newHistogram(coarse), service: newHistogram(coarse), lag: newHistogram(coarse)}
}

// answer counts a request that was answered.
func (p *pulse) answer(s *sample) {
	p.response.add(s.done - s.intended)
	p.service.add(s.done - s.written)
	p.lag.add(s.written - s.intended)
}

// empty moves everything into another.
func (p *pulse) empty(into *pulse) {
	for _, h := range []struct{ from, to *histogram }{{p.response, into.response}, {p.service, into.service}, {p.lag, into.lag}} {
		h.to.merge(h.from)
		h.from.reset()
	}
	into.errors += p.errors
	p.errors = 0
}

// tally is what one shard knows of one stretch. Guarded by the shard's lock.
type tally struct {
	response, service, lag, own *histogram
	requests                    int64 // answers within the stretch
	failed                      int64 // by intended start, as all below
	answers, bytes, late        int64
	sampled, repeated           int64
	status                      [600]int64
	errors                      map[string]int64
	firstAt                     int64 // when the first error happened
	firstErr                    string
}

func newTally() *tally {
	return &tally{
		response: newHistogram(digits), service: newHistogram(digits), lag: newHistogram(digits), own: newHistogram(digits),
		errors: map[string]int64{}, firstAt: math.MaxInt64,
	}
}

// sample is what became of one request.
type sample struct {
	arrival
	outcome
	freed    int64  // when its connection came free before it
	compared bool   // its body was compared with earlier ones
	repeated bool   // and equalled one
	words    string // the error for a reader
}

// add records a request that was intended within the stretch.
func (t *tally) add(s *sample) {
	if s.status > 0 {
		t.answer(s)
	}
	if s.written > 0 {
		t.lag.add(s.written - s.intended)
		own := s.ownLag()
		t.own.add(own)
		if own > lateAfter {
			t.late++
		}
	}
	switch {
	case s.err == "":
	case s.err == failTimeout:
		t.response.add(s.done - s.intended)
		fallthrough
	default:
		t.failed++
		t.errors[s.err]++
		if s.done < t.firstAt {
			t.firstAt, t.firstErr = s.done, s.words
		}
	}
}

func (t *tally) answer(s *sample) {
	t.answers++
	t.bytes += s.bytes
	t.status[min(s.status, len(t.status)-1)]++
	t.response.add(s.done - s.intended)
	t.service.add(s.done - s.written)
	if s.compared {
		t.sampled++
		if s.repeated {
			t.repeated++
		}
	}
}

// ownLag is the part of the lag that the generator is to blame for: from the
// instant at which the request was due and a connection was free, without the
// time to open that connection; and while the generator stood still (see gaps).
func (s *sample) ownLag() int64 {
	if s.free {
		return max(0, s.written-s.intended-s.dial)
	}
	since := max(s.intended+s.lost, s.freed)
	return s.lost + max(0, s.written-since-s.dial)
}

func (t *tally) merge(from *tally) {
	t.response.merge(from.response)
	t.service.merge(from.service)
	t.lag.merge(from.lag)
	t.own.merge(from.own)
	t.requests += from.requests
	t.failed += from.failed
	t.answers += from.answers
	t.bytes += from.bytes
	t.late += from.late
	t.sampled += from.sampled
	t.repeated += from.repeated
	for i, n := range from.status {
		t.status[i] += n
	}
	for kind, n := range from.errors {
		t.errors[kind] += n
	}
	if from.firstAt < t.firstAt {
		t.firstAt, t.firstErr = from.firstAt, from.firstErr
	}
}

// fill puts the tally into a result whose interval is known.
func (t *tally) fill(l *unpark.Load) {
	l.Requests, l.Errors, l.Late = t.requests, t.failed, t.late
	l.ErrorKinds, l.ErrorSample = t.errors, t.firstErr
	l.Status = map[string]int64{}
	for code, n := range t.status {
		if n > 0 {
			l.Status[strconv.Itoa(code)] = n
		}
	}
	l.Response, l.Service, l.Lag = t.response.drawn(), t.service.drawn(), t.lag.drawn()
	l.OwnLag = t.own.latency()
	l.BytesPerResponse = unpark.Ratio(float64(t.bytes), float64(t.answers))
	l.Repeated = unpark.Ratio(float64(t.repeated), float64(t.sampled))
}
