//go:build go1.25

package main

import (
	"io"
	"runtime/trace"
	"time"
)

var flightRecorder = recordFlight

// recordFlight starts a flight recorder and returns what writes its contents.
func recordFlight() (func(io.Writer) error, error) {
	r := trace.NewFlightRecorder(trace.FlightRecorderConfig{MinAge: time.Minute, MaxBytes: 64 << 20})
	if err := r.Start(); err != nil {
		return nil, err
	}
	return func(w io.Writer) error {
		defer r.Stop()
		_, err := r.WriteTo(w)
		return err
	}, nil
}
