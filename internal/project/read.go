package project

import (
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

// Read decodes a project file; name is how errors call it. All errors of a file (at
// most ten) are joined, each with file, line and column. An empty file is one that
// says nothing.
func Read(name string, text []byte) (*File, error) {
	r := reader{file: &File{Name: name}, text: text}
	if len(text) > maxFile {
		return nil, fmt.Errorf("read %s: larger than %d kB: give a project file, as `unpark init` writes it", name, maxFile>>10)
	}
	var doc yaml.Node
	d := yaml.NewDecoder(strings.NewReader(string(text)))
	switch err := d.Decode(&doc); {
	case errors.Is(err, io.EOF):
		return r.file, nil
	case err != nil:
		return nil, r.syntax(err)
	}
	if d.Decode(new(yaml.Node)) == nil {
		r.fail(&doc, "a second document in one file: keep one project in each")
	}
	if len(doc.Content) == 1 && !null(doc.Content[0]) {
		r.top(doc.Content[0])
	}
	r.agree()
	if len(r.errs) > 0 {
		return nil, errors.Join(r.errs...)
	}
	return r.file, nil
}

// reader collects the values and the errors of one file.
type reader struct {
	file *File
	text []byte
	errs []error
	keys []*yaml.Node // of the top level, in order
}

func (r *reader) fail(n *yaml.Node, format string, a ...any) {
	r.failAt(place(n), format, a...)
}

func (r *reader) failAt(at Text, format string, a ...any) {
	if len(r.errs) < maxErrors {
		r.errs = append(r.errs, r.file.Errorf(at, format, a...))
	}
}

func place(n *yaml.Node) Text { return Text{Value: n.Value, Line: n.Line, Column: n.Column} }

// null reports a key without a value: one whose lines are all commented out.
func null(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.Tag == "!!null" }

var yamlLine = regexp.MustCompile(`^yaml: (?:line (\d+): )?`)

// syntax names the file and the line of an error of the YAML decoder.
func (r *reader) syntax(err error) error {
	at := yamlLine.FindStringSubmatch(err.Error())
	if len(at) == 2 && at[1] != "" {
		return fmt.Errorf("%s:%s: no YAML: %s", r.file.Name, at[1], strings.TrimPrefix(err.Error(), at[0]))
	}
	return fmt.Errorf("%s:1: no YAML: %s", r.file.Name, strings.TrimPrefix(err.Error(), "yaml: "))
}

// pairs calls each for every key of a mapping, and refuses what hides a key:
// repetition, merging, keys that are no text.
func (r *reader) pairs(n *yaml.Node, what, like string, each func(key, value *yaml.Node)) {
	if n.Kind != yaml.MappingNode {
		r.fail(n, "%s is a list of lines KEY: VALUE, such as %s", what, like)
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
			r.fail(key, "%s is there already, on line %d: keep one of them", key.Value, before)
			continue
		}
		lines[key.Value] = key.Line
		each(key, n.Content[i+1])
	}
}

func (r *reader) top(n *yaml.Node) {
	fields := r.fields()
	var known []string
	for _, f := range fields {
		known = append(known, f.key)
	}
	r.pairs(n, "a project file", "package: ./cmd/server", func(key, value *yaml.Node) {
		r.keys = append(r.keys, key)
		for _, f := range fields {
			if f.key != key.Value {
				continue
			}
			if !null(value) {
				f.read(key.Value, value)
			}
			return
		}
		hint := nearest.Suggestion(key.Value, known)
		if hint == "" {
			hint = ": the keys are " + strings.Join(known, ", ")
		}
		r.fail(key, "unknown key %q%s", key.Value, hint)
	})
}

// field is one key and how its value is read.
type field struct {
	key  string
	read func(key string, n *yaml.Node)
}

func (r *reader) fields() []field {
	f := r.file
	return []field{
		{"package", func(key string, n *yaml.Node) { f.Package = r.word(key, n, "./cmd/server") }},
		{"command", func(key string, n *yaml.Node) { f.Command = r.words(key, n, "[./server, -addr, 127.0.0.1:8080]") }},
		{"args", func(key string, n *yaml.Node) { f.Args = r.words(key, n, "[-addr, 127.0.0.1:8080]") }},
		{"environment", func(key string, n *yaml.Node) { f.Environment = r.environment(key, n) }},
		{"pprof", func(key string, n *yaml.Node) { f.Pprof = r.words(key, n, "[http://127.0.0.1:6060]") }},
		{"urls", func(_ string, n *yaml.Node) { f.URLs = r.urls(n) }},
		{"headers", func(key string, n *yaml.Node) { f.Headers = r.headers(key, n) }},
		{"rate", func(key string, n *yaml.Node) { f.Rate = r.rate(key, n) }},
		{"connections", func(key string, n *yaml.Node) { f.Connections = r.count(key, n) }},
		{"duration", func(key string, n *yaml.Node) { f.Duration = r.length(key, n) }},
		{"warmup", func(key string, n *yaml.Node) { f.Warmup = r.length(key, n) }},
		{"cpus", func(key string, n *yaml.Node) { f.CPUs = r.cores(key, n) }},
		{"own", func(key string, n *yaml.Node) { f.Own = r.own(key, n) }},
		{"budget", func(_ string, n *yaml.Node) { f.Budget = r.budget(n) }},
		{"baseline", func(key string, n *yaml.Node) { f.Baseline = r.baseline(key, n) }},
	}
}

// agree refuses keys that cannot go together.
func (r *reader) agree() {
	f := r.file
	switch {
	case f.Package.Given() && len(f.Command) > 0:
		r.failAt(f.Command[0], "command: package, on line %d, starts the service already: keep one of them", f.Package.Line)
	case len(f.Args) > 0 && !f.Package.Given() && len(f.Command) > 0:
		r.failAt(f.Args[0], "args are those of a package: write them into command, which has its own")
	case len(f.Args) > 0 && !f.Package.Given():
		r.failAt(f.Args[0], "args of what? Name the package: package: ./cmd/server")
	}
	for _, u := range f.URLs[min(1, len(f.URLs)):] {
		if u.Relative() != f.URLs[0].Relative() {
			r.failAt(u.Address, "urls: %q and %q: give all of them a host, or none: a path alone goes to the port that the service opens", f.URLs[0].Address.Value, u.Address.Value)
		}
	}
}
