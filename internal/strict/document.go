package strict

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/unpark-go/unpark/internal/nearest"
)

// maxErrors is how many errors of one file are told at once.
const maxErrors = 10

// Document is one file as it is read, and what was found wrong with it.
type Document struct {
	Root *yaml.Node // of its content; nil when there is none, comments aside

	name string // as errors call it
	node yaml.Node
	errs []error
}

// Parse decodes one file. name is how errors call it, noun what one file holds, such
// as "project". The error is one of YAML's syntax, with file and line.
func Parse(name, noun string, text []byte) (*Document, error) {
	d := &Document{name: name}
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	switch err := decoder.Decode(&d.node); {
	case errors.Is(err, io.EOF):
		return d, nil
	case err != nil:
		return nil, syntax(name, err)
	}
	if decoder.Decode(new(yaml.Node)) == nil {
		d.Failf(&d.node, "a second document in one file: keep one %s in each", noun)
	}
	if len(d.node.Content) == 1 {
		d.Root = d.node.Content[0]
	}
	return d, nil
}

var yamlLine = regexp.MustCompile(`^yaml: (?:line (\d+): )?`)

// syntax names the file and the line of an error of the YAML decoder.
func syntax(name string, err error) error {
	at := yamlLine.FindStringSubmatch(err.Error())
	line := "1" // what has no line is wrong with the file: its encoding
	if len(at) == 2 && at[1] != "" {
		line = at[1]
	}
	return fmt.Errorf("%s:%s: no YAML: %s", name, line, yamlLine.ReplaceAllString(err.Error(), ""))
}

// Failf notes an error at a node.
func (d *Document) Failf(n *yaml.Node, format string, a ...any) {
	d.FailAtf(At(n), format, a...)
}

// FailAtf notes an error at a value; of more than ten only the first ten are told.
func (d *Document) FailAtf(at Text, format string, a ...any) {
	if len(d.errs) < maxErrors {
		d.errs = append(d.errs, at.Errorf(d.name, format, a...))
	}
}

// Failallf notes an error of the file as a whole.
func (d *Document) Failallf(format string, a ...any) {
	d.Failf(&d.node, format, a...)
}

// Unknown notes that a key is none of those known, and which of them it may have been
// meant to be. where says which mapping it is in; empty for that of the whole file.
func (d *Document) Unknown(key *yaml.Node, where string, known []string) {
	if where != "" {
		where = " in " + where
	}
	hint := nearest.Suggestion(key.Value, known)
	if hint == "" {
		hint = ": the keys are " + strings.Join(known, ", ")
	}
	d.Failf(key, "unknown key %q%s%s", key.Value, where, hint)
}

// Err joins all errors noted, nil when there are none.
func (d *Document) Err() error { return errors.Join(d.errs...) }

// Mapping says of a mapping what its errors tell.
type Mapping struct {
	What  string // it is, such as "a budget"
	Value string // what stands behind a key; empty: VALUE
	Like  string // an example of a line
	Twice string // the cure of a repeated key, in which KEY stands for it; empty: keep one of them
}

// Pairs calls each for every key of a mapping in order, and refuses what hides a key:
// repetition, merging, keys that are no text.
func (d *Document) Pairs(n *yaml.Node, m Mapping, each func(key, value *yaml.Node)) {
	if n.Kind != yaml.MappingNode {
		if m.Value == "" {
			m.Value = "VALUE"
		}
		d.Failf(n, "%s is a list of lines KEY: %s, such as %s", m.What, m.Value, m.Like)
		return
	}
	if m.Twice == "" {
		m.Twice = "keep one of them"
	}
	lines := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		switch before, twice := lines[key.Value]; {
		case key.Kind != yaml.ScalarNode:
			d.Failf(key, "a key is a word")
			continue
		case twice:
			d.Failf(key, "%s is there already, on line %d: %s", key.Value, before, strings.ReplaceAll(m.Twice, "KEY", key.Value))
			continue
		}
		lines[key.Value] = key.Line
		each(key, n.Content[i+1])
	}
}

// Null reports a key without a value: one whose lines are all commented out.
func Null(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.Tag == "!!null" }
