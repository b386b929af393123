// Package load drives requests at a service and says how long each took,
// honestly: latency counts from the instant at which a request was intended,
// not from the instant at which the generator got round to it (Gil Tene, "How
// NOT to Measure Latency": coordinated omission).
//
// How it works, in the order of the files:
//
//  1. [ParseRate] and the plan: what the user asked for, checked and with its
//     defaults, every error naming field, value and cure (rate.go, plan.go). Hosts are
//     reached at the addresses that were checked, or at a unix socket (dialer.go).
//  2. A pacer is a pure value: arrival k is a function of k, of the arrival
//     before and of the seed. Nothing is added up by sleeping (pacer.go).
//  3. An engine drives the connections; the books do not care which one
//     (connection.go). On Linux what goes to one host without TLS goes through
//     pollers: one locked thread for each processor that waits for all of its
//     sockets at once. Arrival k belongs to poller k modulo their number, so that
//     none asks another (engine_linux.go, lane.go, poller_linux.go,
//     socket_linux.go, answer_linux.go).
//  4. Everything else has a goroutine for each connection. A source hands it
//     arrivals, an exchanger sends one request and reads the whole answer
//     (worker.go, source.go, lines.go): over HTTP/1.1 (conn*.go), or over HTTP/2
//     and gRPC (h2_link.go).
//  5. What is said on a connection is a codec's, which does no input or output:
//     HTTP/1.1 (codec.go, wire.go, h1), or HTTP/2 with gRPC on top (h2_codec.go,
//     h2_wire.go, grpc_answer.go, h2).
//  6. Either way an arrival goes to the connection that has been idle longest;
//     when none is idle it waits and keeps its intended start. What became of it
//     is recorded into a shard that few others use (record.go, histogram.go),
//     and once a second into the timeline (timeline.go, interval.go, hdrlog.go).
//  7. A [Stretch] is an interval of the load. The latency, the status and the
//     error of a request belong to the stretch of its intended start; the
//     throughput counts answers within the interval (stretch.go).
//  8. [Judge] says whether the figures may be trusted (judge.go), [Check] tries
//     each kind of request once before the load (check.go, grpc_check.go, tls_port.go).
//
// # What is recorded
//
// Response is answer − intended start, service is answer − written, lag is
// written − intended start. Every answered request is in all three, whatever
// its status. A request that timed out, and one that was intended and had no
// answer when its stretch was closed, is in response alone, with its age then:
// a lower bound. Without it a frozen server would look fast. A request that
// failed otherwise (refused, reset, …) is counted and has no latency: failing
// quickly is no service.
//
// All times inside the package are int64 nanoseconds of the monotonic clock
// since the load began; seconds appear only in the types of the root package.
package load
