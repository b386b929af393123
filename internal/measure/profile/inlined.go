package profile

import (
	"path"
	"strings"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/roles"
)

// inlined reports whether a function with the application's name is a closure of Go's own or of another module. The compiler names a closure after the function
// that it is in, and after that into which this one was inlined: a handler that http.StripPrefix returns to main is
// main.main.StripPrefix.func1 (cmd/compile/internal/ir, closureName). Its file is still net/http/server.go.
func (c *Catalogue) inlined(s unpark.Site) bool {
	name := s.Function[strings.LastIndexByte(s.Function, '/')+1:]
	outer, _, closure := strings.Cut(name, ".func")
	if !closure || strings.Count(strings.ReplaceAll(outer, "(*", ""), ".") < 2 { // package.outer.inlined
		return false
	}
	return c.elsewhere(s.File)
}

// elsewhere reports whether a source file is Go's own or another module's.
func (c *Catalogue) elsewhere(file string) bool {
	if at := strings.Index(file, "@v"); at >= 0 && !strings.Contains(file[:at], "golang.org/toolchain") {
		module := file[:at]
		if _, after, ok := strings.Cut(module, "/pkg/mod/"); ok {
			module = after
		}
		return c.module != module && !c.named(module) && !c.within(module)
	}
	// Under -trimpath a file of Go's own is net/http/server.go, and else below GOROOT/src.
	if _, after, ok := cutLast(file, "/src/"); ok {
		file = after
	} else if path.IsAbs(file) || strings.Contains(file, ":") {
		return false
	}
	dir := path.Dir(file)
	return dir != "." && roles.Of(dir+".f").Is(roles.Standard)
}

// within reports whether one of the paths that are named is inside of a module.
func (c *Catalogue) within(module string) bool {
	for _, own := range c.own {
		if below(own, module) {
			return true
		}
	}
	return false
}

func cutLast(s, sep string) (before, after string, found bool) {
	if at := strings.LastIndex(s, sep); at >= 0 {
		return s[:at], s[at+len(sep):], true
	}
	return s, "", false
}
