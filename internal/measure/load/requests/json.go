package requests

import (
	"bytes"
	"encoding/json"
	"errors"

	"github.com/unpark-go/unpark"
)

// jsonTarget is one line of vegeta's JSON format (lib/target.schema.json there).
// Keys that it does not have are ignored, as vegeta does.
type jsonTarget struct {
	Method string              `json:"method"`
	URL    string              `json:"url"`
	Body   []byte              `json:"body"` // base64
	Header map[string][]string `json:"header"`
}

func (l *list) readJSON(data []byte) error {
	for n, raw := 1, []byte(nil); len(data) > 0; n++ {
		raw, data, _ = bytes.Cut(data, []byte("\n"))
		line := bytes.TrimSpace(raw)
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		if err := l.jsonLine(line); err != nil {
			return l.errorf(n, string(line), "%w", err)
		}
	}
	return nil
}

func (l *list) jsonLine(line []byte) error {
	var t jsonTarget
	if err := json.Unmarshal(line, &t); err != nil {
		return textError("not a target in JSON: " + err.Error() + `; write {"method":"GET","url":"http://host/"} in one line, the body in base64`)
	}
	if t.Method == "" {
		t.Method = "GET"
	}
	if !knownMethod(t.Method) {
		return textError("the method is not one such as GET or POST" + upperHint(t.Method))
	}
	if t.URL == "" {
		return errors.New(`the key "url" is missing`)
	}
	if err := checkURL(t.URL); err != nil {
		return err
	}
	r := unpark.Request{Method: t.Method, URL: t.URL}
	if len(t.Header) > 0 {
		r.Header = make(map[string][]string, len(t.Header))
	}
	for name, values := range t.Header {
		for _, v := range values {
			if err := addHeader(r.Header, name, v); err != nil {
				return err
			}
		}
	}
	b, err := l.inline(t.Body)
	if err != nil {
		return err
	}
	return l.add(r, b)
}
