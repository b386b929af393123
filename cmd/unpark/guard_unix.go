//go:build unix

package main

import (
	"os"
	"os/signal"
	"syscall"
)

// canSignal: a guard can be told by SIGUSR1 to capture now.
const canSignal = true

func userSignals() (<-chan os.Signal, func()) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGUSR1)
	return signals, func() { signal.Stop(signals) }
}
