package window

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/unpark-go/unpark"
)

const (
	// longestFlight bounds how long slow requests are waited for beyond the trace.
	longestFlight = 20 * time.Second
	// mostSnapshots of one process are taken, of flightBytes each: together they are
	// no larger than one trace may be.
	mostSnapshots = 8
	flightBytes   = maxTrace / mostSnapshots
	// lookEvery is how often the timeline is asked for a slow answer.
	lookEvery = 200 * time.Millisecond
	// noticed is how old a slow answer can be when it is seen: a tick of the timeline
	// lasts a second, the next look comes after lookEvery, and the runtime ends a
	// generation about once a second.
	noticed = 3 * time.Second
	// What is recorded before a slow answer lasts at least and at most so long.
	shortestAge = 5 * time.Second
	longestAge  = 30 * time.Second
	tickSeconds = 1.0
)

// fly waits for slow requests when the trace has too few of them: the probes keep
// the newest part of an execution trace, and it is taken when the generator saw an
// answer that was slow beside those of the window. It lasts until there were enough
// requests, or snapshots, or for longestFlight.
func (t *tracer) fly(ctx context.Context, a activity, traced time.Duration) {
	rps, ok := a.requests.Get()
	seen := rps * traced.Seconds()
	if !ok || rps <= 0 || seen >= requestsWanted || ctx.Err() != nil {
		return
	}
	slow, ok := slowAnswer(t.o.Generator.Ticks()).Get()
	age := min(max(4*seconds(slow)+noticed, shortestAge), longestAge).Round(time.Second)
	length := min(seconds((requestsWanted-seen)/rps), longestFlight)
	var end func()
	if ok && a.bytes.Or(0)*age.Seconds() < flightBytes { // else the recorder would hold no request whole
		end = t.arm(ctx, age, length)
	}
	if end == nil {
		t.fewSlow(seen)
		return
	}
	defer end()
	defer profiled(ctx, t.traced(), length)()
	t.o.begin("trace", length)
	defer t.o.closeStretch()
	t.watchAnswers(ctx, slow, length)
}

// arm arms the recorder of every traced process that has one. The function that it
// returns ends them all; it is nil when there is none.
func (t *tracer) arm(ctx context.Context, age, length time.Duration) (end func()) {
	var armed []*held
	for _, m := range t.traced() {
		if m.endpoint.Info == nil || !m.endpoint.Info.Flight {
			continue
		}
		h, err := m.endpoint.arm(ctx, age, length+patience)
		if err != nil {
			t.notes = append(t.notes, unpark.Notice{
				Code: "flight-recorder", Message: fmt.Sprintf("slow requests of process %d were not waited for: %v", m.endpoint.PID, err),
				Cure: "end the other flight recorder of this process",
			})
			continue
		}
		m.armed = true
		armed = append(armed, h)
	}
	if len(armed) == 0 {
		return nil
	}
	return func() {
		for _, h := range armed {
			h.end()
		}
	}
}

// arm has the probe keep at least the last age of an execution trace, until the
// connection ends or ttl has passed.
func (e *Endpoint) arm(ctx context.Context, age, ttl time.Duration) (*held, error) {
	var grant struct {
		Armed bool `json:"armed"`
	}
	page := fmt.Sprintf("flight?age=%d&bytes=%d&ttl=%d", int(age.Seconds()), flightBytes, int(ttl.Seconds())+1)
	h, err := e.hold(ctx, page, &grant)
	if err != nil {
		return nil, fmt.Errorf("arm the flight recorder at %s: %w", e.Address, err)
	}
	return h, nil
}

// watchAnswers takes a snapshot whenever a second had an answer slower than slow.
func (t *tracer) watchAnswers(ctx context.Context, slow float64, length time.Duration) {
	end := time.Now().Add(length)
	armed := time.Now()
	for taken := 0; taken < mostSnapshots && time.Now().Before(end); {
		if sleep(ctx, min(lookEvery, time.Until(end))) != nil {
			return
		}
		if !slowSince(t.o.Generator.Ticks(), armed.Sub(t.o.LoadStart).Seconds(), slow) {
			continue
		}
		taken++
		t.snapshotTraces(ctx, fmt.Sprintf("trace-%02d.out", taken), armed)
		armed = time.Now()
	}
}

// snapshotTraces takes what every armed recorder holds; it has recorded since the
// instant that is given.
func (t *tracer) snapshotTraces(ctx context.Context, name string, since time.Time) {
	var armed []*member
	for _, m := range t.traced() {
		if m.armed {
			armed = append(armed, m)
		}
	}
	keep := t.record(ctx, armed, name, patience, func(e *Endpoint) string { return e.root + "/debug/unpark/flight/snapshot" })
	keep()
	for _, m := range armed {
		m.traces[len(m.traces)-1].start = since
	}
}

// slowSince reports whether a whole tick after an instant had a slow answer.
func slowSince(ticks []unpark.Tick, since, slow float64) bool {
	for _, t := range slices.Backward(ticks) {
		if t.At-tickSeconds < since {
			return false
		}
		if t.P99 > slow {
			return true
		}
	}
	return false
}

// slowAnswer says from when on an answer counts as slow: halfway from the window's
// median to its p99, so that slow answers which all take about as long are slow, all
// of them. Unknown without answers.
//
// The p99 is estimated from the ticks. Below a hundred answers a second, the p99 of a
// tick is its slowest answer. Of N answers N/100 are slow, and while those fall into
// different seconds the p99 of all is the N/100th largest of the ticks'. With more of
// them each tick has its share, and the middle of the ticks' p99s is it.
func slowAnswer(ticks []unpark.Tick) unpark.Number {
	var p50, p99 []float64
	answers := 0.0
	for _, t := range ticks {
		if t.Phase == "window" && t.P99 > 0 {
			p50, p99 = append(p50, t.P50), append(p99, t.P99)
			answers += t.RPS * tickSeconds
		}
	}
	if len(p99) == 0 {
		return unpark.Number{}
	}
	slices.Sort(p50)
	slices.Sort(p99)
	tail := p99[len(p99)-1-min(max(int(answers/100)-1, 0), len(p99)/2)]
	return unpark.Num((p50[len(p50)/2] + tail) / 2)
}

// fewSlow tells that the slowest requests are too few, and what would help.
func (t *tracer) fewSlow(seen float64) {
	t.notes = append(t.notes, unpark.Notice{
		Code:    "few-slow-requests",
		Message: fmt.Sprintf("the execution trace has about %.0f requests: %.0f of them are its slowest 1 %%, too few to tell what makes them slow", seen, max(seen/100, 1)),
		Cure:    "trace for longer (--trace 60s), or build the service with Go 1.25 or later and the probe added (--pkg), so that slow requests can be waited for",
	})
}
