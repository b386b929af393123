package load

import (
	"bytes"
	"encoding/base64"
	"io"
	"math"
	"strings"
	"testing"
	"time"

	hdr "github.com/HdrHistogram/hdrhistogram-go"

	"github.com/unpark-go/unpark"
)

// logged is what another reader of the format finds, by tag.
func logged(t *testing.T, log io.Reader) map[string][]*hdr.Histogram {
	t.Helper()
	all := map[string][]*hdr.Histogram{}
	for r := hdr.NewHistogramLogReader(log); ; {
		h, err := r.NextIntervalHistogram()
		if err != nil {
			t.Fatal(err)
		}
		if h == nil {
			return all
		}
		all[h.Tag()] = append(all[h.Tag()], h)
	}
}

// TestLogReadsBack: another reader of the format finds every answer, in each of
// the three series.
func TestLogReadsBack(t *testing.T) {
	t.Parallel()
	url := serve(t, hello)
	g := start(t, closed(2, unpark.Request{URL: url}))
	until(t, "two ticks", func() bool { return len(g.Ticks()) >= 2 })
	g.Stop()
	var b bytes.Buffer
	if err := g.Log(&b); err != nil {
		t.Fatal(err)
	}
	all := logged(t, &b)
	if len(all) != 3 {
		t.Errorf("%d series", len(all))
	}
	for _, tag := range []string{"response", "service", "lag"} {
		if len(all[tag]) != len(g.Ticks()) {
			t.Fatalf("%d intervals of %s, want %d", len(all[tag]), tag, len(g.Ticks()))
		}
		last := 0.0
		for i, tick := range g.Ticks() {
			h := all[tag][i]
			want := tick.RPS * (tick.At - last)
			if n := float64(h.TotalCount()); n < 0.999*want || n > 1.001*want {
				t.Errorf("tick %d has %g values of %s, want %g", i, n, tag, want)
			}
			at := float64(h.StartTimeMs()-g.started.Truncate(time.Second).UnixMilli()) / 1e3
			if math.Abs(at-last) > 0.01 {
				t.Errorf("tick %d of %s begins at %g s, want %g", i, tag, at, last)
			}
			last = tick.At
		}
	}
}

// TestLogSeries: each time is found under its tag.
func TestLogSeries(t *testing.T) {
	var log intervalLog
	p := newPulse()
	for i := range int64(3) {
		sum := newPulse()
		p.answer(&sample{arrival: arrival{intended: 0}, outcome: outcome{status: 200, written: 3e6, done: (10 + i) * 1e6}})
		p.errors++
		p.empty(&sum)
		if sum.errors != 1 || p.errors != 0 {
			t.Errorf("%d errors moved, %d stayed", sum.errors, p.errors)
		}
		log.add(&sum, i*1e9, (i+1)*1e9)
	}
	text := log.lines.String()
	all := logged(t, &log.lines)
	for tag, want := range map[string]func(int64) int64{
		"response": func(i int64) int64 { return (10 + i) * 1e6 },
		"service":  func(i int64) int64 { return (7 + i) * 1e6 },
		"lag":      func(int64) int64 { return 3e6 },
	} {
		if len(all[tag]) != 3 {
			t.Fatalf("%d intervals of %s in\n%s", len(all[tag]), tag, text)
		}
		for i, h := range all[tag] {
			if v := want(int64(i)); h.TotalCount() != 1 || !h.ValuesAreEquivalent(h.Max(), v) || h.StartTimeMs() != int64(i)*1000 || h.EndTimeMs() != int64(i+1)*1000 {
				t.Errorf("%s %d: %d values up to %d, want one of %d; %d to %d ms", tag, i, h.TotalCount(), h.Max(), v, h.StartTimeMs(), h.EndTimeMs())
			}
		}
	}
}

// TestIntervalEncoding: what we encode the library decodes to the same histogram, from
// an empty one to one whose counts need many bytes.
func TestIntervalEncoding(t *testing.T) {
	var log intervalLog
	for name, fill := range map[string]func(*histogram){
		"empty":   func(*histogram) {},
		"lowest":  func(h *histogram) { h.add(0) },
		"highest": func(h *histogram) { h.add(highest) },
		"many":    func(h *histogram) { _ = h.counts.RecordValues(5e6, 1<<40) },
		"spread": func(h *histogram) {
			for i := range int64(20_000) {
				h.add(i * i * 100)
			}
		},
	} {
		for _, precision := range []int{coarse, digits} {
			h := newHistogram(precision)
			fill(h)
			got, err := hdr.Decode([]byte(base64.StdEncoding.EncodeToString(log.encode(nil, h.counts))))
			if err != nil || !got.Equals(h.counts) || got.Max() != h.counts.Max() {
				t.Errorf("%s: %v; %d values up to %d, want %d up to %d", name, err, got.TotalCount(), got.Max(), h.counts.TotalCount(), h.counts.Max())
			}
		}
	}
}

func TestPercentiles(t *testing.T) {
	s := &Stretch{phase: "window"}
	if err := s.Percentiles(&bytes.Buffer{}); err == nil {
		t.Error("no error before there is a result")
	}
	s.total = newTally()
	for i := range int64(1000) {
		s.total.response.add((i + 1) * 1e6)
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
