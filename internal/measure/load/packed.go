package load

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"

	hdr "github.com/HdrHistogram/hdrhistogram-go"
)

// packed is a histogram that is written into a record, and read from one, without loss.
// After sealed it has the text alone: thousands of seconds in memory are mostly zeros.
type packed struct{ *histogram }

// packedText is a histogram in a record: counts are zigzag varints, a negative one for so
// many zeros, up to the last that is not 0 (interval.go).
type packedText struct {
	Digits int     `json:"digits"`
	Counts string  `json:"counts"` // base64
	Sum    float64 `json:"sum_ns"`
	Min    int64   `json:"min_ns"`
	Max    int64   `json:"max_ns"`
}

func clone(h *histogram) *histogram {
	c := *h
	c.counts = h.counts.Clone()
	return &c
}

func (p packed) MarshalJSON() ([]byte, error) {
	if p.histogram == nil {
		return []byte("null"), nil
	}
	x := p.counts.Export()
	t := packedText{Digits: int(x.SignificantFigures), Sum: p.sum}
	if p.counts.TotalCount() > 0 {
		t.Min, t.Max = p.min, p.max
		t.Counts = base64.StdEncoding.EncodeToString(appendCounts(nil, x.Counts))
	}
	return json.Marshal(t)
}

func (p *packed) UnmarshalJSON(text []byte) error {
	var t packedText
	if err := json.Unmarshal(text, &t); err != nil {
		return err
	}
	if t.Digits != digits && t.Digits != coarse {
		return fmt.Errorf("histogram of %d digits: this unpark reads those of %d and %d", t.Digits, digits, coarse)
	}
	h := newHistogram(t.Digits)
	p.histogram = h
	if t.Counts == "" {
		return nil
	}
	raw, err := base64.StdEncoding.DecodeString(t.Counts)
	if err != nil {
		return fmt.Errorf("histogram: %w", err)
	}
	x := h.counts.Export()
	if err := readCounts(x.Counts, raw); err != nil {
		return fmt.Errorf("histogram: %w", err)
	}
	h.counts = hdr.Import(x)
	if !(t.Sum >= 0) || math.IsInf(t.Sum, 0) || t.Min < 0 || t.Max < t.Min || t.Max > highest {
		return fmt.Errorf("histogram: sum %g, from %d to %d ns: no such times", t.Sum, t.Min, t.Max)
	}
	h.sum, h.min, h.max = t.Sum, t.Min, t.Max
	return nil
}

// mostCount bounds what one bucket may hold, so that no sum of records overflows.
const mostCount = 1 << 48

var errCounts = errors.New("its counts do not fit: was it written by another version of unpark?")

// readCounts is the inverse of appendCounts.
func readCounts(into []int64, raw []byte) error {
	i := 0
	for len(raw) > 0 {
		n, size := binary.Varint(raw)
		if size <= 0 {
			return errCounts
		}
		raw = raw[size:]
		switch {
		case n < 0:
			if n < -int64(len(into)-i) {
				return errCounts
			}
			i -= int(n)
		case n == 0 || n > mostCount || i >= len(into):
			return errCounts
		default:
			into[i] = n
			i++
		}
	}
	return nil
}
