package load

import (
	"bytes"
	"context"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
)

// recordOf makes the record of one stretch and two seconds from samples.
func recordOf(samples []sample) *Record {
	t, secs := newTally(), []second{}
	for i := range samples {
		t.add(&samples[i])
		t.requests++
	}
	for half := range 2 {
		p := newPulse()
		for i := half; i < len(samples); i += 2 {
			p.answer(&samples[i])
		}
		ages := newHistogram(coarse)
		ages.add(int64(half+1) * 3e9)
		secs = append(secs, second{
			From: int64(half) * 1e9, To: int64(half+1) * 1e9, Tick: unpark.Tick{At: float64(half + 1), Phase: "window", RPS: 1},
			Response: sparseOf(p.response), Service: sparseOf(p.service), Lag: sparseOf(p.lag), Ages: sparseOf(ages),
		})
	}
	return &Record{
		Mode: unpark.Constant, Seconds: secs,
		Stretches: []Recorded{{Phase: "window", Length: 2, Offered: 10, Achieved: 9, CPU: unpark.Num(0.5), Parts: 1, Tally: t.tallied()}},
	}
}

func samples(n int, seed uint64) []sample {
	r := rand.New(rand.NewPCG(seed, 1))
	out := make([]sample, n)
	for i := range out {
		s := &out[i]
		s.intended = int64(i) * 1000
		s.written = s.intended + int64(r.ExpFloat64()*2e5)
		s.done = s.written + int64(r.ExpFloat64()*5e6)
		s.status, s.bytes, s.free = 200, int64(r.IntN(9000)), i%2 == 0
		if i%97 == 0 {
			s.status, s.err, s.words = 503, failStatus, "status 503"
		}
	}
	return out
}

// TestMergedRecordsAreOneHistogram: every figure of the merged records is, to the last bit,
// that of one generator which saw all requests.
func TestMergedRecordsAreOneHistogram(t *testing.T) {
	for _, parts := range []int{2, 3, 8, 16} {
		var all []sample
		var merged *Record
		for i := range parts {
			own := samples(4000+300*i, uint64(i))
			all = append(all, own...)
			var b bytes.Buffer
			if err := recordOf(own).Write(&b); err != nil {
				t.Fatal(err)
			}
			r, err := ReadRecord(&b)
			if err != nil {
				t.Fatal(err)
			}
			if merged == nil {
				merged = r
			} else if err := merged.Merge(r); err != nil {
				t.Fatal(err)
			}
		}
		one := recordOf(all)
		got, want := merged.Load(0), one.Load(0)
		if got.AchievedRPS != 9*float64(parts) || got.OfferedRPS != 10*float64(parts) || got.GeneratorCPU.Or(0) != 0.5*float64(parts) || got.Seconds != 2 {
			t.Errorf("%d parts: rates do not add up: %+v", parts, got)
		}
		want.AchievedRPS, want.OfferedRPS, want.GeneratorCPU = got.AchievedRPS, got.OfferedRPS, got.GeneratorCPU
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%d parts: merged %+v\nwant %+v", parts, got, want)
		}
		a, b := merged.Stretches[0].Tally.Response.counts, one.Stretches[0].Tally.Response.counts
		if !a.Equals(b) {
			t.Errorf("%d parts: the histograms differ", parts)
		}
		for q := 0.0; q <= 100; q += 0.01 {
			if a.ValueAtPercentile(q) != b.ValueAtPercentile(q) {
				t.Fatalf("%d parts: percentile %v is %d, want %d", parts, q, a.ValueAtPercentile(q), b.ValueAtPercentile(q))
			}
		}
		if len(merged.Seconds) != 2 {
			t.Fatalf("%d parts: %d seconds", parts, len(merged.Seconds))
		}
		sum := int64(0)
		for _, s := range merged.Seconds {
			sum += s.Response.dense().counts.TotalCount()
			if n := s.Ages.dense().counts.TotalCount(); n != int64(parts) {
				t.Errorf("%d parts: %d ages in a second", parts, n)
			}
		}
		if sum != int64(len(all)) {
			t.Errorf("%d parts: the seconds have %d answers of %d", parts, sum, len(all))
		}
	}
}

// TestRecordOfAGenerator: what a generator records is what it says itself.
func TestRecordOfAGenerator(t *testing.T) {
	url := serve(t, hello)
	plan := unpark.Plan{Mode: unpark.Constant, RateRPS: 400, Connections: 4, Requests: []unpark.Request{{URL: url}}, Share: unpark.Share{Index: 0, Of: 1}}
	at := time.Now().Add(100 * time.Millisecond)
	g, err := Prepare(t.Context(), plan)
	if err != nil {
		t.Fatal(err)
	}
	defer g.Stop()
	g.StartAt(at)
	s := g.First()
	time.Sleep(1500 * time.Millisecond)
	g.Begin("rest")
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	want := s.Load(ctx)
	g.Stop()
	r, err := g.Record(s)
	if err != nil {
		t.Fatal(err)
	}
	if got := r.Load(0); !reflect.DeepEqual(got, want) {
		t.Errorf("recorded %+v\nsaid %+v", got, want)
	}
	ticks := g.Ticks()
	for i, tick := range r.Ticks() {
		if tick != ticks[i] {
			t.Errorf("tick %d: recorded %+v, said %+v", i, tick, ticks[i])
		}
	}
	if len(r.Seconds) != len(ticks) || len(ticks) == 0 {
		t.Errorf("%d seconds and %d ticks", len(r.Seconds), len(ticks))
	}
	var own, merged bytes.Buffer
	if err := g.Log(&own); err != nil {
		t.Fatal(err)
	}
	if err := r.Log(&merged); err != nil {
		t.Fatal(err)
	}
	if own.String() != merged.String() {
		t.Errorf("the log of the record is\n%s\nthe generator's\n%s", merged.String(), own.String())
	}
	if !g.started.Equal(at) {
		t.Errorf("it began %v after it should have", g.started.Sub(at))
	}
	if _, err := g.Record(g.Begin("late")); err == nil {
		t.Error("no error for a stretch without a result")
	}
}

func TestReadRecordRefuses(t *testing.T) {
	for name, text := range map[string]string{
		"cut":          `{"stretches":[`,
		"no histogram": `{"stretches":[{"phase":"window","parts":1}]}`,
		"digits":       `{"seconds":[{"from_ns":0,"to_ns":1,"response":{"digits":5}}]}`,
		"counts":       `{"seconds":[{"from_ns":0,"to_ns":1,"response":{"digits":2,"counts":"////////"}}]}`,
		"too far":      `{"seconds":[{"from_ns":0,"to_ns":1,"response":{"digits":2,"counts":"/////w8C"}}]}`,
	} {
		if _, err := ReadRecord(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), "read record") {
			t.Errorf("%s: %v", name, err)
		}
	}
	a, b := recordOf(samples(10, 1)), recordOf(samples(10, 2))
	b.Stretches[0].Phase = "baseline"
	if a.Merge(b) == nil || a.Merge(&Record{}) == nil {
		t.Error("records of other stretches were merged")
	}
}

func FuzzReadRecord(f *testing.F) {
	var b bytes.Buffer
	_ = recordOf(samples(20, 1)).Write(&b)
	f.Add(b.Bytes())
	f.Add([]byte(`{"stretches":[{"phase":"window","parts":1,"tally":{"response":{"digits":3,"counts":"Ag=="}}}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := ReadRecord(bytes.NewReader(text))
		if err != nil {
			return
		}
		if err := r.Merge(r); err != nil {
			t.Fatal(err)
		}
		for i := range r.Stretches {
			_ = r.Load(i)
		}
		_ = r.Ticks()
	})
}
