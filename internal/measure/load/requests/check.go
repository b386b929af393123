package requests

import (
	"errors"
	"net/textproto"
	"net/url"
	"strings"

	"github.com/unpark-go/unpark"
)

// knownMethod lists the methods of RFC 9110, 5789, 2068 and 4918 (WebDAV), and
// those that caches and drafts made common. A list is typed by hand: any token
// would do for HTTP, but GTE is a typing mistake.
func knownMethod(s string) bool {
	switch s {
	case "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "QUERY",
		"LINK", "UNLINK", "PURGE", "BAN", "REFRESH",
		"PROPFIND", "PROPPATCH", "MKCOL", "COPY", "MOVE", "LOCK", "UNLOCK", "REPORT", "SEARCH":
		return true
	}
	return false
}

// upperHint is the cure for a method in lower case.
func upperHint(s string) string {
	if upper := strings.ToUpper(s); upper != s && knownMethod(upper) {
		return "; write " + upper
	}
	return ""
}

// checkURL says why a URL cannot be requested. Templates count as a digit.
func checkURL(s string) error {
	plain := blank(s)
	if strings.ContainsAny(plain, " \t") {
		return errors.New("a URL has no spaces; write %20")
	}
	if strings.HasPrefix(plain, unpark.Unix) {
		return nil // where its socket ends, the disk may say
	}
	u, err := url.Parse(plain)
	if err != nil {
		return textError("not a URL: " + unpark.RedactParse(s, err).Error() + "; write one such as http://127.0.0.1:8080/path")
	}
	if u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" {
		return errors.New("needs http:// or https:// and a host, such as http://127.0.0.1:8080/path")
	}
	return nil
}

// blank replaces each template by a digit, which is valid in every part of a
// URL, ports included.
func blank(s string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(s, "{{")
		_, after, closed := strings.Cut(rest, "}}")
		if !found || !closed {
			b.WriteString(s)
			return b.String()
		}
		b.WriteString(before)
		b.WriteByte('0')
		s = after
	}
}

// addHeader checks one header line and adds it under its canonical name.
func addHeader(h map[string][]string, name, value string) error {
	if !isToken(name) {
		return textError("the header name " + strings.ToValidUTF8(short(name), "?") + " has characters that a name may not have")
	}
	if strings.ContainsFunc(value, func(c rune) bool { return c < ' ' && c != '\t' || c == 0x7f }) {
		return textError("the value of the header " + name + " has control characters")
	}
	name = textproto.CanonicalMIMEHeaderKey(name)
	if name != "Content-Length" {
		h[name] = append(h[name], value)
	}
	return nil
}

// isToken reports whether s is a token of RFC 9110, section 5.6.2.
func isToken(s string) bool {
	for i := range len(s) {
		c := s[i]
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("!#$%&'*+-.^_`|~", c) >= 0) {
			return false
		}
	}
	return s != ""
}
