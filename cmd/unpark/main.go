// Command unpark tells a Go engineer what limits their service, what fixing each
// cause would buy, and whether the fix did. See `unpark help`.
package main

import (
	"os"
	"runtime/debug"
)

// memory is a soft limit that keeps the verdict on 128 processes within 512 MB
// (DESIGN §6); it costs no time there. GOMEMLIMIT overrides it.
const memory = 400 << 20

func main() {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memory)
	}
	os.Exit(execute(os.Args[1:], os.Stdout, os.Stderr))
}
