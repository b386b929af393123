package requests

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/textproto"
	"net/url"
	"strings"

	"github.com/unpark-go/unpark"
)

// The parts of a HAR file that a request needs: HTTP Archive 1.2,
// http://www.softwareishard.com/blog/har-12-spec/.
type (
	harEntry struct {
		Request harRequest `json:"request"`
	}
	harRequest struct {
		Method   string    `json:"method"`
		URL      string    `json:"url"`
		Headers  []harPair `json:"headers"`
		PostData *harPost  `json:"postData"`
		BodySize float64   `json:"bodySize"` // −1 when unknown
	}
	harPair struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
	harPost struct {
		MimeType string    `json:"mimeType"`
		Text     string    `json:"text"`
		Params   []harPair `json:"params"`
	}
)

// harReader walks a HAR file entry by entry: the answers in it, which are most
// of it, are never kept.
type harReader struct {
	*list
	data []byte
	dec  *json.Decoder
	line int   // of offset at
	at   int64 // bytes
}

func (l *list) readHAR(data []byte) error {
	h := &harReader{list: l, data: data, dec: json.NewDecoder(bytes.NewReader(data)), line: 1}
	entries := false
	err := h.object(func(key string) error {
		if key != "log" {
			return h.skip()
		}
		return h.object(func(key string) error {
			if key != "entries" {
				return h.skip()
			}
			entries = true
			return h.entries()
		})
	})
	if err == nil && !entries {
		err = errors.New("log.entries is missing: not a HAR file; export one from the network panel of a browser")
	}
	var placed placedError
	if err == nil || errors.As(err, &placed) {
		return err
	}
	return l.errorf(h.lineAt(h.dec.InputOffset()), "", "HAR: %w", err)
}

// placedError already says its file and line.
type placedError struct{ error }

func (e placedError) Unwrap() error { return e.error }

// object reads a JSON object and calls each with its keys; each reads the value.
func (h *harReader) object(each func(key string) error) error {
	if err := h.delim('{'); err != nil {
		return err
	}
	for h.dec.More() {
		key, err := h.dec.Token()
		if err != nil {
			return err
		}
		name, ok := key.(string)
		if !ok {
			return fmt.Errorf("%v where a key was expected", key)
		}
		if err := each(name); err != nil {
			return err
		}
	}
	return h.delim('}')
}

func (h *harReader) delim(want json.Delim) error {
	t, err := h.dec.Token()
	if err != nil {
		return err
	}
	if t != want {
		return fmt.Errorf("%v where %q was expected", t, want.String())
	}
	return nil
}

func (h *harReader) skip() error {
	var ignored json.RawMessage
	return h.dec.Decode(&ignored)
}

func (h *harReader) entries() error {
	if err := h.delim('['); err != nil {
		return err
	}
	for i := 1; h.dec.More(); i++ {
		line := h.lineAt(h.dec.InputOffset())
		var e harEntry
		if err := h.dec.Decode(&e); err != nil {
			return fmt.Errorf("entry %d: %w", i, err)
		}
		if err := h.entry(e.Request); err != nil {
			return placedError{h.errorf(line, "", "entry %d: %w", i, err)}
		}
	}
	return h.delim(']')
}

// lineAt returns the line of the value that begins at or after an offset, which
// only grows.
func (h *harReader) lineAt(offset int64) int {
	for offset < int64(len(h.data)) && strings.IndexByte(", \t\r\n", h.data[offset]) >= 0 {
		offset++
	}
	offset = max(h.at, min(offset, int64(len(h.data))))
	h.line += bytes.Count(h.data[h.at:offset], []byte("\n"))
	h.at = offset
	return h.line
}

func (h *harReader) entry(r harRequest) error {
	scheme, _, _ := strings.Cut(r.URL, ":")
	if s := strings.ToLower(scheme); s != "http" && s != "https" || r.Method == "CONNECT" {
		return nil // data:, blob:, ws:, extensions, tunnels
	}
	if !isToken(r.Method) {
		return fmt.Errorf("%q is not a method", short(r.Method))
	}
	u, err := url.Parse(r.URL)
	if err != nil {
		return fmt.Errorf("URL %q: %w", short(unpark.RedactURL(r.URL)), unpark.RedactParse(r.URL, err))
	}
	if u.Hostname() == "" {
		return fmt.Errorf("URL %q: needs a host", short(unpark.RedactURL(r.URL)))
	}
	u.Fragment, u.RawFragment = "", ""
	header, err := harHeader(r.Headers, u.Host)
	if err != nil {
		return err
	}
	data, err := harBody(r)
	if err != nil {
		return fmt.Errorf("%s %s: %w", r.Method, short(unpark.RedactURL(r.URL)), err)
	}
	b, err := h.inline(data)
	if err != nil {
		return err
	}
	return h.add(unpark.Request{Method: r.Method, URL: u.String(), Header: header}, b)
}

// harHeader leaves out what belongs to the recorded connection and not to the
// request: pseudo headers of HTTP/2, the headers of RFC 9110 section 7.6.1, and
// those that Connection names. A Host that is not the URL's own stays.
func harHeader(pairs []harPair, host string) (map[string][]string, error) {
	drop := map[string]bool{
		"Connection": true, "Keep-Alive": true, "Proxy-Connection": true, "Te": true, "Trailer": true,
		"Transfer-Encoding": true, "Upgrade": true, "Proxy-Authenticate": true, "Proxy-Authorization": true,
		"Http2-Settings": true,
	}
	for _, p := range pairs {
		if strings.EqualFold(p.Name, "Connection") {
			for name := range strings.SplitSeq(p.Value, ",") {
				drop[textproto.CanonicalMIMEHeaderKey(strings.TrimSpace(name))] = true
			}
		}
	}
	out := map[string][]string{}
	for _, p := range pairs {
		name := textproto.CanonicalMIMEHeaderKey(p.Name)
		if strings.HasPrefix(name, ":") || drop[name] || name == "Host" && strings.EqualFold(p.Value, host) {
			continue
		}
		if err := addHeader(out, p.Name, p.Value); err != nil {
			return nil, err
		}
	}
	if len(out) == 0 {
		return nil, nil
	}
	return out, nil
}

// harBody returns the recorded body. A request whose body the recording lost
// would be another request, so that is an error.
func harBody(r harRequest) ([]byte, error) {
	p := r.PostData
	switch {
	case p != nil && p.Text != "":
		return []byte(p.Text), nil
	case p != nil && len(p.Params) > 0 && strings.HasPrefix(strings.ToLower(p.MimeType), "application/x-www-form-urlencoded"):
		var b strings.Builder
		for i, v := range p.Params {
			if i > 0 {
				b.WriteByte('&')
			}
			b.WriteString(url.QueryEscape(v.Name) + "=" + url.QueryEscape(v.Value))
		}
		return []byte(b.String()), nil
	case r.BodySize > 0 || p != nil && len(p.Params) > 0:
		return nil, errors.New("the recording does not hold its body (postData.text); remove the entry, or record with contents")
	}
	return nil, nil
}
