package answers

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"mime"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Answer is what a service said to one request.
type Answer struct {
	Status int
	Type   string // Content-Type
	Place  string // Location
	Body   []byte
	Failed string // why there is no answer; empty when there is one
}

// valueOf reads a body: objects are map[string]any, arrays and texts []any, numbers json.Number.
func valueOf(a Answer) any {
	if v, ok := jsonOf(a.Body); ok {
		return v
	}
	if !utf8.Valid(a.Body) || bytes.IndexByte(a.Body, 0) >= 0 {
		return string(a.Body)
	}
	kind, _, _ := mime.ParseMediaType(a.Type)
	if strings.HasPrefix(kind, "image/") || kind == "application/octet-stream" {
		return string(a.Body)
	}
	lines := []any{}
	for line := range strings.Lines(string(a.Body)) {
		lines = append(lines, wordsOf(line))
	}
	return lines
}

// jsonOf reads one JSON value.
func jsonOf(body []byte) (any, bool) {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return nil, false
	}
	_, err := d.Token()
	return v, err == io.EOF
}

// wordsOf splits a line into words and what is between them, so that both are kept.
func wordsOf(line string) []any {
	var out []any
	from, inside := 0, false
	for i, r := range line {
		is := unicode.IsLetter(r) || unicode.IsDigit(r)
		if i > 0 && is != inside {
			out = append(out, line[from:i])
			from = i
		}
		inside = is
	}
	return append(out, line[from:])
}

// canonical is a value as text: equal values have equal texts.
func canonical(v any) string {
	switch v := v.(type) {
	case json.Number:
		return numeral(string(v))
	case []any:
		parts := make([]string, len(v))
		for i, one := range v {
			parts[i] = canonical(one)
		}
		return "[" + strings.Join(parts, ",") + "]"
	case map[string]any:
		parts := make([]string, 0, len(v))
		for _, key := range keys(v) {
			parts = append(parts, fmt.Sprintf("%q:%s", key, canonical(v[key])))
		}
		return "{" + strings.Join(parts, ",") + "}"
	case string:
		return fmt.Sprintf("%q", v)
	default:
		return fmt.Sprint(v)
	}
}

// numeral is a number by its value: 1.0 and 1 are the same. One that is too long to be worked out is its text.
func numeral(text string) string {
	const longest = 40 // digits; an exponent could be of any size
	if len(text) > longest || strings.ContainsAny(text, "eE") {
		return text
	}
	if r, ok := new(big.Rat).SetString(text); ok {
		return r.RatString()
	}
	return text
}
