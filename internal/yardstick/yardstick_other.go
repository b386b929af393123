//go:build !linux

package yardstick

import (
	"errors"
	"time"
)

// Yardstick is a measurement; there is none on this system.
type Yardstick struct {
	began  time.Time
	pieces []piece
}

// Start fails: the processor time of one thread is read on Linux only.
func Start([]int, time.Duration, time.Duration) (*Yardstick, error) {
	return nil, errors.New("start the yardstick: the processor time of a thread is not read on this system: run on Linux")
}

// Stop does nothing.
func (y *Yardstick) Stop() {}
