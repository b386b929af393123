//go:build !go1.25

package agent

import "time"

const canFly = false

// newRecorder returns nothing: there is no flight recorder before Go 1.25.
func newRecorder(time.Duration, int) flightRecorder { return nil }
