package project

import (
	"errors"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/unpark-go/unpark/internal/nearest"
	"github.com/unpark-go/unpark/internal/strict"
)

func (r *reader) urls(n *yaml.Node) []URL {
	if n.Kind != yaml.SequenceNode {
		r.doc.Failf(n, "urls is a list: write\nurls:\n  - http://127.0.0.1:8080/path")
		return nil
	}
	var out []URL
	for _, one := range n.Content {
		var u URL
		switch {
		case one.Kind == yaml.MappingNode:
			u = r.detailed(one)
		default:
			if t := r.plain("urls", one, "[http://127.0.0.1:8080/]"); t.Given() {
				u = r.short(t)
			}
		}
		if u.Address.Given() {
			out = append(out, u)
		}
	}
	return out
}

// notation is a request on one line, as --url takes it: [WEIGHT*][METHOD ]ADDRESS.
var notation = regexp.MustCompile(`^(?:([0-9.]+)\*)?(?:([A-Z]+) +)?(\S+)$`)

// short reads a request on one line.
func (r *reader) short(t Text) URL {
	m := notation.FindStringSubmatch(t.Value)
	if m == nil {
		r.doc.FailAtf(t, "urls: %q is no request: %w", t.Value, errNoAddress)
		return URL{}
	}
	u := URL{Address: t, Method: m[2]}
	u.Address.Value = m[3]
	if m[1] != "" {
		u.Weight = r.weight(Text{Value: m[1], Line: t.Line, Column: t.Column})
	}
	if !r.address(u.Address) {
		return URL{}
	}
	return u
}

func (r *reader) weight(t Text) float64 {
	w, err := strconv.ParseFloat(t.Value, 64)
	if err != nil || !(w > 0 && w <= 1e9) { // neither is NaN
		r.doc.FailAtf(t, "urls: the weight %q is no number above 0", t.Value)
	}
	return w
}

// address checks a URL or a path.
func (r *reader) address(t Text) bool {
	// Templates count as a digit, which is valid in every part of a URL.
	u, err := url.Parse(template.ReplaceAllString(t.Value, "0"))
	switch {
	case socket.MatchString(t.Value):
		return true
	case err == nil && strings.HasPrefix(t.Value, "/") && !strings.HasPrefix(t.Value, "//"):
		return true
	case err != nil || u.Host == "" || !slices.Contains([]string{"http", "https", "grpc", "grpcs"}, u.Scheme):
		r.doc.FailAtf(t, "urls: %q is no address: %w", t.Value, errNoAddress)
		return false
	case u.User != nil:
		r.doc.FailAtf(t, "urls: a user or password in the URL of %s would be written into run documents: send them as a header, such as Authorization: Basic ${BASIC}", u.Host)
		return false
	}
	return true
}

// socket is a path of a service that listens on a unix socket.
var socket = regexp.MustCompile(`^unix:///[^:]+:/`)

var template = regexp.MustCompile(`\{\{[^}]*\}\}`)

// methods lists the methods of RFC 9110 and 5789.
var methods = []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"}

// detailed reads a request on several lines.
func (r *reader) detailed(n *yaml.Node) URL {
	keys := []string{"url", "weight", "method", "body", "expect"}
	var u URL
	r.doc.Pairs(n, strict.Mapping{What: "an entry of urls", Like: "url: http://127.0.0.1:8080/"}, func(k, v *yaml.Node) {
		switch k.Value {
		case "url":
			if t := r.plain("url", v, "http://127.0.0.1:8080/"); t.Given() && r.address(t) {
				u.Address = t
			}
		case "weight":
			if t := r.word("weight", v, "9"); t.Given() {
				u.Weight = r.weight(t)
			}
		case "method":
			u.Method = r.method(v)
		case "body":
			u.Body = r.variable("body", v)
		case "expect":
			u.Expect = r.expect(v)
		default:
			r.doc.Unknown(k, "an entry of urls", keys)
		}
	})
	if !u.Address.Given() && r.doc.Err() == nil {
		r.doc.Failf(n, "an entry of urls without url: write url: http://127.0.0.1:8080/path")
	}
	return u
}

func (r *reader) method(n *yaml.Node) string {
	t := r.word("method", n, "POST")
	if t.Given() && !slices.Contains(methods, t.Value) {
		r.doc.Failf(n, "method: %q is no method%s", t.Value, nearest.Suggestion(strings.ToUpper(t.Value), methods))
	}
	return t.Value
}

func (r *reader) expect(n *yaml.Node) []int {
	all := []*yaml.Node{n}
	if n.Kind == yaml.SequenceNode {
		all = n.Content
	}
	var out []int
	for _, one := range all {
		v, err := strconv.Atoi(one.Value)
		if err != nil || v < 100 || v > 599 {
			r.doc.Failf(one, "expect: %q is no HTTP status: write expect: [200, 404]", one.Value)
			return nil
		}
		out = append(out, v)
	}
	return out
}

// budget reads the name of a budget's file, or cuts the budget out of this one.
func (r *reader) budget(n *yaml.Node) Budget {
	if n.Kind != yaml.MappingNode {
		return Budget{File: r.word("budget", n, "unpark.budget.yaml")}
	}
	if len(n.Content) == 0 {
		r.doc.Failf(n, "budget bounds nothing: write a line such as p99: < 50ms below it, or take it out")
		return Budget{}
	}
	return Budget{Inline: only(r.text, n)}
}

// only returns the lines of a mapping as a document of its own, in which every
// character keeps its line and column.
func only(text []byte, n *yaml.Node) []byte {
	lines := strings.SplitAfter(string(text), "\n")
	// YAML knows more line breaks than these; a file with others loses places, no more.
	first, indent := min(n.Line-1, len(lines)-1), n.Column-1
	if n.Style&yaml.FlowStyle == 0 {
		indent = 0 // the first key stands at the column of the mapping: keep what indents it
	}
	var b strings.Builder
	b.WriteString(strings.Repeat("\n", first))
	for i, line := range lines[first:] {
		if i == 0 {
			all := []rune(line)
			line = strings.Repeat(" ", indent) + string(all[min(indent, len(all)):])
		} else if line != "" && !strings.ContainsAny(line[:1], " \t\r\n#") && !(n.Style&yaml.FlowStyle != 0 && line[0] == '}') {
			break // the next key of the file
		}
		b.WriteString(line)
	}
	return []byte(b.String())
}

// errNoAddress says how an address is written.
var errNoAddress = errors.New("write http://127.0.0.1:8080/path, or /path for the port that the service opens, with a weight as 9*/path and a method as POST /path")
