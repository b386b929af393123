package h1

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// AppendRequest appends one request as it goes on the wire: the request line, Host
// (by u when host is empty), User-Agent if the header has one, the other fields
// sorted by name, Content-Length when there is a body or the method calls for one
// (RFC 9110, section 8.6), and the body. The request-target is u.RequestURI().
//
// Host, Content-Length, Transfer-Encoding and Trailer of the header are left out,
// as net/http does: they say how the message is framed. A method, target, host,
// name or value that would break the message is an error that names it; then dst
// is returned as it was.
func AppendRequest(dst []byte, method string, u *url.URL, host string, header http.Header, body []byte) ([]byte, error) {
	if host == "" {
		host = Host(u)
	}
	target := u.RequestURI()
	if err := checkStart(method, target, host); err != nil {
		return dst, err
	}
	names := slices.Sorted(maps.Keys(header))
	for _, name := range names {
		if err := checkField(name, header[name]); err != nil {
			return dst, err
		}
	}
	dst = append(append(append(append(dst, method...), ' '), target...), " HTTP/1.1\r\n"...)
	dst = appendField(dst, "Host", host)
	for _, name := range names {
		if equalFold(name, "user-agent") && len(header[name]) > 0 && header[name][0] != "" {
			dst = appendField(dst, name, header[name][0])
		}
	}
	for _, name := range names {
		if placed(name) {
			continue
		}
		for _, value := range header[name] {
			dst = appendField(dst, name, value)
		}
	}
	if len(body) > 0 || method == http.MethodPost || method == http.MethodPut || method == http.MethodPatch {
		dst = appendField(dst, "Content-Length", strconv.Itoa(len(body)))
	}
	dst = append(dst, "\r\n"...)
	return append(dst, body...), nil
}

func appendField(dst []byte, name, value string) []byte {
	dst = append(append(dst, name...), ": "...)
	return append(append(dst, strings.Trim(value, " \t")...), "\r\n"...)
}

// placed reports whether a field has its own place in the message, or none.
func placed(name string) bool {
	for _, own := range []string{"host", "user-agent", "content-length", "transfer-encoding", "trailer"} {
		if equalFold(name, own) {
			return true
		}
	}
	return false
}

// Host returns the host of a URL as Host has it: without an empty port, and
// without the zone of an address, which means something on this machine only.
func Host(u *url.URL) string {
	host := strings.TrimSuffix(u.Host, ":")
	if end := strings.LastIndexByte(host, ']'); strings.HasPrefix(host, "[") && end > 0 {
		if zone := strings.IndexByte(host[:end], '%'); zone > 0 {
			host = host[:zone] + host[end:]
		}
	}
	return host
}

func checkStart(method, target, host string) error {
	if !isToken(method) {
		return fmt.Errorf("h1: method %q: not a method such as GET or POST", method)
	}
	if method == http.MethodConnect {
		return fmt.Errorf("h1: method %s: it opens a tunnel, which no answer ends", method)
	}
	path, _, _ := strings.Cut(target, "?") // what follows may be secret
	if i := strings.IndexFunc(target, func(c rune) bool { return c <= ' ' || c == 0x7f }); i >= 0 {
		return fmt.Errorf("h1: request target %q: %q at byte %d must be percent-encoded", path, target[i], i)
	}
	if host == "" {
		return fmt.Errorf("h1: there is no host to ask for %s", path)
	}
	if i := strings.IndexFunc(host, func(c rune) bool { return c <= ' ' || c >= 0x7f || c == '/' || c == '@' }); i >= 0 {
		return fmt.Errorf("h1: host %q: byte %d cannot be in a Host header; write an international name in its ASCII form (xn--…)", host, i)
	}
	return nil
}

func checkField(name string, values []string) error {
	if !isToken(name) {
		return fmt.Errorf("h1: header name %q: not a name such as X-Request-Id", name)
	}
	for _, value := range values {
		i := strings.IndexFunc(value, func(c rune) bool { return c < ' ' && c != '\t' || c == 0x7f })
		if i >= 0 {
			return fmt.Errorf("h1: header %q: byte %d of its value is a control character", name, i)
		}
	}
	return nil
}
