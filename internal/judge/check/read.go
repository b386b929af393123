package check

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/nearest"
)

const (
	// maxBudget bounds the size of a budget file, in bytes; real ones have a few
	// hundred.
	maxBudget = 1 << 20
	// maxBounds is how many limits one file may have.
	maxBounds = 200
	// maxErrors is how many errors of one file are told at once.
	maxErrors = 10
)

// Read decodes a budget. file is its name for errors and reports. All errors of a
// file (at most ten) are joined, each with file, line and column: an unknown key
// with the nearest known one, a limit that cannot be read, a unit that does not fit.
func Read(file string, text []byte) (unpark.Budget, error) {
	r := reader{file: file}
	if len(text) > maxBudget {
		return unpark.Budget{}, fmt.Errorf("read budget %s: larger than %d kB: give a budget, a YAML file of a few lines", file, maxBudget>>10)
	}
	var doc yaml.Node
	d := yaml.NewDecoder(strings.NewReader(string(text)))
	err := d.Decode(&doc)
	switch {
	case errors.Is(err, io.EOF):
		return unpark.Budget{}, fmt.Errorf("read budget %s: it is empty: write a line such as p99: < 50ms", file)
	case err != nil:
		return unpark.Budget{}, r.syntax(text, err)
	}
	if d.Decode(new(yaml.Node)) == nil {
		r.fail(&doc, "a second document in one file: keep one budget in each")
	}
	if len(doc.Content) == 1 {
		r.top(doc.Content[0])
	}
	if len(r.errs) == 0 && len(r.bounds) == 0 {
		r.fail(&doc, "it bounds nothing: write a line such as p99: < 50ms")
	}
	if len(r.bounds) > maxBounds {
		r.fail(&doc, "%d limits in one file, at most %d can be judged: keep those that matter", len(r.bounds), maxBounds)
	}
	if len(r.errs) > 0 {
		return unpark.Budget{}, errors.Join(r.errs...)
	}
	return unpark.Budget{File: file, Bounds: r.bounds}, nil
}

// reader collects the bounds and the errors of one file.
type reader struct {
	file   string
	bounds []unpark.Bound
	errs   []error
}

func (r *reader) fail(n *yaml.Node, format string, a ...any) {
	if len(r.errs) < maxErrors {
		r.errs = append(r.errs, fmt.Errorf("%s:%d:%d: %s", r.file, max(n.Line, 1), max(n.Column, 1), fmt.Sprintf(format, a...)))
	}
}

// unquoted is a limit that YAML takes for the head of a block of text.
var unquoted = regexp.MustCompile(`^\s*(?:- *)?(?:[^\s:#]+:)?\s*>\s*=?\s*[-+−0-9]`)

var yamlLine = regexp.MustCompile(`^yaml: (?:line (\d+): )?`)

// syntax names the file and the line of an error of the YAML decoder.
func (r *reader) syntax(text []byte, err error) error {
	at := yamlLine.FindStringSubmatch(err.Error())
	for i, line := range strings.Split(string(text), "\n") {
		if unquoted.MatchString(line) {
			return fmt.Errorf("%s:%d: a limit that begins with > must be in quotes, or in words: \">= 400 req/s\", at least 400 req/s", r.file, i+1)
		}
	}
	if len(at) == 2 && at[1] != "" {
		return fmt.Errorf("%s:%s: no YAML: %s", r.file, at[1], strings.TrimPrefix(err.Error(), at[0]))
	}
	return fmt.Errorf("%s: no YAML: %s", r.file, strings.TrimPrefix(err.Error(), "yaml: "))
}

// pairs calls each for every key of a mapping, and refuses what hides a key:
// repetition, merging, keys that are no text.
func (r *reader) pairs(n *yaml.Node, what string, each func(key, value *yaml.Node)) {
	if n.Kind != yaml.MappingNode {
		r.fail(n, "%s is a list of lines KEY: LIMIT, such as p99: < 50ms", what)
		return
	}
	lines := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		switch before, twice := lines[key.Value]; {
		case key.Kind != yaml.ScalarNode:
			r.fail(key, "a key is a word")
			continue
		case twice:
			r.fail(key, "%s is there already, on line %d: write several limits as a list: %s: [< 50ms, <= +10%%]", key.Value, before, key.Value)
			continue
		}
		lines[key.Value] = key.Line
		each(key, n.Content[i+1])
	}
}

func (r *reader) top(n *yaml.Node) {
	r.pairs(n, "a budget", func(key, value *yaml.Node) {
		switch m, ok := find(key.Value); {
		case key.Value == keyWaiters:
			r.pairs(value, keyWaiters, func(at, limit *yaml.Node) {
				if strings.TrimSpace(at.Value) == "" {
					r.fail(at, "waiters of which function? Write a pattern such as \"store.(*DB).Get\" or \"store.*\"")
					return
				}
				r.limits(m, at.Value, limit)
			})
		case ok:
			r.limits(m, "", value)
		case key.Value == keyFindings || key.Value == keyNew:
			r.forbidden(key, value)
		default:
			r.fail(key, "unknown key %q%s", key.Value, nearest.Suggestion(key.Value, keys()))
		}
	})
}

// limits reads the limit of a metric, or a list of them.
func (r *reader) limits(m metric, at string, n *yaml.Node) {
	all := []*yaml.Node{n}
	if n.Kind == yaml.SequenceNode {
		all = n.Content
	}
	if len(all) == 0 {
		r.fail(n, "%s has no limit: write %s", m.key, m.like)
	}
	for _, n := range all {
		if n.Kind != yaml.ScalarNode || n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
			r.fail(n, "%s takes a limit: write %s", m.key, m.like)
			continue
		}
		b, err := parseBound(m, n.Value)
		if err != nil {
			r.fail(n, "%s: %v", m.key, err)
			continue
		}
		b.At, b.Line = at, n.Line
		r.bounds = append(r.bounds, b)
	}
}

// forbidden reads the classes of findings that may not be there.
func (r *reader) forbidden(key, n *yaml.Node) {
	b := unpark.Bound{Metric: key.Value, Baseline: key.Value == keyNew, Line: key.Line}
	names := []*yaml.Node{n}
	if n.Kind == yaml.SequenceNode {
		names = n.Content
	}
	var known, texts []string
	for _, c := range classes() {
		known = append(known, string(c))
	}
	whole := false
	for _, n := range names {
		switch {
		case n.Kind == yaml.ScalarNode && n.Value == "any":
			whole = true
		case n.Kind == yaml.ScalarNode && slices.Contains(known, n.Value):
			b.Classes = append(b.Classes, unpark.Class(n.Value))
		default:
			r.fail(n, "%s: %q is no class of findings%s; write any, or some of %s", key.Value, n.Value, nearest.Suggestion(n.Value, append(known, "any")), strings.Join(known, ", "))
			return
		}
		texts = append(texts, n.Value)
	}
	switch {
	case len(texts) == 0:
		r.fail(n, "%s names no class: write any, or some of %s", key.Value, strings.Join(known, ", "))
		return
	case whole && len(b.Classes) > 0:
		r.fail(n, "%s: any is all classes: leave the others out", key.Value)
		return
	}
	b.Text = strings.Join(texts, ", ")
	r.bounds = append(r.bounds, b)
}
