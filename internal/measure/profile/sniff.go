package profile

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// legacyHeaders are the first bytes of the text forms that runtime/pprof writes
// for debug=1 and debug=2 (runtime/pprof/pprof.go), with the kind's name.
var legacyHeaders = [...]struct{ prefix, kind string }{
	{"goroutine profile: total", "goroutine"},
	{"goroutineleak profile: total", "goroutineleak"},
	{"threadcreate profile: total", "threadcreate"},
	{"heap profile:", "heap"},
	{"--- contention:", "block"},
	{"--- mutex:", "mutex"},
}

// sniff says what a body that is no profile seems to be; "" when it cannot be
// told.
func sniff(head []byte) string {
	if len(head) > 512 {
		head = head[:512]
	}
	text := bytes.TrimSpace(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")))
	lower := bytes.ToLower(text)
	switch {
	case len(text) == 0:
		return "is empty: the process answered with no body; it may have stopped while it was read"
	case bytes.HasPrefix(lower, []byte("<!doctype html")), bytes.HasPrefix(lower, []byte("<html")),
		bytes.HasPrefix(lower, []byte("<head")), bytes.HasPrefix(lower, []byte("<body")):
		return "is HTML, not a profile: the server answered with a page; check the address of its pprof endpoint"
	case bytes.HasPrefix(text, []byte("go 1.")) && bytes.Contains(text, []byte(" trace\x00")):
		return "is an execution trace, not a profile: open it with go tool trace"
	case bytes.HasPrefix(text, []byte("\x7fELF")):
		return "is an executable, not a profile"
	}
	for _, h := range legacyHeaders {
		if bytes.HasPrefix(text, []byte(h.prefix)) {
			return fmt.Sprintf("is the text form of a %s profile (debug=1): fetch it without the debug parameter", h.kind)
		}
	}
	if bytes.HasPrefix(text, []byte("goroutine ")) && bytes.Contains(text, []byte("]:\n")) {
		return "is a goroutine dump in text (debug=2): fetch it without the debug parameter"
	}
	if !printable(text) {
		return ""
	}
	if text[0] == '{' || text[0] == '[' {
		return "is JSON, not a profile: " + quoteLine(text)
	}
	if text[0] == '<' {
		return "is markup, not a profile: " + quoteLine(text)
	}
	return "is text, not a profile: " + quoteLine(text)
}

// printable reports whether b looks like text. A profile begins with a field tag
// below 0x20 that is no white space, so it never does.
func printable(b []byte) bool {
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		if r == utf8.RuneError && n <= 1 {
			// A cut through the last rune of the head is no proof of binary.
			return len(b) < utf8.UTFMax && !utf8.FullRune(b)
		}
		if !unicode.IsPrint(r) && !unicode.IsSpace(r) {
			return false
		}
		b = b[n:]
	}
	return true
}

// quoteLine quotes the first line, at most 60 bytes of it.
func quoteLine(b []byte) string {
	line, _, _ := strings.Cut(string(b), "\n")
	line = strings.TrimSpace(line)
	if len(line) > 60 {
		line = strings.ToValidUTF8(line[:60], "") + "…"
	}
	return fmt.Sprintf("%q", line)
}
