//go:build go1.25

package agent

import (
	"runtime/trace"
	"time"
)

const canFly = true

func newRecorder(age time.Duration, bytes int) flightRecorder {
	return trace.NewFlightRecorder(trace.FlightRecorderConfig{MinAge: age, MaxBytes: uint64(bytes)})
}
