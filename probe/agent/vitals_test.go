package agent

import (
	"bufio"
	"context"
	"encoding/json"
	"math"
	"net/http"
	"testing"
	"time"
)

// TestBuckets: every duration lies inside of its bucket, which is 1/16 of it wide at most.
func TestBuckets(t *testing.T) {
	for ns := int64(0); ns < int64(time.Hour); ns += 1 + ns/37 {
		b := bucketOf(ns)
		low, high, s := lowest(b), lowest(b+1), float64(ns)/1e9
		if s < low || s >= high {
			t.Fatalf("%d ns: bucket %d, %v to %v s", ns, b, low, high)
		}
		if width := (high - low) / math.Max(low, 17e-6); width > 1.0/16+1e-9 {
			t.Fatalf("%d ns: bucket %d is %v wide", ns, b, width)
		}
	}
	if bucketOf(-1) != 0 || bucketOf(math.MaxInt64) != buckets-1 {
		t.Error(bucketOf(-1), bucketOf(math.MaxInt64))
	}
}

// followed reads the lines of the vitals until it is cancelled.
func followed(t *testing.T, c *http.Client) (next func() vital, cancel context.CancelFunc) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	r, err := http.NewRequestWithContext(ctx, "GET", "http://unix/debug/unpark/vitals?ttl=600", nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := c.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { resp.Body.Close() })
	lines := bufio.NewReader(resp.Body)
	if first, err := lines.ReadString('\n'); err != nil || first != "{\"followed\":true}\n" {
		t.Fatalf("%q, %v", first, err)
	}
	return func() vital {
		t.Helper()
		line, err := lines.ReadBytes('\n')
		var v vital
		if err == nil {
			err = json.Unmarshal(line, &v)
		}
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		return v
	}, cancel
}

// TestVitals: requests are timed while they are followed, and not before nor after.
func TestVitals(t *testing.T) {
	_, client := startUnix(t, Options{})
	timer := Middleware()
	if at, watched := timer.Began(); at != 0 || watched {
		t.Error("timed, and nothing looks:", at, watched)
	}
	next, cancel := followed(t, client)
	at, watched := timer.Began()
	if at == 0 || !watched || Active() {
		t.Error("followed:", at, watched, Active())
	}
	v := next()
	if v.Goroutines == nil || *v.Goroutines < 1 || v.Heap == nil || *v.Heap <= 0 || v.Requests == nil || v.Requests.InFlight != 1 {
		t.Errorf("%+v %+v", v, v.Requests)
	}
	timer.Ended(at)
	v = next()
	if r := v.Requests; r.InFlight != 0 || len(r.Counts) != 1 || r.Counts[0] != 1 || r.Low[0] > r.High[0] || r.High[0] < 0.01 {
		t.Errorf("%+v", v.Requests)
	}
	if v = next(); len(v.Requests.Counts) != 0 {
		t.Errorf("told twice: %+v", v.Requests)
	}
	cancel()
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(time.Millisecond) {
		at, watched := timer.Began()
		timer.Ended(at) // the timer is the process's: what does not end is in flight in the tests after
		if !watched {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("the client is gone, and requests are timed")
		}
	}
}

// TestStandingLease: a rate that is lent for hours marks no request.
func TestStandingLease(t *testing.T) {
	l, err := Acquire(Rates{Block: 1e9, Mutex: 1, Previous: -1, Standing: true})
	if err != nil {
		t.Fatal(err)
	}
	if Active() {
		t.Error("requests are marked")
	}
	l.Release()
	l.Release()
	if n := process.open.Load(); n != 0 {
		t.Errorf("%d are open", n)
	}
}
