package profile

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"strings"
	"time"

	pprof "github.com/google/pprof/profile"

	"github.com/unpark-go/unpark"
)

// Made is a profile that is put together from stacks that were read elsewhere than from an
// endpoint, in the units of runtime/pprof: counts, nanoseconds, bytes.
type Made struct {
	out       *pprof.Profile
	functions map[[2]string]*pprof.Function
	locations map[unpark.Site]*pprof.Location
}

// Make begins a profile with the types and units of its values, in turns, as ("contentions",
// "count", "delay", "nanoseconds"), and with what a sample stands for: a type, a unit and how many of it.
func Make(of, unit string, period int64, types ...string) *Made {
	m := &Made{
		out: &pprof.Profile{
			TimeNanos: time.Now().UnixNano(), PeriodType: &pprof.ValueType{Type: of, Unit: unit}, Period: period,
		},
		functions: map[[2]string]*pprof.Function{}, locations: map[unpark.Site]*pprof.Location{},
	}
	for i := 0; i+1 < len(types); i += 2 {
		m.out.SampleType = append(m.out.SampleType, &pprof.ValueType{Type: types[i], Unit: types[i+1]})
	}
	return m
}

// Shows names the type that pprof shows unless it is asked for another one.
func (m *Made) Shows(of string) { m.out.DefaultSampleType = of }

// Lasted says when it began and how long it took.
func (m *Made) Lasted(from time.Time, d time.Duration) {
	m.out.TimeNanos, m.out.DurationNanos = from.UnixNano(), int64(d)
}

// Add adds a stack, leaf first, with a value for each type; one without frames is left out.
func (m *Made) Add(stack []unpark.Site, values ...int64) {
	if len(stack) == 0 {
		return
	}
	s := &pprof.Sample{Value: values}
	for _, at := range stack {
		s.Location = append(s.Location, m.location(at))
	}
	m.out.Sample = append(m.out.Sample, s)
}

func (m *Made) location(at unpark.Site) *pprof.Location {
	if l, ok := m.locations[at]; ok {
		return l
	}
	name := [2]string{at.Function, at.File}
	f := m.functions[name]
	if f == nil {
		f = &pprof.Function{ID: uint64(len(m.functions) + 1), Name: at.Function, SystemName: at.Function, Filename: at.File}
		m.functions[name] = f
		m.out.Function = append(m.out.Function, f)
	}
	l := &pprof.Location{ID: uint64(len(m.locations) + 1), Line: []pprof.Line{{Function: f, Line: int64(at.Line)}}}
	m.locations[at] = l
	m.out.Location = append(m.out.Location, l)
	return l
}

// drawn is the comment of a profile whose samples stand for more than was read.
const drawn = "unpark drew "

// Drawn says that it was made from so many things of all that there were, and how many of those
// changed meanwhile and are not in it.
func (m *Made) Drawn(n, of, moved int) {
	m.out.Comments = append(m.out.Comments, fmt.Sprintf("%s%d of %d, %d moved", drawn, n, of, moved))
}

// Drawn returns what [Made.Drawn] was told; ok is false for a profile of all.
func (p *Profile) Drawn() (n, of, moved int, ok bool) {
	if !strings.HasPrefix(p.drawn, drawn) {
		return 0, 0, 0, false
	}
	_, err := fmt.Sscanf(p.drawn, drawn+"%d of %d, %d moved", &n, &of, &moved)
	return n, of, moved, err == nil && n >= 0 && moved >= 0 && of >= n
}

// userOnly is the comment of a profile of the CPU without what was computed inside of the kernel.
const userOnly = "unpark sampled user code alone"

// UserOnly says that time inside of the kernel is not in it.
func (m *Made) UserOnly() { m.out.Comments = append(m.out.Comments, userOnly) }

// UserOnly reports what [Made.UserOnly] was told.
func (p *Profile) UserOnly() bool { return p.userOnly }

// Bytes is the profile as pprof reads it.
func (m *Made) Bytes() ([]byte, error) {
	var w bytes.Buffer
	// As fast as can be: a window has many of these, and what packs them computes beside the service.
	packed, err := gzip.NewWriterLevel(&w, gzip.BestSpeed)
	if err == nil {
		err = errors.Join(m.out.WriteUncompressed(packed), packed.Close())
	}
	if err != nil {
		return nil, fmt.Errorf("write a profile of %d stacks: %w", len(m.out.Sample), err)
	}
	return w.Bytes(), nil
}
