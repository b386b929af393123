//go:build !unix

package agent

// ownUsage is not known: the standard library tells it on Unix alone.
func ownUsage() (usage, bool) { return usage{}, false }

// threadCPU is not known either.
func threadCPU() (float64, bool) { return 0, false }
