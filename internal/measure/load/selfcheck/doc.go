// Package selfcheck proves the honesty of the load generator on the machine at
// hand: it drives load at a server whose response times follow from arithmetic,
// and compares what the generator says with what is true.
//
//  1. A [Service] is the server's schedule: when it stands still, when its answers
//     leave. Everything follows from it as pure functions of time (service.go).
//  2. Its quantiles under an open plan and a closed loop are derived in truth.go.
//  3. The server runs in a process of its own and keeps what it knows of itself:
//     the time that each answer took inside it (server.go).
//  4. [Run] drives the three loads and judges them (run.go, judge.go).
//
// Two things are asked. Under a stall, are the requests that nobody could send
// counted with the time that they would have waited? And without one, is a
// request sent when it is due, and its answer seen when it comes?
package selfcheck
