package main

import (
	"context"
	"net/http"
	"slices"
	"time"
)

// calibration is what the service measured of itself before it answered. It is
// about stage db in every arm, so that all of them name the same ramp.
type calibration struct {
	// Service is the time that one picture of stage db takes alone, in seconds.
	// Nothing in it waits, so it is the processor time of a request.
	Service float64 `json:"service_s"`
	// Full is the rate that keeps one core busy with stage db, per second.
	Full float64 `json:"rate_of_one_core"`
	// From and To are the ends of a ramp that begins in an idle service and ends
	// above what one core can do in stage db, per second.
	From float64 `json:"ramp_from_rps"`
	To   float64 `json:"ramp_to_rps"`
	// Pictures is the number of measured ones.
	Pictures int `json:"pictures"`
}

const (
	calibrationTime = 300 * time.Millisecond
	leastPictures   = 5
)

// calibrate measures stage db without a network: kernel and server add some 50 µs
// to a picture of milliseconds.
func calibrate(ctx context.Context, p *fromRows) (calibration, error) {
	var took []float64
	for begin := time.Now(); len(took) < leastPictures || time.Since(begin) < calibrationTime; {
		start := time.Now()
		if err := p.send(ctx, discard{http.Header{}}); err != nil {
			return calibration{}, err
		}
		took = append(took, time.Since(start).Seconds())
	}
	// The median: one stall of the machine must not set the rate of the whole run.
	slices.Sort(took)
	c := calibration{Service: took[len(took)/2], Pictures: len(took)}
	c.Full = 1 / c.Service
	c.From, c.To = 0.2*c.Full, 1.5*c.Full
	return c, nil
}

// discard is a client that takes everything at once.
type discard struct{ header http.Header }

func (d discard) Header() http.Header         { return d.header }
func (d discard) Write(b []byte) (int, error) { return len(b), nil }
func (d discard) WriteHeader(int)             {}
