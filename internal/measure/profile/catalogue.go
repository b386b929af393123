package profile

import (
	"slices"
	"strings"
	"sync"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/roles"
)

// Catalogue knows what frames mean: which are the application's, which serve
// requests, park idle goroutines or belong to the runtime or the observer. It adds
// what is so for one target to the roles of functions (package roles), and looks each
// function up once. It may be used by several goroutines.
type Catalogue struct {
	module string
	org    string          // beginning of the paths of modules of the same organisation, with a slash; empty when it is not known
	own    []string        // paths of modules that are named, without what stands for their rest
	conns  map[string]bool // goroutine entries that read from connections
	facts  *sync.Map       // function → *fact
}

// NewCatalogue returns the catalogue for a target whose main module has this path.
// Modules of the same organisation belong to the application as well, and so do those
// that own names: by their path, or by PATH/... for all that begin so. With "", or the
// path that go run gives a file, the module is known by package main and, unless some
// are named, by file names: sources of other modules lie below a module@version or
// vendor folder.
func NewCatalogue(module string, own ...string) *Catalogue {
	if module == "command-line-arguments" {
		module = ""
	}
	c := &Catalogue{module: module, org: organisation(module), facts: &sync.Map{}}
	for _, pattern := range own {
		path := strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(pattern, "..."), "*"), "/")
		if path != "" {
			c.own = append(c.own, path)
		}
	}
	return c
}

// organisation returns how the paths of modules of the same owner begin, with a slash.
// A host gives each owner a folder (github.com/acme/); a name that its owner gives
// modules by itself (go.acme.io/shop, see go help importpath) is the owner's as a whole.
func organisation(module string) string {
	parts := strings.Split(module, "/")
	switch {
	case !strings.Contains(parts[0], "."), len(parts) < 2:
		return "" // a path that no go command can fetch names no owner
	case len(parts) == 2 && shared(parts[0]):
		return ""
	case len(parts) == 2:
		return parts[0] + "/"
	}
	return parts[0] + "/" + parts[1] + "/"
}

// shared reports whether many owners have modules directly below a host; example.com
// belongs to no one owner (RFC 2606).
func shared(host string) bool {
	switch host {
	case "github.com", "gitlab.com", "bitbucket.org", "codeberg.org", "gopkg.in", "golang.org", "google.golang.org", "example.com":
		return true
	}
	return false
}

// below reports whether a package belongs to a module.
func below(pkg, module string) bool {
	rest, ok := strings.CutPrefix(pkg, module)
	return ok && (rest == "" || rest[0] == '/')
}

// named reports whether a package belongs to a module that is the application's for
// certain.
func (c *Catalogue) named(pkg string) bool {
	if pkg == "main" || c.module != "" && below(pkg, c.module) {
		return true
	}
	for _, path := range c.own {
		if below(pkg, path) {
			return true
		}
	}
	return false
}

// rank says how much a frame belongs to the application.
type rank uint8

const (
	rankNone       rank = iota // Go itself, frameworks, wrappers
	rankThirdParty             // a module that is not known as a framework
	rankInlined                // code of others with the application's name: a closure that the compiler moved there
	rankMain                   // the main module, one of its organisation, or one that is named
)

// fact is what is known of a function, whatever its file.
type fact struct {
	roles.Function
	std, runtime, framework bool
	low                     bool // part of how Go waits, between a wait and its caller
	main                    bool // certainly the application's
	org                     bool // of its organisation
	observer                bool
	request                 bool
}

func (c *Catalogue) fact(function string) *fact {
	if f, ok := c.facts.Load(function); ok {
		return f.(*fact)
	}
	f := c.newFact(function)
	c.facts.Store(function, f)
	return f
}

func (c *Catalogue) newFact(function string) *fact {
	f := &fact{Function: roles.Of(function)}
	pkg := unpark.PackageOf(function)
	f.std, f.runtime, f.low = f.Is(roles.Standard), f.Is(roles.Runtime), f.Is(roles.Low)
	f.framework, f.request = f.Is(roles.Framework), f.Is(roles.Request)
	path := strings.ReplaceAll(pkg, "%2e", ".") // as the linker writes dots of the last element (cmd/internal/objabi/path.go)
	f.main = c.named(path)
	f.org = c.org != "" && strings.HasPrefix(path, c.org) && !below(path, probePath)
	// An overlay build compiles the probe into the target's own module.
	f.observer = f.Is(roles.Observer) || strings.HasSuffix(pkg, "/unparkagent") || pkg == "unparkagent"
	if f.main {
		f.std, f.runtime, f.low = false, false, false
		f.framework = f.framework && below(pkg, probePath)
	}
	return f
}

// Is reports whether a function has a role.
func (c *Catalogue) Is(function string, r roles.Role) bool { return c.fact(function).Is(r) }

// On reports whether a stack runs through a function with a role.
func (c *Catalogue) On(stack []unpark.Site, r roles.Role) bool {
	return slices.ContainsFunc(stack, func(s unpark.Site) bool { return c.Is(s.Function, r) })
}

// probePath is where what unpark adds to a service is.
const probePath = "github.com/unpark-go/unpark/probe"

// rank returns how much a frame belongs to the application.
func (c *Catalogue) rank(s unpark.Site, f *fact) rank {
	switch {
	case c.Generated(s), f.observer && !f.Is(roles.Profiles), f.framework:
		return rankNone
	case f.main && c.inlined(s):
		return rankInlined
	case f.main:
		return rankMain
	case f.std:
		return rankNone
	case f.org, c.module == "" && len(c.own) == 0 && local(s.File):
		return rankMain
	default:
		return rankThirdParty
	}
}

// Generated reports whether a frame is a wrapper that the compiler made.
func (c *Catalogue) Generated(s unpark.Site) bool {
	return s.File == "<autogenerated>" || c.Is(s.Function, roles.Deferred)
}

// local reports whether a source file belongs to no downloaded module.
// cmd/go puts those into folders that end in @version, also under -trimpath.
func local(file string) bool {
	return file != "" && !strings.Contains(file, "@v") && !strings.Contains(file, "/vendor/")
}

// With returns a catalogue that has learned from goroutine and CPU profiles which
// goroutines of the main module serve connections: those whose stack reads from
// one without a client library in between. A server of its own protocol is in no
// table, and that alone distinguishes where its goroutines wait from idle workers.
func (c *Catalogue) With(ps ...*Profile) *Catalogue {
	out := *c
	out.conns = make(map[string]bool)
	for k := range c.conns {
		out.conns[k] = true
	}
	for _, p := range ps {
		if p == nil || p.kind != unpark.KindGoroutine && p.kind != unpark.KindCPU {
			continue
		}
		for _, s := range p.Samples() {
			if entry, ok := c.servesConnection(s.Stack); ok {
				out.conns[entry] = true
			}
		}
	}
	return &out
}

// servesConnection returns the function that a goroutine began with when it reads
// from a connection by itself.
func (c *Catalogue) servesConnection(stack []unpark.Site) (entry string, ok bool) {
	reads := false
	for _, s := range stack {
		f := c.fact(s.Function)
		switch {
		case f.observer, f.request, f.Is(roles.Background), f.WaitBelow != "", f.Is(roles.Start):
			return "", false
		case f.Is(roles.ConnRead):
			reads = true
		}
		if c.rank(s, f) >= rankInlined {
			entry = s.Function
		}
	}
	return entry, reads && entry != ""
}
