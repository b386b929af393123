package survey

import (
	"cmp"
	"context"
	"fmt"
	"go/ast"
	"go/token"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Survey is what a repository says of its services.
type Survey struct {
	Dir       string   // that was looked at, absolute
	Modules   []string // whose source is here
	Workspace bool     // there is a go.work
	Programs  []Program
	Revision  string   // git branch to measure against; empty when there is none
	Unread    []string // files that are no Go
}

// Program is one package main.
type Program struct {
	Package   string // ./cmd/server, relative to Survey.Dir
	Path      string // import path
	Routes    []Route
	Flags     []*Flag
	Variables []Variable
	Addresses []Address
	Command   *Command // without which it does not serve; nil: none
	Pprof     string   // where net/http/pprof is imported; empty: nowhere
	GRPC      string   // where a gRPC server is made
	Unread    []string // places of routes whose patterns are no constants

	web   int    // calls that listen for HTTP
	bare  int    // calls that listen
	port  string // that a constant names for HTTP
	near  int    // of the nearest
	score float64
}

// Serves reports whether the source has a sign of a server.
func (p Program) Serves() bool { return p.web+p.bare > 0 || len(p.Routes) > 0 || p.GRPC != "" }

// Look reads the repository below a folder. Programs come best first. It fails when
// the folder is in no module, or the go command does.
func Look(ctx context.Context, dir string) (Survey, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return Survey{}, fmt.Errorf("look at %s: %w", dir, err)
	}
	if abs, err = filepath.EvalSymlinks(abs); err != nil {
		return Survey{}, fmt.Errorf("look at %s: %w", dir, err)
	}
	modules, packages, err := list(ctx, abs)
	if err != nil {
		return Survey{}, fmt.Errorf("look at %s: %w", dir, err)
	}
	s := Survey{Dir: abs, Workspace: len(modules) > 1, Revision: revision(ctx, abs)}
	for _, m := range modules {
		s.Modules = append(s.Modules, m.Path)
	}
	w := &world{dir: abs, set: token.NewFileSet(), packages: packages, units: map[string]*unit{}, locals: map[*ast.FuncDecl]map[string]ast.Expr{}}
	for _, p := range packages {
		name, below := relative(abs, p.Dir)
		if p.Name != "main" || !below {
			continue
		}
		one := w.program(p)
		one.Package = name
		one.rate(modules)
		s.Programs = append(s.Programs, one)
	}
	slices.SortFunc(s.Programs, func(a, b Program) int {
		return cmp.Or(cmp.Compare(b.score, a.score), strings.Compare(a.Package, b.Package))
	})
	slices.Sort(w.unread)
	s.Unread = w.unread
	return s, nil
}

// program reads one program and what it is made of.
func (w *world) program(p listed) Program {
	out := Program{Path: p.ImportPath, near: unreached}
	units := w.reach(p.ImportPath)
	all := map[string][]*ast.FuncDecl{}
	for _, u := range units {
		for name, fs := range u.funcs {
			all[name] = append(all[name], fs...)
		}
	}
	var listens []Address
	served := false // without a word
	for _, u := range units {
		flags := w.flags(u)
		variables := w.variables(u)
		w.needs(u, flags, variables)
		out.Flags, out.Variables = append(out.Flags, flags...), append(out.Variables, variables...)
	}
	for _, u := range units {
		routes, unread := w.routes(u, all)
		out.Routes, out.Unread = append(out.Routes, routes...), append(out.Unread, unread...)
		l := w.listens(u)
		listens = append(listens, l.found...)
		out.web, out.bare = out.web+l.web, out.bare+l.bare
		if l.web+l.bare+len(routes) > 0 {
			out.near = min(out.near, u.near)
		}
		command, whole := w.command(u, path.Base(p.ImportPath))
		served = served || whole
		if command != nil && (out.Command == nil || command.rank < out.Command.rank) {
			out.Command = command
		}
		w.imports(u, &out)
	}
	if served {
		out.Command = nil
	}
	if out.Command != nil {
		out.Flags = out.Command.own(out.Flags)
	}
	out.port = httpPort(units)
	out.Addresses = addresses(out.Flags, out.Variables, listens)
	out.Variables = distinct(out.Variables)
	slices.SortStableFunc(out.Routes, func(a, b Route) int { return cmp.Compare(b.score, a.score) })
	out.Routes = compacted(out.Routes)
	return out
}

// unreached is farther than any import.
const unreached = 1 << 20

// distinct keeps the first mention of each variable, and whether any is required.
func distinct(all []Variable) []Variable {
	var out []Variable
	for _, v := range all {
		if i := slices.IndexFunc(out, func(o Variable) bool { return o.Name == v.Name }); i >= 0 {
			out[i].required = out[i].required || v.required
			out[i].Default = cmp.Or(out[i].Default, v.Default)
			continue
		}
		out = append(out, v)
	}
	return out
}

// compacted leaves out what is registered twice.
func compacted(all []Route) []Route {
	seen := map[string]bool{}
	return slices.DeleteFunc(all, func(r Route) bool {
		if r.observes {
			return true // never load, and no help as a comment
		}
		key := r.Method + " " + r.Pattern
		twice := seen[key]
		seen[key] = true
		return twice
	})
}

// imports notes net/http/pprof, and servers of gRPC.
func (w *world) imports(u *unit, p *Program) {
	u.each(func(f *ast.File, _ *ast.FuncDecl, n ast.Node) {
		switch n := n.(type) {
		case *ast.ImportSpec:
			if n.Path.Value == `"net/http/pprof"` && p.Pprof == "" {
				p.Pprof = w.place(n)
			}
		case *ast.CallExpr:
			if name, on := called(n); name == "NewServer" && p.GRPC == "" {
				if id, ok := on.(*ast.Ident); ok && imported(f, id.Name) == "google.golang.org/grpc" {
					p.GRPC = w.place(n)
				}
			}
		}
	})
}

var (
	forServers = regexp.MustCompile(`(?i)serv(e|er|ice)|api|http|web|gateway|backend|d$`)
	forOthers  = regexp.MustCompile(`(?i)^_?(examples?|tests?|testdata|tools?|hack|scripts?|internal|gen|generate|bench(mark)?s?|migrat(e|ions?)|cli|client|drive|demo|playground|third_party|fixtures?|docs?|mocks?|score)$`)
)

// rate puts an order on programs: those that serve, near their main package, in a
// folder that is called like a service or the module.
func (p *Program) rate(modules []module) {
	if p.Serves() {
		p.score += 10 - 0.5*float64(min(p.near, 8))
	}
	base := path.Base(p.Path)
	if forServers.MatchString(base) {
		p.score++
	}
	for _, m := range modules {
		name := path.Base(m.Path)
		if version.MatchString(name) {
			name = path.Base(path.Dir(m.Path))
		}
		if base == name || p.Path == m.Path {
			p.score += 2
			break
		}
	}
	for segment := range strings.SplitSeq(p.Package, "/") {
		if forOthers.MatchString(segment) {
			p.score -= 4
		}
		p.score -= 0.1
	}
}
