package lookup

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"
)

// Calibration is what the service measured of itself before it answered. It is
// about the mutex of [Cache] in every arm, so that a fixed service names the
// same rate as the slow one.
type Calibration struct {
	// Hold is the time from one taking of the mutex to the next while requests
	// wait for it: the hold and the hand-over to the next goroutine, in seconds.
	Hold float64 `json:"hold_s"`
	// Alone is the time that one Get takes when nobody waits, in seconds.
	Alone float64 `json:"hold_alone_s"`
	// Rate is the arrivals per second that keep the mutex held 95 % of the time.
	Rate float64 `json:"rate_at_rho_095"`
	// Reads is the number of measured holds.
	Reads int `json:"reads"`
}

// The size of a calibration. With a hold of 2 ms it takes a third of a second;
// the standard error of the mean is then about 1 %.
const (
	aloneReads  = 20
	connections = 4
	queueReads  = 30 // per connection
)

// calibrate measures the hold of a cache of its own in front of s, first alone
// and then with a queue of requests over loopback. The rate is taken from the
// second, because that is how the lock will be used: network events arrive while
// the holder sleeps, and each makes the runtime round the rest of the sleep up
// to a millisecond again (runtime.netpoll). The hold alone would promise a rate
// that is a sixth too high.
func calibrate(ctx context.Context, s *Store) (Calibration, error) {
	alone := make([]float64, 0, aloneReads)
	c := NewCache(s)
	for range aloneReads {
		if err := ctx.Err(); err != nil {
			return Calibration{}, err
		}
		start := time.Now()
		if _, err := c.Get(keyOf(0)); err != nil {
			return Calibration{}, err
		}
		alone = append(alone, time.Since(start).Seconds())
	}
	queued, err := queuedHolds(ctx, &service{store: s, rows: c, answers: fresh{}})
	if err != nil {
		return Calibration{}, err
	}
	cal := Calibration{
		Alone: trimmedMean(alone),
		Hold:  max(trimmedMean(queued), trimmedMean(alone)),
		Reads: len(alone) + len(queued),
	}
	cal.Rate = 0.95 / cal.Hold
	return cal, nil
}

// queuedHolds returns the gaps between successive answers of s, in seconds,
// while several connections keep requests waiting for its lock.
func queuedHolds(ctx context.Context, s *service) ([]float64, error) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	srv := &http.Server{Handler: s.routes(), ReadHeaderTimeout: 5 * time.Second}
	go func() { _ = srv.Serve(ln) }() // its error is what Close makes it return
	defer srv.Close()

	transport := &http.Transport{MaxIdleConnsPerHost: connections}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport}
	url := "http://" + ln.Addr().String() + "/lookup/0"
	ends := make([][]time.Time, connections)
	errs := make([]error, connections)
	var workers sync.WaitGroup
	for i := range connections {
		workers.Go(func() { ends[i], errs[i] = ask(ctx, client, url) })
	}
	workers.Wait()
	return gaps(ends), errors.Join(errs...)
}

// ask sends one request after the other and returns when each was answered.
func ask(ctx context.Context, client *http.Client, url string) ([]time.Time, error) {
	ends := make([]time.Time, 0, queueReads)
	for range queueReads {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
		if err != nil {
			return nil, err
		}
		resp, err := client.Do(req)
		if err != nil {
			return nil, err
		}
		_, err = io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
		if err != nil {
			return nil, err
		}
		ends = append(ends, time.Now())
	}
	return ends, nil
}

// gaps returns the seconds between successive answers of all connections,
// without the last ones: they had fewer requests behind them, or none.
func gaps(ends [][]time.Time) []float64 {
	at := slices.Concat(ends...)
	if len(at) <= connections {
		return nil
	}
	slices.SortFunc(at, time.Time.Compare)
	at = at[:len(at)-connections]
	out := make([]float64, 0, len(at))
	for i := 1; i < len(at); i++ {
		out = append(out, at[i].Sub(at[i-1]).Seconds())
	}
	return out
}

// trimmedMean drops a tenth at each end: a stall of the machine during start
// would otherwise halve the rate of the whole run.
func trimmedMean(v []float64) float64 {
	s := slices.Sorted(slices.Values(v))
	cut := len(s) / 10
	s = s[cut : len(s)-cut]
	var sum float64
	for _, x := range s {
		sum += x
	}
	return sum / float64(len(s))
}
