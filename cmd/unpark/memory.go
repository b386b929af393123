package main

import (
	"math"
	"os"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// memory is a soft limit that keeps the verdict on 128 processes within 512 MB
// (DESIGN §6); it costs no time there.
const memory = 400 << 20

// limitMemory sets the soft limit of a command, unless GOMEMLIMIT does.
func limitMemory(c *cobra.Command) {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memoryOf(c))
	}
}

// memoryOf is the soft limit that a command may have, in bytes; none is the largest
// number. What drives load has none where its data is as large as the user's files:
// beyond a limit the collector runs without pause, and the generator would be what
// is measured.
func memoryOf(c *cobra.Command) int64 {
	if c.Name() == "load" || c.Name() == "agent" || c.Name() == selfcheckServer {
		return math.MaxInt64
	}
	for _, name := range []string{"arrivals", "targets", "values", "body-file"} {
		if f := c.Flags().Lookup(name); f != nil && f.Changed {
			return math.MaxInt64
		}
	}
	return memory
}
