//go:build !cgo

package main

import "time"

var cgoSleep func(time.Duration)
