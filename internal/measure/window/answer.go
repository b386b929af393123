package window

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// statusError is an answer with a status other than 200.
type statusError struct {
	status int
	text   string
}

func (s *statusError) Error() string {
	return fmt.Sprintf("status %d: %s", s.status, s.text)
}

// absent reports whether the endpoint said that it does not serve the page.
func absent(err error) bool {
	var s *statusError
	return errors.As(err, &s) && s.status == http.StatusNotFound
}

// plain drops the method and address that net/http puts in front of its errors;
// the caller names the object itself.
func plain(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err
	}
	return err
}

func gzipped(b []byte) bool { return len(b) > 2 && b[0] == 0x1f && b[1] == 0x8b }

// describe says in words what a body is, for errors.
func describe(b []byte) string {
	text := strings.TrimSpace(string(b[:min(len(b), 120)]))
	switch {
	case len(text) == 0:
		return "empty"
	case strings.HasPrefix(text, "<"):
		return "an HTML page"
	case gzipped(b):
		return "a profile"
	default:
		line, _, _ := strings.Cut(text, "\n")
		return strconv.Quote(line)
	}
}
