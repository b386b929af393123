package main

import "github.com/unpark-go/unpark/internal/measure/target/rusage"

// machine returns the CPU seconds that everything on this machine has used since it
// started, and its processors; 0 where it does not tell.
func machine() (busy float64, cpus int) {
	m, err := rusage.ReadMachine()
	if err != nil {
		return 0, 0
	}
	return m.Busy, m.CPUs
}
