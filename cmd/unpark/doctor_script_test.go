package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// processID puts the number of the service with a mark into an environment variable,
// once it has started: processid MARK NAME.
func processID(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: processid MARK NAME")
	}
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		lines, _ := filepath.Glob("/proc/[0-9]*/cmdline")
		for _, path := range lines {
			b, err := os.ReadFile(path)
			words := strings.Split(string(bytes.TrimRight(b, "\x00")), "\x00")
			if err == nil && filepath.Base(words[0]) == "service" && words[len(words)-1] == args[0] {
				ts.Setenv(args[1], filepath.Base(filepath.Dir(path)))
				return
			}
		}
	}
	ts.Fatalf("no service with the mark %s", args[0])
}
