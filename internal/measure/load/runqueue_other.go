//go:build !linux

package load

import "time"

// runQueued is unknown here.
func runQueued() time.Duration { return 0 }
