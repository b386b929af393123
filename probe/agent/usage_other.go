//go:build !unix

package agent

// ownUsage is not known: the standard library tells it on Unix alone.
func ownUsage() (usage, bool) { return usage{}, false }
