package check

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/nearest"
	"github.com/unpark-go/unpark/internal/strict"
)

// Read decodes a budget. file is its name for errors and reports. All errors of a
// file (at most ten) are joined, each with file, line and column: an unknown key
// with the nearest known one, a limit that cannot be read, a unit that does not fit.
func Read(file string, text []byte) (unpark.Budget, error) {
	if len(text) > maxBudget {
		return unpark.Budget{}, fmt.Errorf("read budget %s: larger than %d kB: give a budget, a YAML file of a few lines", file, maxBudget>>10)
	}
	doc, err := strict.Parse(file, "budget", text)
	switch {
	case err != nil:
		return unpark.Budget{}, explain(file, text, err)
	case doc.Root == nil:
		return unpark.Budget{}, fmt.Errorf("read budget %s: it is empty: write a line such as p99: < 50ms", file)
	}
	r := reader{doc: doc}
	r.top(doc.Root)
	if doc.Err() == nil && len(r.bounds) == 0 {
		doc.Failallf("it bounds nothing: write a line such as p99: < 50ms")
	}
	if len(r.bounds) > maxBounds {
		doc.Failallf("%d limits in one file, at most %d can be judged: keep those that matter", len(r.bounds), maxBounds)
	}
	if err := doc.Err(); err != nil {
		return unpark.Budget{}, err
	}
	return unpark.Budget{File: file, Bounds: r.bounds}, nil
}

// reader collects the bounds of one file.
type reader struct {
	doc    *strict.Document
	bounds []unpark.Bound
}

// unquoted is a limit that YAML takes for the head of a block of text.
var unquoted = regexp.MustCompile(`^\s*(?:- *)?(?:[^\s:#]+:)?\s*>\s*=?\s*[-+−0-9]`)

// explain says what is wrong with a text that is not YAML: a limit without quotes, if it
// has one.
func explain(file string, text []byte, err error) error {
	for i, line := range strings.Split(string(text), "\n") {
		if unquoted.MatchString(line) {
			return fmt.Errorf("%s:%d: a limit that begins with > must be in quotes, or in words: \">= 400 req/s\", at least 400 req/s", file, i+1)
		}
	}
	return err
}

// mapping is a mapping of limits.
func mapping(what string) strict.Mapping {
	return strict.Mapping{
		What: what, Value: "LIMIT", Like: "p99: < 50ms",
		Twice: "write several limits as a list: KEY: [< 50ms, <= +10%]",
	}
}

func (r *reader) top(n *yaml.Node) {
	r.doc.Pairs(n, mapping("a budget"), func(key, value *yaml.Node) {
		switch m, ok := find(key.Value); {
		case key.Value == keyWaiters:
			r.doc.Pairs(value, mapping(keyWaiters), func(at, limit *yaml.Node) {
				if strings.TrimSpace(at.Value) == "" {
					r.doc.Failf(at, "waiters of which function? Write a pattern such as \"store.(*DB).Get\" or \"store.*\"")
					return
				}
				r.limits(m, at.Value, limit)
			})
		case ok:
			r.limits(m, "", value)
		case key.Value == keyFindings || key.Value == keyNew:
			r.forbidden(key, value)
		default:
			r.doc.Unknown(key, "", keys())
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
		r.doc.Failf(n, "%s has no limit: write %s", m.key, m.like)
	}
	for _, n := range all {
		if n.Kind != yaml.ScalarNode || n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
			r.doc.Failf(n, "%s takes a limit: write %s", m.key, m.like)
			continue
		}
		b, err := parseBound(m, n.Value)
		if err != nil {
			r.doc.Failf(n, "%s: %v", m.key, err)
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
	for _, c := range unpark.Classes() {
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
			r.doc.Failf(n, "%s: %q is not a class of findings%s; write any, or some of %s", key.Value, n.Value, nearest.Suggestion(n.Value, append(known, "any")), strings.Join(known, ", "))
			return
		}
		texts = append(texts, n.Value)
	}
	switch {
	case len(texts) == 0:
		r.doc.Failf(n, "%s names no class: write any, or some of %s", key.Value, strings.Join(known, ", "))
		return
	case whole && len(b.Classes) > 0:
		r.doc.Failf(n, "%s: any is all classes: leave the others out", key.Value)
		return
	}
	b.Text = strings.Join(texts, ", ")
	r.bounds = append(r.bounds, b)
}
