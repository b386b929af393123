package lookup

import (
	"context"
	"slices"
	"sync"
	"time"
)

// Calibration is what the service measured of itself before it answered. It is
// about the mutex of [Cache] in every arm, so that a fixed service names the
// same rate as the slow one.
type Calibration struct {
	// Hold is the time from one taking of the mutex to the next while others
	// wait for it: the hold and the hand-over to the next goroutine, in seconds.
	Hold float64 `json:"hold_s"`
	// Alone is the time that one Get takes when nobody waits, in seconds.
	Alone float64 `json:"hold_alone_s"`
	// Rate is the arrivals per second that keep the mutex held 95 % of the time.
	Rate float64 `json:"rate_at_rho_095"`
	// Reads is the number of measured holds.
	Reads int `json:"reads"`
}

// The size of a calibration. With a hold of 2 ms it takes a quarter of a
// second; the standard error of the mean is then about 1 %.
const (
	aloneReads   = 40
	queueWorkers = 4
	queueReads   = 20 // per worker
)

// calibrate measures the hold of a cache of its own in front of s. Rates are
// taken from the hold with a queue, because that is where the lock will be
// used: the hold alone leaves out the hand-over and promises a rate that the
// lock cannot sustain.
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
	queued, err := queuedHolds(ctx, c)
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

// queuedHolds returns the gaps between successive ends of Get while several
// goroutines want the mutex, in seconds.
func queuedHolds(ctx context.Context, c *Cache) ([]float64, error) {
	ends := make(chan time.Time, queueWorkers*queueReads)
	errs := make(chan error, queueWorkers)
	var workers sync.WaitGroup
	for range queueWorkers {
		workers.Go(func() {
			for range queueReads {
				if _, err := c.Get(keyOf(0)); err != nil {
					errs <- err
					return
				}
				ends <- time.Now()
				if ctx.Err() != nil {
					errs <- ctx.Err()
					return
				}
			}
		})
	}
	workers.Wait()
	close(ends)
	select {
	case err := <-errs:
		return nil, err
	default:
	}
	var at []time.Time
	for t := range ends {
		at = append(at, t)
	}
	slices.SortFunc(at, time.Time.Compare)
	// The last ends have fewer than two goroutines behind them: no queue.
	at = at[:len(at)-queueWorkers]
	gaps := make([]float64, 0, len(at))
	for i := 1; i < len(at); i++ {
		gaps = append(gaps, at[i].Sub(at[i-1]).Seconds())
	}
	return gaps, nil
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
