package requests

import (
	"bytes"
	"math"
	"strconv"
	"strings"

	"github.com/unpark-go/unpark"
)

// target is one request of the text format while its lines come in.
type target struct {
	request unpark.Request
	body    body
	line    int  // of the request
	open    bool // it began and may have further lines
	bodied  bool // its body was named, which ends it
}

// readText reads lists of URLs and vegeta's text format.
func (l *list) readText(data []byte) error {
	var t target
	for n, raw := 1, []byte(nil); len(data) > 0; n++ {
		raw, data, _ = bytes.Cut(data, []byte("\n"))
		line := string(bytes.TrimSpace(raw))
		var err error
		switch {
		case line == "":
			err = l.finish(&t)
		case line[0] == '#':
		case line[0] == '@':
			err = l.textBody(&t, n, line)
		case isHeader(line):
			err = l.textHeader(&t, n, line)
		default:
			if err = l.finish(&t); err == nil {
				err = l.textRequest(&t, n, line)
			}
		}
		if err != nil {
			return err
		}
	}
	return l.finish(&t)
}

// finish adds the target in hand, if there is one.
func (l *list) finish(t *target) error {
	if !t.open {
		return nil
	}
	if err := l.add(t.request, t.body); err != nil {
		return l.errorf(t.line, "", "%w", err)
	}
	*t = target{}
	return nil
}

// textRequest reads "[WEIGHT*][METHOD ]URL".
func (l *list) textRequest(t *target, n int, line string) error {
	weight, rest, err := cutWeight(line)
	if err != nil {
		return l.errorf(n, line, "%w", err)
	}
	method, address := "GET", rest
	if first, second, two := cutSpace(rest); two {
		method, address = first, second
		if !knownMethod(method) {
			return l.errorf(n, line, "not a method such as GET or POST%s", upperHint(method))
		}
	}
	if err := checkURL(address); err != nil {
		return l.errorf(n, line, "%w", err)
	}
	*t = target{request: unpark.Request{Method: method, URL: address, Weight: weight}, line: n, open: true}
	return nil
}

// cutWeight splits "9*rest"; without a weight it is 1.
func cutWeight(s string) (weight float64, rest string, err error) {
	digits := strings.TrimLeft(s, "0123456789.")
	if len(digits) == len(s) || !strings.HasPrefix(digits, "*") {
		return 1, s, nil
	}
	number := s[:len(s)-len(digits)]
	weight, err = strconv.ParseFloat(number, 64)
	if err != nil || !(weight > 0) || weight > 1e9 || math.IsInf(weight, 0) {
		return 0, "", textError("the weight " + number + " is not a number above 0 and up to 1e9, as in 9*http://host/")
	}
	return weight, strings.TrimSpace(digits[1:]), nil
}

// textError is the reason for which a line is broken.
type textError string

func (e textError) Error() string { return string(e) }

// cutSpace splits at the first white space outside of a template.
func cutSpace(s string) (first, rest string, found bool) {
	i := strings.IndexAny(s, " \t")
	if brace := strings.Index(s, "{{"); i < 0 || brace >= 0 && brace < i {
		return s, "", false
	}
	return s[:i], strings.TrimSpace(s[i:]), true
}

// isHeader tells "Name: value" from a URL, in which "//" follows the colon.
func isHeader(line string) bool {
	name, value, found := strings.Cut(line, ":")
	return found && isToken(strings.TrimSpace(name)) && !strings.HasPrefix(value, "//")
}

func (l *list) textHeader(t *target, n int, line string) error {
	name, value, _ := strings.Cut(line, ":")
	switch {
	case !t.open:
		return l.errorf(n, line, "a header before any request; a URL begins with http:// or https://")
	case t.bodied:
		return l.errorf(n, line, "a header after the body; put it before the line with @, or a blank line before the next request")
	case looksLikeAddress(value):
		return l.errorf(n, line, "is it a URL? Then write http:// before it; a header has a space after its colon")
	}
	if t.request.Header == nil {
		t.request.Header = map[string][]string{}
	}
	if err := addHeader(t.request.Header, strings.TrimSpace(name), strings.TrimSpace(value)); err != nil {
		return l.errorf(n, line, "%w", err)
	}
	return nil
}

// looksLikeAddress reports whether what follows a colon is a port and a path, as
// in localhost:8080/path: a forgotten scheme, which would else be sent as a
// header of the request above.
func looksLikeAddress(value string) bool {
	rest := strings.TrimLeft(value, "0123456789")
	return len(rest) < len(value) && strings.HasPrefix(rest, "/")
}

func (l *list) textBody(t *target, n int, line string) error {
	if !t.open {
		return l.errorf(n, line, "a body before any request; write METHOD URL above it")
	}
	if t.bodied {
		return l.errorf(n, line, "a second body; a request has one")
	}
	var err error
	if t.body, err = l.file(strings.TrimSpace(line[1:])); err != nil {
		return l.errorf(n, line, "%w", err)
	}
	t.bodied = true
	return nil
}
