package window

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/measure/profile"
)

// lasted is a profile of contention as two readings make it, which lie so far apart, of 1 s in 10 waits.
func lasted(t *testing.T, kind unpark.Kind, d time.Duration) *profile.Profile {
	t.Helper()
	reading := func(at time.Time, count, delay int64) []byte {
		m := profile.Make("contentions", "count", 1, "contentions", "count", "delay", "nanoseconds")
		m.Lasted(at, 0)
		m.Add([]unpark.Site{{Function: "main.get", File: "main.go", Line: 7}}, count, delay)
		b, err := m.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	began := time.Unix(100, 0)
	p, err := decode(kind, "it", &raw{base: reading(began, 5, 5e8), body: reading(began.Add(d), 15, 15e8)})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestRecorded: what was recorded in a part of the window stands for all of it, and the record says for how long that was.
func TestRecorded(t *testing.T) {
	t.Parallel()
	read, probe := &Endpoint{Info: &Info{Attached: true}}, &Endpoint{Info: &Info{}}
	for _, c := range []struct {
		name     string
		of       *Endpoint
		kind     unpark.Kind
		recorded time.Duration
		waited   float64
		said     float64 // 0: nothing
	}{
		{"a third", read, unpark.KindBlock, 10 * time.Second, 3, 10},
		{"a third of contention", read, unpark.KindMutex, 10 * time.Second, 3, 10},
		{"to the end", read, unpark.KindBlock, 29900 * time.Millisecond, 1, 0},
		{"by a probe", probe, unpark.KindBlock, 10 * time.Second, 1, 0},
	} {
		m := &member{endpoint: c.of}
		f := unpark.ProfileFile{Kind: c.kind, State: unpark.Present, Start: time.Unix(100, 0), End: time.Unix(130, 0)}
		p := m.recorded(&f, lasted(t, c.kind, c.recorded))
		samples := p.Samples()
		if len(samples) != 1 || samples[0].Value != c.waited || samples[0].Count != 10*c.waited {
			t.Errorf("%s: %+v, want %v s in %v waits", c.name, samples, c.waited, 10*c.waited)
		}
		if f.Recorded.Or(0) != c.said || c.said > 0 && (p.Duration() != 30*time.Second || f.Part() != c.said/30) {
			t.Errorf("%s: recorded %v s of %v, part %v", c.name, f.Recorded, p.Duration(), f.Part())
		}
	}
}

// TestRecordIsAsked: the reader of a process is told of a window that begins, by the number of the window's own lease; a guard's
// lease goes on, and a probe is not asked.
func TestRecordIsAsked(t *testing.T) {
	t.Parallel()
	var asked []string
	e := newTestEndpoint(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { asked = append(asked, r.URL.RequestURI()) }))
	own := &lease{Number: 3, held: &held{}}
	for _, m := range []*member{
		{endpoint: e, lease: own}, // by a probe
		{endpoint: &Endpoint{Info: &Info{Attached: true}, root: e.root, client: e.client}, lease: &lease{Number: 3}}, // a guard's
		{endpoint: &Endpoint{Info: &Info{Attached: true}, root: e.root, client: e.client}, lease: own},
	} {
		m.record(context.Background(), 30*time.Second)
	}
	if len(asked) != 1 || asked[0] != "/debug/unpark/record?lease=3&window=30s" {
		t.Errorf("asked %q", asked)
	}
}
