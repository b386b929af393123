package project

import (
	"fmt"

	"gopkg.in/yaml.v3"

	"github.com/unpark-go/unpark/internal/strict"
)

// Read decodes a project file; name is how errors call it. All errors of a file (at
// most ten) are joined, each with file, line and column. An empty file is one that
// says nothing.
func Read(name string, text []byte) (*File, error) {
	if len(text) > maxFile {
		return nil, fmt.Errorf("read %s: larger than %d kB: give a project file, as `unpark init` writes it", name, maxFile>>10)
	}
	doc, err := strict.Parse(name, "project", text)
	if err != nil {
		return nil, err
	}
	r := reader{doc: doc, file: &File{Name: name}, text: text}
	if doc.Root != nil && !strict.Null(doc.Root) {
		r.top(doc.Root)
	}
	r.agree()
	if err := doc.Err(); err != nil {
		return nil, err
	}
	return r.file, nil
}

// reader reads the values of one file.
type reader struct {
	doc  *strict.Document
	file *File
	text []byte
}

func (r *reader) top(n *yaml.Node) {
	fields := r.fields()
	var known []string
	for _, f := range fields {
		known = append(known, f.key)
	}
	r.doc.Pairs(n, strict.Mapping{What: "a project file", Like: "package: ./cmd/server"}, func(key, value *yaml.Node) {
		for _, f := range fields {
			if f.key != key.Value {
				continue
			}
			if !strict.Null(value) {
				f.read(key.Value, value)
			}
			return
		}
		r.doc.Unknown(key, "", known)
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
		{"test", func(key string, n *yaml.Node) { f.Test = r.words(key, n, "[go, test, ./...]") }},
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
		r.doc.FailAtf(f.Command[0], "command: package, on line %d, starts the service already: keep one of them", f.Package.Line)
	case len(f.Args) > 0 && !f.Package.Given() && len(f.Command) > 0:
		r.doc.FailAtf(f.Args[0], "args are those of a package: write them into command, which has its own")
	case len(f.Args) > 0 && !f.Package.Given():
		r.doc.FailAtf(f.Args[0], "args of what? Name the package: package: ./cmd/server")
	}
	for _, u := range f.URLs[min(1, len(f.URLs)):] {
		if u.Relative() != f.URLs[0].Relative() {
			r.doc.FailAtf(u.Address, "urls: %q and %q: give all of them a host, or none: a path alone goes to the port that the service opens", f.URLs[0].Address.Value, u.Address.Value)
		}
	}
}
