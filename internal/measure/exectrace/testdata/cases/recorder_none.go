//go:build !go1.25

package main

import "io"

var flightRecorder func() (func(io.Writer) error, error)
