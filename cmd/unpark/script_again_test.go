package main

import (
	"os"
	"regexp"
	"slices"

	"github.com/rogpeppe/go-internal/testscript"
)

// mostTries is how often again starts a command: of forty fleet scripts on two processors under a load of forty, parts of a load or
// of a capture were void in three.
const mostTries = 6

// tryAgain is exits for what a busy machine can void: again PATTERN STATUS command…. Where what the command says matches, it is
// started anew, and what it left below its -o is removed. What it says the last time counts.
func tryAgain(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: again PATTERN STATUS command args…")
	}
	pattern := regexp.MustCompile(args[0])
	for try := 1; ; try++ {
		got := ran(ts, args[2:])
		if try < mostTries && pattern.MatchString(ts.ReadFile("stdout")+ts.ReadFile("stderr")) {
			ts.Logf("void, %d of %d tries", try, mostTries)
			remove(ts, args)
			continue
		}
		among(ts, args[1], got)
		return
	}
}

// remove takes away the run directory that a command was to write.
func remove(ts *testscript.TestScript, args []string) {
	if i := slices.Index(args, "-o"); i >= 0 && i+1 < len(args) {
		for _, suffix := range []string{"", ".partial"} {
			ts.Check(os.RemoveAll(ts.MkAbs(args[i+1] + suffix)))
		}
	}
}
