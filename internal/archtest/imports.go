package archtest

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
)

// checkImports returns what a file may not import, and its package if it may not be
// called so.
func (p Policy) checkImports(src *source) ([]Violation, error) {
	var out []Violation
	if name := src.parsed.Name; slices.Contains(p.Names, strings.TrimSuffix(name.Name, "_test")) {
		at := src.at(name.Pos())
		at.What = fmt.Sprintf("package %s: name it for what it does", name.Name)
		out = append(out, at)
	}
	for _, spec := range src.parsed.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return out, fmt.Errorf("%s: import %s: %w", src.name, spec.Path.Value, err)
		}
		what := p.forbids(path.Dir(src.name), imported)
		if imported == "C" {
			what = "cgo: the tool must build wherever Go does"
		} else if src.test {
			what = ""
		}
		if what != "" {
			at := src.at(spec.Pos())
			at.What = what
			out = append(out, at)
		}
	}
	return out, nil
}

// forbids says why a package in dir may not import a path, or "".
func (p Policy) forbids(dir, imported string) string {
	pkg, ok := p.find(dir)
	if !ok {
		return fmt.Sprintf("%s has no line in the policy: add one to internal/archtest/policy.go", dir)
	}
	if owner, ok := p.Sole[imported]; ok && owner != pkg.Path {
		return fmt.Sprintf("%s may not import %s: only %s does", pkg.Path, imported, owner)
	}
	for _, never := range pkg.Never {
		if imported == never || never != "net" && strings.HasPrefix(imported, never+"/") {
			return fmt.Sprintf("%s may not import %s: it computes, others read and write", pkg.Path, imported)
		}
	}
	if local, ok := p.local(imported); ok {
		return p.forbidsLocal(pkg, local)
	}
	if first, _, _ := strings.Cut(imported, "/"); pkg.Std && strings.Contains(first, ".") {
		return fmt.Sprintf("%s may not import %s: it uses the standard library only", pkg.Path, imported)
	}
	return ""
}

func (p Policy) forbidsLocal(pkg Package, local string) string {
	seen, ok := p.find(local)
	if !ok {
		return fmt.Sprintf("%s imports %s, which has no line in the policy", pkg.Path, local)
	}
	if seen.Path == pkg.Path {
		return ""
	}
	if slices.Contains(p.Top, seen.Path) {
		return fmt.Sprintf("%s may not import %s: nothing imports %s", pkg.Path, called(local), seen.Path)
	}
	if slices.Contains(pkg.Sees, "*") || slices.Contains(pkg.Sees, local) || slices.Contains(pkg.Sees, seen.Path) {
		return ""
	}
	return fmt.Sprintf("%s may not import %s: it sees %s", pkg.Path, called(local), describe(pkg.Sees))
}

// find returns the line for a folder: its own, or that of the nearest folder
// above it. The root's line is for the root alone.
func (p Policy) find(dir string) (Package, bool) {
	for at := dir; ; at = path.Dir(at) {
		for _, pkg := range p.Packages {
			if pkg.Path == at && (at != "." || dir == ".") {
				return pkg, true
			}
		}
		if at == "." {
			return Package{}, false
		}
	}
}

// local returns the folder of a package of the tree.
func (p Policy) local(imported string) (string, bool) {
	if imported == p.Module {
		return ".", true
	}
	return strings.CutPrefix(imported, p.Module+"/")
}

func describe(sees []string) string {
	if len(sees) == 0 {
		return "no other package of this tree"
	}
	names := make([]string, len(sees))
	for i, s := range sees {
		names[i] = called(s)
	}
	return strings.Join(names, ", ")
}

func called(dir string) string {
	if dir == "." {
		return "the root package"
	}
	return dir
}
