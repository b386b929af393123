package profile

import (
	"io"
	"math"
	"slices"
	"time"

	"github.com/unpark-go/unpark"
)

// Merge adds profiles of one kind: processes of one target, or stretches of one
// process. Nil profiles are skipped. The result has the kind and the value types
// of the first; a type that only a later one has is left out. Without a profile
// the result is empty and of no kind.
func Merge(ps ...*Profile) *Profile {
	ps = slices.DeleteFunc(slices.Clone(ps), func(p *Profile) bool { return p == nil })
	if len(ps) == 1 {
		return ps[0] // it may be a sum already, of hundreds
	}
	var m Merger
	for _, p := range ps {
		m.Add(p)
	}
	return m.Merged()
}

// Merger is [Merge] of profiles that come one after the other: it holds what they add up to and
// none of them, so that the profiles of hundreds of processes need no more room than their sum.
// The zero value is ready.
type Merger struct {
	out *Profile
	b   *builder
	in  inflater
}

// Add adds a profile; nil is none.
func (m *Merger) Add(p *Profile) {
	if p == nil {
		return
	}
	m.join(p, len(p.frames), len(p.samples)).add(p, 1)
}

// Read adds a profile that is read as [Decode] does, without making it beforehand. After an error the sum is what it
// was.
func (m *Merger) Read(r io.Reader, kind unpark.Kind, name string) error {
	l := defaultLimits()
	raw, err := parseKind(&m.in, r, kind, name, l)
	if err != nil {
		return err
	}
	if err := shallow(raw, l); err != nil {
		return &fileError{Name: name, Cause: err.Error()}
	}
	b := m.join(said(raw, kind), len(raw.Location), len(raw.Sample))
	if b.sites == nil {
		b.sites = make(map[frame]uint32, len(raw.Location))
	}
	b.fill(raw)
	return nil
}

// join takes up what a profile says of itself and returns the builder that its samples go to.
func (m *Merger) join(p *Profile, frames, samples int) *builder {
	others := p.Processes()
	if m.out == nil {
		head := header(p)
		m.out, others = &head, p.others
		m.b = newBuilder(m.out, frames, samples)
	}
	out := m.out
	out.others += others
	out.clamped += p.clamped
	out.duration = max(out.duration, p.duration)
	if out.start.IsZero() || !p.start.IsZero() && p.start.Before(out.start) {
		out.start = p.start
	}
	if out.binary != p.binary {
		out.build = ""
	}
	out.period = max(out.period, p.period)
	return m.b
}

// Merged returns the sum, after which nothing is added any more.
func (m *Merger) Merged() *Profile {
	if m.out == nil {
		return &Profile{}
	}
	m.b.done()
	return m.out
}

// Sub returns this reading of a cumulative kind minus an earlier one of the same
// process. Samples in which nothing happened are left out. A value that shrank is
// taken as 0 and counted by [Profile.Clamped]; values that may shrink (inuse_* of
// an allocs profile) keep their difference. A nil earlier reading counts as
// empty.
func (p *Profile) Sub(earlier *Profile) *Profile {
	diff := header(p)
	diff.clamped = p.clamped
	b := newBuilder(&diff, len(p.frames), len(p.samples))
	b.add(p, 1)
	if earlier != nil {
		b.add(earlier, -1)
		if !p.start.IsZero() && !earlier.start.IsZero() && p.start.After(earlier.start) {
			diff.duration = p.start.Sub(earlier.start)
			diff.start = earlier.start
		}
	}
	for i := range diff.values {
		t := diff.types[i%len(diff.types)]
		if diff.values[i] < 0 && cumulative(diff.kind, t) {
			diff.values[i] = 0
			diff.clamped++
		}
	}
	return diff.compact()
}

// Over returns the profile as of a longer interval, of which it has a part that is like the rest: its values times as much.
func (p *Profile) Over(d time.Duration) *Profile {
	if p.duration <= 0 || d <= p.duration {
		return p
	}
	by := d.Seconds() / p.duration.Seconds()
	out := *p
	out.duration = d
	out.values = make([]int64, len(p.values))
	for i, v := range p.values {
		out.values[i] = int64(math.Round(float64(v) * by))
	}
	return &out
}

// header returns a profile without samples that says what p says of itself.
func header(p *Profile) Profile {
	return Profile{
		kind: p.kind, types: p.types, defaultType: p.defaultType,
		periodType: p.periodType, period: p.period,
		start: p.start, duration: p.duration, binary: p.binary, build: p.build,
	}
}

// compact returns the profile without samples whose values are all 0.
func (p *Profile) compact() *Profile {
	out := header(p)
	out.clamped = p.clamped
	b := newBuilder(&out, len(p.frames), len(p.samples))
	labels := make([]uint32, len(p.labels))
	for i, s := range p.labels {
		labels[i] = b.label(s)
	}
	frames := make(map[uint32]uint32)
	var stack []uint32
	for i, r := range p.samples {
		values := p.values[i*len(p.types) : (i+1)*len(p.types)]
		if allZero(values) {
			continue
		}
		stack = stack[:0]
		for _, f := range p.stack(i) {
			n, ok := frames[f]
			if !ok {
				n = b.frame(p.frames[f])
				frames[f] = n
			}
			stack = append(stack, n)
		}
		at := b.sample(stack, labels[r.labels])
		copy(out.values[at*len(p.types):], values)
	}
	b.done()
	return &out
}

func allZero(v []int64) bool {
	for _, x := range v {
		if x != 0 {
			return false
		}
	}
	return true
}
