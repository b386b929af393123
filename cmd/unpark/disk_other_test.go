//go:build unix && !linux

package main

import "github.com/rogpeppe/go-internal/testscript"

// tinydisk needs a file system in memory, which only root on Linux can mount here.
func tinydisk(ts *testscript.TestScript, _ bool, _ []string) {
	ts.Fatalf("tinydisk: no such mount on this system")
}
