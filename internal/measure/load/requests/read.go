package requests

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/unpark-go/unpark"
)

// The bounds of one list. A list beyond them is better made with templates.
const (
	maxList     = 64 << 20  // bytes of the list itself
	maxBodies   = 64 << 20  // bytes of all bodies, each file counted once
	maxRequests = 1_000_000 // before folding
)

// Read reads a list of requests in any of the formats of the package. The name
// is that of the list's file, for errors and for finding bodies: open is called
// with the path of a body file, relative paths joined to the folder of the list.
// It may be nil when bodies from files are not allowed.
//
// Identical requests are folded into one; Weight is how often one appeared, or
// the sum of the weights given. Header names are canonical; Content-Length is
// left out because the body decides it. Of a recording, requests that are no
// HTTP (data:, ws:, extensions) and connection-level headers are left out too.
//
// Errors name file and line. Lists over 64 MB, a million requests or 64 MB of
// bodies are errors.
func Read(name string, r io.Reader, open func(path string) ([]byte, error)) ([]unpark.Request, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxList+1))
	if err != nil {
		return nil, fmt.Errorf("read request list %s: %w", name, err)
	}
	if len(data) > maxList {
		return nil, fmt.Errorf("read request list %s: longer than %d MB; split it, or write one request with templated values", name, maxList>>20)
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	l := &list{name: name, open: open, files: map[string]body{}, seen: map[digest]int{}}
	switch detect(name, data) {
	case formatHAR:
		err = l.readHAR(data)
	case formatJSON:
		err = l.readJSON(data)
	default:
		err = l.readText(data)
	}
	if err != nil {
		return nil, err
	}
	if len(l.out) == 0 {
		return nil, fmt.Errorf("read request list %s: it holds no request; write lines such as GET http://127.0.0.1:8080/", name)
	}
	return l.out, nil
}

type format int

const (
	formatText format = iota
	formatJSON
	formatHAR
)

// detect looks at the first key: a HAR file is one object whose only key is
// "log" (HAR 1.2, section "log"), a target in JSON has no such key.
func detect(name string, data []byte) format {
	trimmed := bytes.TrimLeft(data, " \t\r\n")
	if len(trimmed) == 0 || trimmed[0] != '{' || bytes.HasPrefix(trimmed, []byte("{{")) {
		return formatText
	}
	if strings.EqualFold(filepath.Ext(name), ".har") {
		return formatHAR
	}
	dec := json.NewDecoder(bytes.NewReader(trimmed))
	if _, err := dec.Token(); err != nil {
		return formatJSON
	}
	if key, err := dec.Token(); err == nil && key == "log" {
		return formatHAR
	}
	return formatJSON
}

// list is a list that is being read.
type list struct {
	name  string
	open  func(path string) ([]byte, error)
	files map[string]body // by path
	bytes int             // of all bodies
	count int             // requests so far, before folding

	out  []unpark.Request
	seen map[digest]int // index in out
}

// errorf returns an error at a line, which is quoted when there is one.
func (l *list) errorf(line int, text, message string, args ...any) error {
	err := fmt.Errorf(message, args...)
	if text == "" {
		return fmt.Errorf("%s:%d: %w", l.name, line, err)
	}
	return fmt.Errorf("%s:%d: %q: %w", l.name, line, short(shown(text)), err)
}

// shown is a line without what may be secret: a header's value, parts of a URL.
func shown(line string) string {
	if name, value, _ := strings.Cut(line, ":"); isHeader(line) && !looksLikeAddress(value) {
		return name + ": …"
	}
	return unpark.RedactText(line)
}

// short cuts what an error quotes: enough to find it, little of what may be
// secret further along the line.
func short(s string) string {
	const most = 48
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return string([]rune(s)[:most]) + "…"
}

// add counts one request and folds it into the list.
func (l *list) add(r unpark.Request, b body) error {
	if l.count++; l.count > maxRequests {
		return fmt.Errorf("more than %d requests; write fewer, with weights or templated values", maxRequests)
	}
	if r.Weight == 0 {
		r.Weight = 1
	}
	key := digestOf(r, b)
	if i, ok := l.seen[key]; ok {
		l.out[i].Weight += r.Weight
		return nil
	}
	r.Body = b.data
	l.seen[key] = len(l.out)
	l.out = append(l.out, r)
	return nil
}

// inline returns a body that the list itself holds.
func (l *list) inline(data []byte) (body, error) {
	if len(data) == 0 {
		return body{}, nil
	}
	return newBody(data), l.charge(len(data))
}

// file returns the body of a file, read once however often it is named.
func (l *list) file(path string) (body, error) {
	if path == "" {
		return body{}, errors.New("the name of the body file is missing; write @file.json")
	}
	if l.open == nil {
		return body{}, errors.New("bodies from files cannot be read here; put the body into the list (vegeta's JSON format)")
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(l.name), path)
	}
	if b, ok := l.files[path]; ok {
		return b, nil
	}
	data, err := l.open(path)
	if err != nil {
		return body{}, fmt.Errorf("read body: %w", err)
	}
	if err := l.charge(len(data)); err != nil {
		return body{}, err
	}
	b := newBody(data)
	l.files[path] = b
	return b, nil
}

func (l *list) charge(n int) error {
	if l.bytes += n; l.bytes > maxBodies {
		return fmt.Errorf("the bodies are longer than %d MB together; send fewer different ones", maxBodies>>20)
	}
	return nil
}
