// Package probe lets unpark look into a Go service. It is one line in main:
//
//	func main() {
//		probe.Start()
//		…
//	}
//
// Nothing happens, no port and no goroutine, unless the environment variable
// UNPARK_PROBE is set, as `unpark run` does for the services that it starts. By
// hand:
//
//	UNPARK_PROBE=127.0.0.1:6061 ./server     then: unpark run --pprof http://127.0.0.1:6061 --url …
//	UNPARK_PROBE=unix:/run/shop ./server     one socket per worker process, /run/shop/<pid>.sock
//
// The probe never uses the service's own listener or http.DefaultServeMux, and if
// it cannot start it says so on standard error and the service goes on. An address
// that other machines can reach is refused without UNPARK_PROBE_TOKEN, because
// profiles show what is in memory. Package agent documents what it serves.
//
// Without probe.Start, `unpark run --pkg` adds the same to a service when it
// builds it; a service that has the line needs no --pkg.
//
// # Sampling rates
//
// The block and mutex profiles are off in most services, and should be. unpark
// borrows their rates for the length of a window and the probe puts the previous
// ones back when unpark is done, or gone. The runtime does not tell the block
// profile's rate: a service that sets one declares it,
//
//	runtime.SetBlockProfileRate(rate)
//	probe.Start(probe.Options{BlockProfileRate: rate})
//
// # Requests
//
// Handler is a net/http middleware that marks each request while something
// measures, so that samples and trace events can be told apart by route:
//
//	http.ListenAndServe(addr, probe.Handler(mux))
//
// A client that sends the header
//
//	Unpark-Sent: 1763719200000000000
//
// the instant at which it meant to send the request, in nanoseconds since 1970, has
// the request's age written into the execution trace when its handler begins (the
// log "unpark.age" of the request's task, in nanoseconds): what it waited before the
// service's own code saw it. Both clocks must be of one machine; the header costs
// nothing while no trace is taken. The requests of unpark's own load may carry a
// traceparent as well: a service that hands it on to others lets their requests be joined
// to its own (the log "unpark.trace", 32 hexadecimal digits).
package probe

import (
	"fmt"
	"os"

	"github.com/unpark-go/unpark/probe/agent"
)

// Options say what differs from the environment; the zero value is right for a
// service that sets no sampling rates of its own.
type Options = agent.Options

// Start begins to serve profiles if UNPARK_PROBE asks for it; at most one Options
// is used. Call it once, before the service accepts requests: the listener is
// open when Start returns.
//
// The result is nil when the probe is off or could not start, which is reported
// on standard error. Its methods work nonetheless; few services need them.
func Start(options ...Options) *agent.Agent {
	var o Options
	if len(options) > 0 {
		o = options[0]
	}
	a, err := agent.Start(o)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return nil
	}
	return a
}

// Active reports whether this process is being measured now: the block profile
// rate is leased, or a CPU profile, an execution trace or a flight recorder runs
// through the probe.
// It is one atomic load, meant for marks of one's own that cost something.
func Active() bool { return agent.Active() }
