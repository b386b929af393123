package load

import (
	"bytes"
	"strings"
	"testing"

	hdr "github.com/HdrHistogram/hdrhistogram-go"

	"github.com/unpark-go/unpark"
)

// TestLogReadsBack: another reader of the format finds every answer.
func TestLogReadsBack(t *testing.T) {
	url := serve(t, hello)
	g := start(t, closed(2, unpark.Request{URL: url}))
	until(t, "two ticks", func() bool { return len(g.Ticks()) >= 2 })
	g.Stop()
	var b bytes.Buffer
	if err := g.Log(&b); err != nil {
		t.Fatal(err)
	}
	r := hdr.NewHistogramLogReader(&b)
	var n int64
	intervals := 0
	for {
		h, err := r.NextIntervalHistogram()
		if err != nil {
			t.Fatal(err)
		}
		if h == nil {
			break
		}
		intervals++
		n += h.TotalCount()
	}
	want := 0.0
	last := 0.0
	for _, tick := range g.Ticks() {
		want += tick.RPS * (tick.At - last)
		last = tick.At
	}
	if intervals != len(g.Ticks()) || float64(n) < 0.999*want || float64(n) > 1.001*want {
		t.Errorf("%d intervals with %d values, want %d with %.0f", intervals, n, len(g.Ticks()), want)
	}
}

func TestPercentiles(t *testing.T) {
	s := &Stretch{phase: "window"}
	if err := s.Percentiles(&bytes.Buffer{}); err == nil {
		t.Error("no error before there is a result")
	}
	s.response = newHistogram(digits)
	for i := range int64(1000) {
		s.response.add((i + 1) * 1e6)
	}
	var b bytes.Buffer
	if err := s.Percentiles(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Value", "500.", "0.500000", "inf", "#[Max", "Total count    =         1000]"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}
