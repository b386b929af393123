//go:build unix

package main

import (
	"syscall"

	"github.com/unpark-go/unpark"
)

// mostFiles returns the hard limit on open files.
func mostFiles() unpark.Number {
	var l syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &l); err != nil {
		return unpark.Number{}
	}
	return unpark.Num(float64(l.Max))
}
