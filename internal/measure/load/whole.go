package load

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/unpark-go/unpark"
)

// Record is what generators recorded, without loss: of every stretch all that its [Stretch.Load]
// is made of, and of every second the histograms. Records of generators that drove parts
// of one plan at the same time merge into that of the plan: counts are added, so that every
// percentile is that of one histogram of all requests.
type Record struct {
	Started   time.Time   `json:"started"` // the zero of its instants
	Mode      unpark.Mode `json:"mode"`
	Stretches []Recorded  `json:"stretches"`
	Seconds   []second    `json:"seconds"`
}

// Recorded is one stretch of a record. What sums over generators is a rate; its length is
// their mean.
type Recorded struct {
	Phase      string        `json:"phase"`
	Start      float64       `json:"start_s"` // since the load began
	Length     float64       `json:"length_s"`
	Offered    float64       `json:"offered_rps"` // of an open plan
	Achieved   float64       `json:"achieved_rps"`
	CPU        unpark.Number `json:"generator_cpu_cores"`
	Unfinished int64         `json:"unfinished"`
	Parts      int           `json:"parts"` // generators in it
	Tally      tallied       `json:"tally"`
}

// tallied is a tally in a record.
type tallied struct {
	Requests   int64            `json:"requests"`
	Failed     int64            `json:"failed"`
	Answers    int64            `json:"answers"`
	Bytes      int64            `json:"bytes"`
	Late       int64            `json:"late"`
	Sampled    int64            `json:"sampled"`
	Repeated   int64            `json:"repeated"`
	Status     map[int]int64    `json:"status"`
	Errors     map[string]int64 `json:"errors"`
	FirstAt    int64            `json:"first_error_ns"`
	FirstError string           `json:"first_error"`
	Response   packed           `json:"response"`
	Service    packed           `json:"service"`
	Lag        packed           `json:"lag"`
	Own        packed           `json:"own_lag"`
}

// Record returns what the generator recorded of stretches that have a result. Seconds are
// kept of a plan with a Part.
func (g *Generator) Record(ss ...*Stretch) (*Record, error) {
	r := &Record{Started: g.started, Mode: g.settings.mode}
	for _, s := range ss {
		one, err := s.recorded()
		if err != nil {
			return nil, err
		}
		r.Stretches = append(r.Stretches, one)
	}
	g.timeline.mu.Lock()
	defer g.timeline.mu.Unlock()
	r.Seconds = slices.Clone(g.timeline.whole)
	return r, nil
}

func (s *Stretch) recorded() (Recorded, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.final == nil {
		return Recorded{}, fmt.Errorf("load: record stretch %q: it has no result yet", s.phase)
	}
	l := s.final
	return Recorded{
		Phase: s.phase, Start: seconds(s.start), Length: l.Seconds, Offered: l.OfferedRPS, Achieved: l.AchievedRPS,
		CPU: l.GeneratorCPU, Unfinished: s.unfinished, Parts: 1, Tally: s.total.tallied(),
	}, nil
}

func (t *tally) tallied() tallied {
	out := tallied{
		Requests: t.requests, Failed: t.failed, Answers: t.answers, Bytes: t.bytes, Late: t.late, Sampled: t.sampled, Repeated: t.repeated,
		Status: map[int]int64{}, Errors: t.errors, FirstAt: t.firstAt, FirstError: t.firstErr,
		Response: packed{t.response}, Service: packed{t.service}, Lag: packed{t.lag}, Own: packed{t.own},
	}
	for code, n := range t.status {
		if n > 0 {
			out.Status[code] = n
		}
	}
	return out
}

// tally is the inverse of tallied.
func (t tallied) tally() *tally {
	out := &tally{
		requests: t.Requests, failed: t.Failed, answers: t.Answers, bytes: t.Bytes, late: t.Late, sampled: t.Sampled, repeated: t.Repeated,
		errors: t.Errors, firstAt: t.FirstAt, firstErr: t.FirstError,
		response: t.Response.histogram, service: t.Service.histogram, lag: t.Lag.histogram, own: t.Own.histogram,
	}
	for code, n := range t.Status {
		out.status[min(max(code, 0), len(out.status)-1)] += n
	}
	return out
}

// MaxRecord bounds a record in bytes: an hour of seconds takes about 10 MB.
const MaxRecord = 64 << 20

// ReadRecord reads a record of at most [MaxRecord] bytes. Everything that merging needs is
// there afterwards, or it is an error.
func ReadRecord(r io.Reader) (*Record, error) {
	text, err := io.ReadAll(io.LimitReader(r, MaxRecord+1))
	if err == nil && len(text) > MaxRecord {
		err = fmt.Errorf("longer than %d MB", MaxRecord>>20)
	}
	var out Record
	if err == nil {
		err = json.Unmarshal(text, &out)
	}
	if err == nil {
		err = out.check()
	}
	if err != nil {
		return nil, fmt.Errorf("load: read record: %w", err)
	}
	return &out, nil
}

func (r *Record) check() error {
	for i, s := range r.Stretches {
		t := s.Tally
		for _, h := range []packed{t.Response, t.Service, t.Lag, t.Own} {
			if h.histogram == nil || h.counts.SignificantFigures() != digits {
				return fmt.Errorf("stretch %d (%s) lacks a histogram of %d digits", i+1, s.Phase, digits)
			}
		}
		if !(s.Length >= 0) || s.Parts < 1 || t.Requests < 0 || t.Answers < 0 || t.Failed < 0 || s.Unfinished < 0 {
			return fmt.Errorf("stretch %d (%s) counts what cannot be", i+1, s.Phase)
		}
		if t.Errors == nil {
			r.Stretches[i].Tally.Errors = map[string]int64{}
		}
	}
	for i, s := range r.Seconds {
		for _, h := range []sparse{s.Response, s.Service, s.Lag, s.Ages} {
			if !h.known {
				return fmt.Errorf("second %d lacks a histogram of %d digits", i+1, coarse)
			}
		}
		if s.From < 0 || s.To <= s.From {
			return fmt.Errorf("second %d lasts from %d to %d ns", i+1, s.From, s.To)
		}
	}
	return nil
}

// Write writes the record as JSON.
func (r *Record) Write(w io.Writer) error { return json.NewEncoder(w).Encode(r) }

// Merge adds the record of another part of the same plan. Its stretches have to be the
// same, in the same order.
func (r *Record) Merge(other *Record) error {
	if len(r.Stretches) != len(other.Stretches) || r.Mode != other.Mode {
		return errors.New("load: merge records: they are not of one plan and the same stretches")
	}
	for i := range r.Stretches {
		if a, b := r.Stretches[i].Phase, other.Stretches[i].Phase; a != b {
			return fmt.Errorf("load: merge records: stretch %d is %q in one and %q in the other", i+1, a, b)
		}
	}
	for i := range r.Stretches {
		r.Stretches[i].merge(other.Stretches[i])
	}
	r.Seconds = mergeSeconds(r.Seconds, other.Seconds)
	if other.Started.Before(r.Started) {
		r.Started = other.Started
	}
	return nil
}

func (s *Recorded) merge(o Recorded) {
	n := float64(s.Parts + o.Parts)
	s.Length = (s.Length*float64(s.Parts) + o.Length*float64(o.Parts)) / n
	s.Start = min(s.Start, o.Start)
	s.Offered += o.Offered
	s.Achieved += o.Achieved
	s.CPU = plus(s.CPU, o.CPU)
	s.Unfinished += o.Unfinished
	s.Parts += o.Parts
	t := s.Tally.tally()
	t.merge(o.Tally.tally())
	s.Tally = t.tallied()
}

// plus is unknown where a part is.
func plus(a, b unpark.Number) unpark.Number {
	x, okA := a.Get()
	y, okB := b.Get()
	if !okA || !okB {
		return unpark.Number{}
	}
	return unpark.Num(x + y)
}

// Load returns what the generators saw together in stretch i.
func (r *Record) Load(i int) unpark.Load {
	s := r.Stretches[i]
	l := unpark.Load{Mode: r.Mode, Seconds: s.Length, Unfinished: s.Unfinished, OfferedRPS: s.Offered, AchievedRPS: s.Achieved, GeneratorCPU: s.CPU}
	s.Tally.tally().fill(&l)
	return l
}

// Percentiles writes the response times of stretch i as [Stretch.Percentiles] does.
func (r *Record) Percentiles(w io.Writer, i int) error {
	return r.Stretches[i].Tally.Response.percentiles(w)
}
