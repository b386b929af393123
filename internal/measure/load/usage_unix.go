//go:build unix

package load

import (
	"github.com/unpark-go/unpark"
	"golang.org/x/sys/unix"
)

// processCPU returns the seconds of processor time that this process has used.
func processCPU() unpark.Number {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		return unpark.Number{}
	}
	return unpark.Num(float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9)
}
