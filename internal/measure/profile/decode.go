package profile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
	"time"
	"unique"

	pprof "github.com/google/pprof/profile"
	"github.com/klauspost/compress/gzip"

	"github.com/unpark-go/unpark"
)

// Decode reads one profile of one process, inflating it when it is compressed.
// name says where the bytes came from, for errors: a body that is no profile, is cut
// off, exceeds the bounds (128 MB inflated, two million samples, 512 MB when parsed)
// or is of another kind.
//
// An allocs and a heap profile hold the same samples, so either is accepted as
// the other. A block and a mutex profile differ in their stacks only; the wrong
// one is refused when they tell.
func Decode(r io.Reader, kind unpark.Kind, name string) (*Profile, error) {
	return decode(r, kind, name, defaultLimits())
}

// Detect reads a profile and returns its kind from its sample types. The two
// pairs that share types are told apart by the default sample type (allocs, heap)
// and by the stacks (block, mutex). An error says that the bytes are no profile,
// or that the kind cannot be told.
func Detect(r io.Reader) (unpark.Kind, error) {
	l := defaultLimits()
	raw, err := parse(r, "", l)
	if err != nil {
		return "", err
	}
	kind, why := detect(raw)
	if kind == "" {
		return "", &fileError{Cause: why}
	}
	return kind, nil
}

func decode(r io.Reader, kind unpark.Kind, name string, l limits) (*Profile, error) {
	raw, err := parse(r, name, l)
	if err != nil {
		return nil, err
	}
	if err := fits(raw, kind); err != nil {
		return nil, &fileError{Name: name, Cause: err.Error()}
	}
	p, err := convert(raw, kind, l)
	if err != nil {
		return nil, &fileError{Name: name, Cause: err.Error()}
	}
	return p, nil
}

// parse inflates and parses within the limits.
func parse(r io.Reader, name string, l limits) (p *pprof.Profile, err error) {
	data, err := inflate(r, name, l)
	if err != nil {
		return nil, err
	}
	counted, err := scan(data, l)
	if err != nil {
		if !errors.Is(err, errWire) {
			return nil, &fileError{Name: name, Cause: err.Error()}
		}
		if is := sniff(data); is != "" {
			return nil, &fileError{Name: name, Cause: is}
		}
		return nil, &fileError{Name: name, Cause: fmt.Sprintf("is damaged or truncated after %d bytes: fetch it again", len(data))}
	}
	// The bytes may come from anywhere: a fault in the parser must cost one file, not the run.
	defer func() {
		if v := recover(); v != nil {
			p, err = nil, &fileError{Name: name, Cause: fmt.Sprintf("is damaged: the parser failed: %v", v)}
		}
	}()
	if p, err = unpack(data, counted); err != nil {
		return nil, &fileError{Name: name, Cause: "is no valid profile", Err: err}
	}
	if len(p.SampleType) == 0 {
		return nil, &fileError{Name: name, Cause: "is no profile: it names no sample type"}
	}
	return p, nil
}

// inflate reads all of r, at most l.bytes before and after inflation.
func inflate(r io.Reader, name string, l limits) ([]byte, error) {
	data, err := readAll(r, l.bytes, 0)
	if err != nil {
		return nil, &fileError{Name: name, Cause: fmt.Sprintf("cannot be read after %d bytes", len(data)), Err: err}
	}
	if !bytes.HasPrefix(data, []byte{0x1f, 0x8b}) {
		if is := sniff(data); is != "" {
			return nil, &fileError{Name: name, Cause: is}
		}
		return data, nil
	}
	zr, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, &fileError{Name: name, Cause: fmt.Sprintf("truncated after %d bytes: fetch it again", len(data)), Err: err}
	}
	out, err := readAll(zr, l.bytes, inflated(data))
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return nil, &fileError{Name: name, Cause: fmt.Sprintf("truncated after %d bytes: fetch it again", len(data)), Err: err}
	case err != nil:
		return nil, &fileError{Name: name, Cause: fmt.Sprintf("cannot be inflated after %d bytes", len(out)), Err: err}
	}
	if is := sniff(out); is != "" {
		return nil, &fileError{Name: name, Cause: is}
	}
	return out, nil
}

// mostInflated is how many times its size a file is believed to be when it is inflated, before that is seen: no profile of
// Go's comes near, and room is not made for what a damaged file says.
const mostInflated = 16

// inflated is about how large a file of gzip says that it is when inflated (RFC 1952, ISIZE): the last four bytes. It is a size to
// make room for, and nothing else depends on it.
func inflated(data []byte) int {
	if len(data) < 4 {
		return 0
	}
	said := binary.LittleEndian.Uint32(data[len(data)-4:])
	return int(min(int64(said), mostInflated*int64(len(data))))
}

// readAll reads r, failing when there is more than limit. About so many bytes are expected; 0 is unknown.
func readAll(r io.Reader, limit int64, expected int) ([]byte, error) {
	var b bytes.Buffer
	if expected > 0 {
		b.Grow(expected + bytes.MinRead) // which ReadFrom wants free to find the end
	}
	n, err := b.ReadFrom(io.LimitReader(r, limit+1))
	if err == nil && n > limit {
		return b.Bytes(), fmt.Errorf("it is larger than %d bytes, the limit for one profile", limit)
	}
	return b.Bytes(), err
}

// convert turns the parser's form into ours.
func convert(raw *pprof.Profile, kind unpark.Kind, l limits) (*Profile, error) {
	p := &Profile{kind: kind, period: raw.Period, duration: time.Duration(raw.DurationNanos), defaultType: raw.DefaultSampleType}
	if raw.TimeNanos != 0 {
		p.start = time.Unix(0, raw.TimeNanos)
	}
	for _, t := range raw.SampleType {
		p.types = append(p.types, valueType{t.Type, t.Unit})
	}
	if t := raw.PeriodType; t != nil {
		p.periodType = valueType{t.Type, t.Unit}
	}
	for _, c := range raw.Comments {
		if strings.HasPrefix(c, drawn) {
			p.drawn = c
		}
	}
	if len(raw.Mapping) > 0 {
		p.binary, p.build = raw.Mapping[0].File, raw.Mapping[0].BuildID
	}
	b := newBuilder(p, len(raw.Location), len(raw.Sample))
	none := b.label(labelSet{})
	expanded := make(map[*pprof.Location][]uint32, len(raw.Location))
	total := 0
	var stack []uint32
	for _, s := range raw.Sample {
		stack = stack[:0]
		for _, loc := range s.Location {
			f, ok := expanded[loc]
			if !ok {
				f = b.expand(loc)
				expanded[loc] = f
			}
			if total += len(f); total > l.frames {
				return nil, fmt.Errorf("holds more than %d frames, the limit", l.frames)
			}
			stack = append(stack, f...)
		}
		labels := none
		if len(s.Label)+len(s.NumLabel) > 0 {
			labels = b.label(newLabelSet(s.Label, s.NumLabel, s.NumUnit))
		}
		at := b.sample(stack, labels) * len(p.types)
		for i, v := range s.Value {
			p.values[at+i] += v
		}
	}
	b.done()
	return p, nil
}

// expand returns the frames of a location, innermost inlined call first. Code
// without symbols is one frame named after its file, because its addresses
// differ between processes.
func (b *builder) expand(loc *pprof.Location) []uint32 {
	if len(loc.Line) == 0 {
		file := ""
		if loc.Mapping != nil {
			file = loc.Mapping.File
		}
		name := "[unknown]"
		if file != "" {
			name = "[" + path.Base(file) + "]"
		}
		return []uint32{b.frame(unique.Make(frame{site: unpark.Site{Function: name, File: file}}))}
	}
	out := make([]uint32, len(loc.Line))
	for i, line := range loc.Line {
		f := frame{inlined: i < len(loc.Line)-1}
		if fn := line.Function; fn != nil {
			f.site = unpark.Site{Function: fn.Name, File: fn.Filename, Line: int(line.Line)}
			f.start = fn.StartLine
			if f.site.Function == "" {
				f.site.Function = fn.SystemName
			}
		}
		if f.site.Function == "" {
			f.site.Function = "[unknown]"
		}
		out[i] = b.frame(unique.Make(f))
	}
	return out
}
