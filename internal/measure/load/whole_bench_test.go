package load

import (
	"bytes"
	"testing"
)

// BenchmarkMerge reads and merges the record of one more agent: a window and 60 seconds of
// 1,000 requests each.
func BenchmarkMerge(b *testing.B) {
	one := recordOf(samples(60_000, 1))
	one.Seconds = nil
	for i := range int64(60) {
		next := recordOf(samples(2000, uint64(i))).Seconds[0]
		next.From, next.To = i*1e9, (i+1)*1e9
		one.Seconds = append(one.Seconds, next)
	}
	var text bytes.Buffer
	if err := one.Write(&text); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		more, err := ReadRecord(bytes.NewReader(text.Bytes()))
		if err != nil {
			b.Fatal(err)
		}
		if err := one.Merge(more); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(text.Len())/1e3, "kB/agent")
}
