// Package exchange reads and writes profiles in the forms that other systems have for them.
//
//   - OTLP, the profiles of OpenTelemetry: [ReadOTLP], [OTLP], [PostOTLP]. The signal is in development, so the files otlp_*.go alone
//     know its library.
//   - Pyroscope: [Pyroscope] asks for a range of time of a service, and takes the profiles of a run.
//
// What comes in leaves as pprof profiles, which package profile bounds and decodes: nothing else of them is believed. What goes out are
// the files of a run as they are.
package exchange

import (
	"time"

	"github.com/unpark-go/unpark"
)

// Profile is one pprof profile.
type Profile struct {
	Kind   unpark.Kind // "" where only its contents tell
	Name   string      // of the file, for messages
	PID    int         // 0: not known
	Window int         // of the run, from 1; 0: not known
	Data   []byte      // as a pprof file has it, compressed or not
}

// Set is profiles of one service, with what is known of them.
type Set struct {
	Service  string
	Run      string // the ID of the run that they are of; "" when they are of none
	Profiles []Profile
	End      time.Time       // of the interval that they are of; zero: not known
	Notes    []unpark.Notice // what is missing, and how to have it
}
