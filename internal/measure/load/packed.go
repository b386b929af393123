package load

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"

	hdr "github.com/HdrHistogram/hdrhistogram-go"
)

// packed is a histogram that is written into a record, and read from one, without loss.
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
	x := h.counts.Export()
	raw, err := t.check(len(x.Counts))
	if err != nil || len(raw) == 0 {
		return err
	}
	_ = walk(raw, len(x.Counts), func(at int, n int64) { x.Counts[at] = n }) // checked above
	h.counts = hdr.Import(x)
	h.sum, h.min, h.max = t.Sum, t.Min, t.Max
	return nil
}

// mostCount bounds what one bucket may hold, so that no sum of records overflows.
const mostCount = 1 << 48

var errCounts = errors.New("its counts do not fit: was it written by another version of unpark?")
