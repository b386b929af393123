// Package h2 is the client's half of HTTP/2 for a load generator: one request at a
// time on each connection, encoded into bytes to be written and read from whatever
// bytes a socket gave.
//
// The caller owns the socket. It writes what [Conn.Pending] returns and says so with
// [Conn.Wrote], and hands what it read to [Conn.Feed], which says when the answer is
// whole; it may do so from an event loop or from a goroutine that blocks. Whatever
// the protocol asks for beside requests (settings, pings, windows) is answered
// through the same two.
//
// The rules are those of RFC 9113, sections 3.4 (preface), 4 (frames), 5.1 and 5.2
// (streams, flow control), 6 (frame types), 6.8 (GOAWAY), 8.1 to 8.3 (messages and
// their fields), and RFC 7541, for which it uses golang.org/x/net/http2/hpack. An
// answer that breaks them in a way that leaves its end or its length uncertain is an
// error.
//
// One stream at a time is what a load generator needs: a request that waits behind
// another on its connection would wait for the generator. So there is no priority,
// no push, and no limit on streams to be kept.
package h2
