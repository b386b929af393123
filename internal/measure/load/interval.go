package load

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math"
	"time"

	hdr "github.com/HdrHistogram/hdrhistogram-go"
)

// The cookies of HdrHistogram's encoding V2, for words of one byte (hdr_encoding.go
// of the library; Java's AbstractHistogram).
const (
	cookiePlain  = uint32(hdr.V2EncodingCookieBase | 0x10)
	cookiePacked = uint32(hdr.V2CompressedEncodingCookieBase | 0x10)
)

// intervalLog collects the lines of an HdrHistogram log. The library's writer makes
// a compressor of 800 kB for each histogram: with three in a second that was most
// of the garbage of a load. Memory takes every write, so nothing here fails.
type intervalLog struct {
	lines         bytes.Buffer
	plain, packed []byte
	squeezed      bytes.Buffer
	squeeze       *zlib.Writer
}

// add appends one tick; from and to in nanoseconds since the load began.
func (l *intervalLog) add(p *pulse, from, to int64) {
	l.append("response", p.response, from, to)
	l.append("service", p.service, from, to)
	l.append("lag", p.lag, from, to)
}

func (l *intervalLog) append(tag string, h *histogram, from, to int64) {
	start, end := from/int64(time.Millisecond), to/int64(time.Millisecond)
	_, _ = fmt.Fprintf(&l.lines, "Tag=%s,%.3f,%.3f,%f,", tag, float64(start)/1e3, float64(end-start)/1e3, float64(h.counts.Max())/perMillis)
	l.packed = l.encode(l.packed[:0], h.counts)
	e := base64.NewEncoder(base64.StdEncoding, &l.lines)
	_, _ = e.Write(l.packed)
	_ = e.Close()
	_ = l.lines.WriteByte('\n')
}

// encode appends a histogram in the compressed form of V2.
func (l *intervalLog) encode(dst []byte, h *hdr.Histogram) []byte {
	const head = 40
	x := h.Export()
	b := append(l.plain[:0], make([]byte, head)...)
	b = appendCounts(b, x.Counts)
	binary.BigEndian.PutUint32(b, cookiePlain)
	binary.BigEndian.PutUint32(b[4:], uint32(len(b)-head))
	binary.BigEndian.PutUint32(b[8:], 0) // normalizing index offset
	binary.BigEndian.PutUint32(b[12:], uint32(x.SignificantFigures))
	binary.BigEndian.PutUint64(b[16:], uint64(x.LowestTrackableValue))
	binary.BigEndian.PutUint64(b[24:], uint64(x.HighestTrackableValue))
	binary.BigEndian.PutUint64(b[32:], math.Float64bits(1)) // of whole numbers to what they stand for
	l.plain = b
	l.squeezed.Reset()
	if l.squeeze == nil {
		l.squeeze = zlib.NewWriter(&l.squeezed)
	} else {
		l.squeeze.Reset(&l.squeezed)
	}
	_, _ = l.squeeze.Write(b)
	_ = l.squeeze.Close()
	dst = binary.BigEndian.AppendUint32(dst, cookiePacked)
	dst = binary.BigEndian.AppendUint32(dst, uint32(l.squeezed.Len()))
	return append(dst, l.squeezed.Bytes()...)
}

// appendCounts appends counts up to the last that is not 0, each as a zigzag varint; a
// negative one stands for so many zeros.
func appendCounts(dst []byte, counts []int64) []byte {
	zeros := int64(0)
	for _, n := range counts {
		if n == 0 {
			zeros++
			continue
		}
		if zeros > 0 {
			dst = binary.AppendVarint(dst, -zeros)
			zeros = 0
		}
		dst = binary.AppendVarint(dst, n)
	}
	return dst
}
