package build

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Source is one source file of a program.
type Source struct {
	Path    string // absolute, on disk
	Package string // import path
	Text    []byte
}

// Sources are the packages that a program is built from.
type Sources struct {
	packages []sourcePackage
	own      map[string]string // the user's overlay (goCommand.ownOverlay)
}

// sourcePackage is what is used of `go list -deps -json`.
type sourcePackage struct {
	Dir, ImportPath   string
	Standard          bool
	GoFiles, CgoFiles []string
	EmbedPatterns     []string
	Module            *struct {
		Path, Version, Dir string
		Main               bool
		Replace            *struct{ Path, Version, Dir string }
	}
}

// ListSources lists the packages that a package main and all it depends on are built
// from.
func ListSources(ctx context.Context, b Spec) (Sources, error) {
	g := b.goCommand()
	own, err := g.ownOverlay(ctx)
	if err != nil {
		return Sources{}, fmt.Errorf("list the sources of %s: %w", b.Package, err)
	}
	args := append(append([]string{"list"}, g.tagged()...), "-deps", "-json=Dir,ImportPath,Standard,GoFiles,CgoFiles,EmbedPatterns,Module", "--", g.pattern)
	cmd := g.command(ctx, args...)
	var out, diagnostics strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &diagnostics
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return Sources{}, ctx.Err()
		}
		return Sources{}, fmt.Errorf("list the sources of %s: %w: see that `go list -deps` works with it:\n%s", b.Package, err, firstLines(diagnostics.String(), 10))
	}
	s := Sources{own: own}
	for d := json.NewDecoder(strings.NewReader(out.String())); ; {
		var p sourcePackage
		err := d.Decode(&p)
		if errors.Is(err, io.EOF) {
			return s, nil
		}
		if err != nil {
			return Sources{}, fmt.Errorf("list the sources of %s: read what go list printed: %w", b.Package, err)
		}
		s.packages = append(s.packages, p)
	}
}

// Find returns the source that a profile names, with the full path or, in a program
// built with -trimpath, with that of its module. The error says why an overlay cannot
// change it.
func (s Sources) Find(name string) (Source, error) {
	base := path.Base(filepath.ToSlash(name))
	for _, p := range s.packages {
		if !p.names(name, base) {
			continue
		}
		switch {
		case p.Standard:
			return Source{}, fmt.Errorf("%s is in the standard library", base)
		case slices.Contains(p.CgoFiles, base):
			return Source{}, fmt.Errorf("%s uses cgo, whose sources the go command writes anew", base)
		case !slices.Contains(p.GoFiles, base):
			return Source{}, fmt.Errorf("%s is no Go source that %s is built from", base, p.ImportPath)
		case p.cached():
			return Source{}, fmt.Errorf("%s belongs to %s, and the go command does not let an overlay change a module that it downloaded: `go mod vendor` or a replace line makes it yours",
				base, p.Module.Path)
		}
		file := filepath.Join(p.Dir, base)
		shown := file
		if other, ok := s.own[file]; ok {
			shown = other
		}
		text, err := os.ReadFile(shown)
		if err != nil {
			return Source{}, fmt.Errorf("read the source: %w", err)
		}
		return Source{Path: file, Package: p.ImportPath, Text: text}, nil
	}
	return Source{}, fmt.Errorf("%s is in no package that the program is built from", name)
}

// Uses reports whether a change of a file, by its absolute name, may change the program: it is a source of one of
// its packages, lies below one that embeds files, or decides which modules there are. A submodule is a file to git: it is
// used where a package lies in it.
func (s Sources) Uses(file string) bool {
	base, dir := filepath.Base(file), filepath.Dir(file)
	if slices.Contains([]string{"go.mod", "go.sum", "go.work", "go.work.sum", "modules.txt"}, base) {
		return true
	}
	source := slices.Contains(sourceSuffixes(), filepath.Ext(base)) && !strings.HasSuffix(base, "_test.go")
	return slices.ContainsFunc(s.packages, func(p sourcePackage) bool {
		within := p.Dir == file || strings.HasPrefix(p.Dir, file+string(filepath.Separator))
		return source && p.Dir == dir || within || len(p.EmbedPatterns) > 0 && strings.HasPrefix(file, p.Dir+string(filepath.Separator))
	})
}

// Outside lists the folders of packages that lie neither below top nor in the standard library or the module cache: a
// replace line or a workspace leads there.
func (s Sources) Outside(top string) []string {
	var out []string
	for _, p := range s.packages {
		inside := p.Dir == top || strings.HasPrefix(p.Dir, top+string(filepath.Separator))
		if !inside && !p.Standard && !p.cached() {
			out = append(out, p.Dir)
		}
	}
	return out
}

// sourceSuffixes are what the go command compiles or links (go help filetype), and headers.
func sourceSuffixes() []string {
	return []string{".go", ".s", ".S", ".sx", ".c", ".cc", ".cpp", ".cxx", ".m", ".h", ".hh", ".hpp", ".hxx", ".f", ".F", ".for", ".f90", ".swig", ".swigcxx", ".syso"}
}

// names reports whether a name in a profile is of a file of this package.
func (p sourcePackage) names(name, base string) bool {
	if filepath.Join(p.Dir, base) == filepath.Clean(name) || path.Join(p.ImportPath, base) == name {
		return true
	}
	m := p.Module
	if m == nil {
		return false
	}
	version := m.Version
	if version == "" {
		return false
	}
	inside := strings.TrimPrefix(p.ImportPath, m.Path)
	return path.Join(m.Path+"@"+version+inside, base) == name
}

// cached reports whether the package lies in the module cache. One from a vendor
// folder has a module without a folder.
func (p sourcePackage) cached() bool {
	m := p.Module
	switch {
	case m == nil || m.Main || m.Dir == "":
		return false
	case m.Replace != nil:
		return m.Replace.Version != ""
	}
	return m.Version != ""
}
