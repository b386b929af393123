// Package h1 is the client's half of HTTP/1.1 for a load generator: it encodes a
// request once, and reads responses from whatever bytes a socket gave, without
// allocating for either.
//
// The caller owns the connection. It writes what [AppendRequest] made, and hands
// what it read to [Parser.Feed] until that says done; it may do so from an event
// loop, because a parser keeps no more than the line that it is in the middle of.
//
// The rules are those of RFC 9112 ("HTTP/1.1"), sections 2.2 (lines), 4 (status
// line), 5 (fields), 6.3 (where a body ends), 7.1 (chunks) and 9.3 (persistence),
// and RFC 9110, sections 5.5 and 15.2. Where they leave a choice, an answer whose
// end is certain is accepted, and one whose end is a guess is an error: a load
// generator that guesses measures something else.
//
// Accepted beyond the letter: lines that end in LF alone, more than one space
// before the status, no space after it, equal Content-Length fields. Refused
// though some clients read them: folded fields, white space before a colon, any
// transfer coding but chunked, HTTP/0.9 and versions other than 1.x. A response
// that has both Transfer-Encoding and Content-Length, or Transfer-Encoding under
// HTTP/1.0, is read by its chunks and its connection is not used again (6.1).
package h1
