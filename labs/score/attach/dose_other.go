//go:build !linux || (!amd64 && !arm64)

package main

import (
	"context"
	"errors"
	"time"

	"github.com/unpark-go/unpark/labs/score/twin"
)

// doses cannot be given here.
type doses struct{}

func newDoses(setting) *doses { return &doses{} }

func (*doses) read(context.Context, *twin.Service, time.Duration) (from, to time.Time, err error) {
	return from, to, errors.ErrUnsupported
}

func (*doses) recordedShare() float64 { return 0 }

func (*doses) String() string { return "" }
