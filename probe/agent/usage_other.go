//go:build !unix

package agent

// cpuSeconds is not known: the standard library tells it on Unix alone.
func cpuSeconds() (float64, bool) { return 0, false }
