package agent

import (
	"embed"
	"fmt"
	"regexp"
	"strings"
)

//go:embed doc.go agent.go listen.go guard.go cost.go pprof.go rates.go lease.go renew.go info.go identity.go
//go:embed requests.go sample.go vitals.go
//go:embed flight.go flight_go125.go flight_old.go usage_unix.go usage_other.go start.go.txt
var sources embed.FS

// Overlaid is the name of the package that Files compile to.
const Overlaid = "unparkagent"

// Files returns the agent's own sources as package unparkagent, file name → text,
// to be compiled into a module that does not know of it. They import nothing but
// the standard library, and whoever imports the package, with a blank import from
// package main, starts the agent: one of the files has an init function.
func Files() map[string]string {
	entries, err := sources.ReadDir(".")
	if err != nil {
		panic(fmt.Sprintf("read the embedded sources: %v", err)) // no such state: they are in the binary
	}
	clause := regexp.MustCompile(`(?m)^package agent$`)
	files := make(map[string]string, len(entries))
	for _, entry := range entries {
		text, err := sources.ReadFile(entry.Name())
		if err != nil {
			panic(fmt.Sprintf("read the embedded source %s: %v", entry.Name(), err))
		}
		files[strings.TrimSuffix(entry.Name(), ".txt")] = clause.ReplaceAllString(string(text), "package "+Overlaid)
	}
	return files
}
