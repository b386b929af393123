package requests

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// The bounds of all values of one plan together.
const (
	maxValues = 64 << 20   // bytes of the files
	maxLines  = 10_000_000 // four bytes each, beside the files
)

// The templates that need no file.
const (
	counterName = "counter"
	randomName  = "random"
	uuidName    = "uuid"
)

// Values are the lines of files from which templates are filled. The zero value
// knows {{counter}}, {{random}} and {{uuid}} alone. It is not changed after it
// was read, so that templates may share it.
type Values struct {
	files   map[string]lines // by name
	escaped bool
}

// lines is one file: line i is text[ends[i-1]:ends[i]].
type lines struct {
	text  []byte
	ends  []uint32
	order order
}

type order int

const (
	anyOrder order = iota // a line drawn for each request
	inOrder               // line k of request k, from the start again after the last
)

func (l lines) at(i uint64) []byte {
	begin := uint32(0)
	if i > 0 {
		begin = l.ends[i-1]
	}
	return l.text[begin:l.ends[i]]
}

// ReadValues reads the files of specs such as "user=users.txt", of which each
// request gets a line drawn by chance, or "user=users.txt:seq", of which request
// k gets line k, from the start again after the last. Empty lines are left out.
// To give several names lines that belong together, read all of them in order.
//
// Files over 64 MB together, or ten million lines, are errors; so are control
// characters, which would end a header.
func ReadValues(specs []string, open func(path string) ([]byte, error)) (Values, error) {
	v := Values{files: map[string]lines{}}
	size, total := 0, 0
	for _, spec := range specs {
		name, path, found := strings.Cut(spec, "=")
		l := lines{}
		if before, ok := strings.CutSuffix(path, ":seq"); ok {
			path, l.order = before, inOrder
		}
		if err := v.checkName(name, found && path != ""); err != nil {
			return Values{}, fmt.Errorf("values %q: %w", spec, err)
		}
		data, err := open(path)
		if err != nil {
			return Values{}, fmt.Errorf("values %q: %w", spec, err)
		}
		if size += len(data); size > maxValues {
			return Values{}, fmt.Errorf("values %q: the files are longer than %d MB together; draw from fewer lines", spec, maxValues>>20)
		}
		if err := l.fill(path, data); err != nil {
			return Values{}, err
		}
		if total += len(l.ends); total > maxLines {
			return Values{}, fmt.Errorf("values %q: more than %d lines; draw from fewer", spec, maxLines)
		}
		v.files[name] = l
	}
	return v, nil
}

func (v Values) checkName(name string, complete bool) error {
	const example = "write user=users.txt or user=users.txt:seq"
	_, taken := v.files[name]
	switch {
	case !complete:
		return textError("not a name and a file; " + example)
	case !isName(name):
		return textError("a name has letters, digits, - and _, and begins with a letter; " + example)
	case name == counterName || name == randomName || name == uuidName:
		return textError("{{" + name + "}} has a meaning already; choose another name")
	case taken:
		return textError("the name appears twice")
	}
	return nil
}

func isName(s string) bool {
	for i := range len(s) {
		c := s[i]
		letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if !letter && (i == 0 || !('0' <= c && c <= '9' || c == '-' || c == '_')) {
			return false
		}
	}
	return s != ""
}

// fill splits the data of a file.
func (l *lines) fill(path string, data []byte) error {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	for n, line := 1, []byte(nil); len(data) > 0; n++ {
		line, data, _ = bytes.Cut(data, []byte("\n"))
		line = bytes.TrimSuffix(line, []byte("\r"))
		if len(line) == 0 {
			continue
		}
		if bytes.ContainsFunc(line, func(c rune) bool { return c < ' ' && c != '\t' || c == 0x7f }) {
			return fmt.Errorf("%s:%d: %q: control characters cannot be part of a value", path, n, short(string(line)))
		}
		if len(l.ends) == maxLines {
			return fmt.Errorf("%s:%d: more than %d lines; draw from fewer", path, n, maxLines)
		}
		l.text = append(l.text, line...)
		l.ends = append(l.ends, uint32(len(l.text)))
	}
	if len(l.ends) == 0 {
		return fmt.Errorf("%s: it holds no value; write one a line", path)
	}
	return nil
}

// Escaped returns the values percent-encoded, for templates of URLs: a space in
// a request line would end the URL, an & would begin a parameter. Only the
// unreserved characters of RFC 3986, section 2.3, stay.
func (v Values) Escaped() Values {
	if v.escaped {
		return v
	}
	out := Values{files: make(map[string]lines, len(v.files)), escaped: true}
	for name, l := range v.files {
		e := lines{order: l.order, ends: make([]uint32, 0, len(l.ends))}
		for i := range l.ends {
			e.text = appendEscaped(e.text, l.at(uint64(i)))
			e.ends = append(e.ends, uint32(len(e.text))) // at most 3 × maxValues
		}
		out.files[name] = e
	}
	return out
}

func appendEscaped(dst, s []byte) []byte {
	const hex = "0123456789ABCDEF"
	for _, c := range s {
		if 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '-' || c == '.' || c == '_' || c == '~' {
			dst = append(dst, c)
			continue
		}
		dst = append(dst, '%', hex[c>>4], hex[c&15])
	}
	return dst
}

// known lists the names that a template may use, for errors.
func (v Values) known() string {
	names := append([]string{counterName, randomName, uuidName}, slices.Sorted(maps.Keys(v.files))...)
	return "{{" + strings.Join(names, "}}, {{") + "}}"
}
