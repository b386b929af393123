package load

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"sync"

	hdr "github.com/HdrHistogram/hdrhistogram-go"
)

// sparse is the histogram of a second as it is written: of its thousands of counts a few hundred are not 0,
// and a record has four for each second of each generator. It is not changed once it was made.
type sparse struct {
	counts   []byte // as appendCounts makes them
	sum      float64
	min, max int64
	known    bool // there is one, if only an empty one
}

// coarseCounts is how many counts a histogram of a second has.
var coarseCounts = sync.OnceValue(func() int { return len(hdr.New(lowest, highest, coarse).Export().Counts) })

func sparseOf(h *histogram) sparse {
	return sparse{counts: appendCounts(nil, h.counts.Export().Counts), sum: h.sum, min: h.min, max: h.max, known: true}
}

// dense is the inverse of sparseOf.
func (s sparse) dense() *histogram {
	h := newHistogram(coarse)
	if len(s.counts) == 0 {
		return h
	}
	x := h.counts.Export()
	_ = walk(s.counts, len(x.Counts), func(at int, n int64) { x.Counts[at] = n }) // they were walked when they were read
	h.counts = hdr.Import(x)
	h.sum, h.min, h.max = s.sum, s.min, s.max
	return h
}

// plus adds up two of them. room has [coarseCounts] zeros, and has them again afterwards.
func (s sparse) plus(o sparse, room []int64) sparse {
	switch {
	case len(o.counts) == 0:
		return s
	case len(s.counts) == 0:
		return o
	}
	for _, counts := range [][]byte{s.counts, o.counts} {
		_ = walk(counts, len(room), func(at int, n int64) { room[at] += n })
	}
	out := sparse{counts: appendCounts(nil, room), sum: s.sum + o.sum, min: min(s.min, o.min), max: max(s.max, o.max), known: true}
	clear(room)
	return out
}

// MarshalJSON writes the same as packed does.
func (s sparse) MarshalJSON() ([]byte, error) {
	if !s.known {
		return []byte("null"), nil
	}
	t := packedText{Digits: coarse, Sum: s.sum}
	if len(s.counts) > 0 {
		t.Min, t.Max, t.Counts = s.min, s.max, base64.StdEncoding.EncodeToString(s.counts)
	}
	return json.Marshal(t)
}

func (s *sparse) UnmarshalJSON(text []byte) error {
	var t packedText
	if err := json.Unmarshal(text, &t); err != nil {
		return err
	}
	if t.Digits != coarse {
		return fmt.Errorf("histogram of %d digits: seconds have those of %d", t.Digits, coarse)
	}
	raw, err := t.check(coarseCounts())
	if err != nil {
		return err
	}
	*s = sparse{counts: raw, sum: t.Sum, min: t.Min, max: t.Max, known: true}
	if len(raw) == 0 {
		s.sum, s.min = 0, math.MaxInt64
	}
	return nil
}

// check returns the counts of a histogram, each of which can be.
func (t packedText) check(length int) ([]byte, error) {
	raw, err := base64.StdEncoding.DecodeString(t.Counts)
	if err != nil {
		return nil, fmt.Errorf("histogram: %w", err)
	}
	if err := walk(raw, length, func(int, int64) {}); err != nil {
		return nil, fmt.Errorf("histogram: %w", err)
	}
	if len(raw) > 0 && (!(t.Sum >= 0) || math.IsInf(t.Sum, 0) || t.Min < 0 || t.Max < t.Min || t.Max > highest) {
		return nil, fmt.Errorf("histogram: sum %g, from %d to %d ns: no such times", t.Sum, t.Min, t.Max)
	}
	return raw, nil
}

// walk yields the counts that are not 0 of what appendCounts has made of as many, with their indexes.
func walk(raw []byte, length int, yield func(at int, n int64)) error {
	i := 0
	for len(raw) > 0 {
		n, size := binary.Varint(raw)
		if size <= 0 {
			return errCounts
		}
		raw = raw[size:]
		switch {
		case n < 0:
			if n < -int64(length-i) {
				return errCounts
			}
			i -= int(n)
		case n == 0 || n > mostCount || i >= length:
			return errCounts
		default:
			yield(i, n)
			i++
		}
	}
	return nil
}
