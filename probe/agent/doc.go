// Package agent is the part of unpark that runs inside the profiled process: a
// small HTTP server, on a listener of its own, that serves profiles, runtime
// metrics and leases of sampling rates to one observer.
//
// Services use package probe; this package is also compiled into services that
// import nothing (see Files), so it depends on the standard library alone, is
// written in the Go of 2022 (such a service may say "go 1.18" in its go.mod),
// and never touches what the service owns: it registers nothing on
// http.DefaultServeMux, imports neither expvar nor net/http/pprof (both register
// there when imported, which would put heap contents on the service's public
// port), and a failure of its own is an error value, never a crash.
//
// # Where it listens
//
// The environment variable UNPARK_PROBE says where; empty is off.
//
//	unix:DIR     DIR/<pid>.sock, mode 0600: every worker process has its own
//	HOST:PORT    TCP. HOST is an IP address or localhost; PORT may be 0.
//
// An address that other machines can reach is refused unless UNPARK_PROBE_TOKEN
// is set. With a token every request over TCP must carry it, as
// "Authorization: Bearer TOKEN".
//
// # What it serves
//
//	GET /debug/pprof/KIND     as net/http/pprof does, without cmdline and symbol, and
//	                          without deltas: the observer subtracts two readings;
//	                          profile?hz=N samples as often, where the system can
//	GET /debug/unpark/info    the process, as JSON
//	GET /debug/unpark/metrics every runtime/metrics value, as JSON
//	GET /debug/unpark/vitals  a line of figures a second for as long as the connection is held
//	GET /debug/unpark/lease   sampling rates for as long as the connection is held
//	GET /debug/unpark/flight  a flight recorder for as long as the connection is held
//	GET /debug/unpark/flight/snapshot   what it holds now, an execution trace
//
// # Leases
//
// Sampling rates belong to the service. An observer borrows them: the rates are
// set when a lease is granted and put back when its connection ends for whatever
// reason, when its time is over, and when the agent is closed. Each of the two
// rates is lent to one observer at a time; one observer may lease them apart, the
// mutex fraction from before the load and the block rate for the window (Acquire
// says why).
//
// The flight recorder (Go 1.25; ?age=SECONDS&bytes=N&ttl=SECONDS) is lent in the same
// way. It keeps the newest part of an execution trace in the service's memory, at
// most 64 MB, so that an observer who learns of a slow request when it is over can
// still have what happened in it. Each snapshot begins where the one before ended.
//
// The runtime tells its mutex profile fraction but not its block profile rate.
// The rate to go back to is the one that the service declared in Options; if it
// declared none and the block profile already has records before the first
// lease, another turned it on and the agent leaves it alone.
package agent
