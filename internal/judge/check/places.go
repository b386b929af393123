package check

import (
	"path"
	"strings"

	"github.com/unpark-go/unpark"
)

// Places turns file names of a build into names relative to the repository, for
// tools that annotate its lines.
type Places struct {
	Root   string // the repository's folder, absolute, with slashes; empty when unknown
	Module string // import path of the service's module; empty when unknown
	Prefix string // the module's folder below Root, with slashes; "" for Root itself
	built  string // the module's folder where the service was built; "" when unknown
}

// Learn returns the places with the folder in which the service's module was built,
// as the functions and files of its findings tell: a package's folder is its import
// path below the module's.
func (p Places) Learn(findings []unpark.Finding) Places {
	for _, f := range findings {
		all := append([]unpark.Site{f.Site}, f.Path...)
		for _, s := range []*unpark.Site{f.Waiter, f.Holder} {
			if s != nil {
				all = append(all, *s)
			}
		}
		for _, s := range all {
			below, ok := p.below(s.Function)
			dir := path.Dir(slashes(s.File))
			if ok && absolute(dir) && strings.HasSuffix(dir, "/"+below) {
				p.built = strings.TrimSuffix(dir, "/"+below)
				return p
			}
		}
	}
	return p
}

// below returns the folder of a function's package below its module; false for the
// module's own folder, main packages and other modules.
func (p Places) below(function string) (string, bool) {
	stop := len(function)
	if i := strings.IndexAny(function, "[("); i >= 0 {
		stop = i
	}
	slash := strings.LastIndexByte(function[:stop], '/')
	if slash < 0 || p.Module == "" {
		return "", false
	}
	name, _, ok := strings.Cut(function[slash:stop], ".")
	if !ok {
		return "", false
	}
	return strings.CutPrefix(function[:slash]+name, p.Module+"/")
}

// File returns a site's file relative to the repository, with slashes; false, and
// the file as the build names it, when it does not lie in it.
func (p Places) File(s unpark.Site) (string, bool) {
	file := slashes(s.File)
	for _, f := range []struct{ from, to string }{
		{p.Root, ""},
		{p.built, p.Prefix},
		{p.Module, p.Prefix}, // as -trimpath writes it
	} {
		rest, ok := strings.CutPrefix(file, strings.TrimSuffix(f.from, "/")+"/")
		if f.from == "" || !ok {
			continue
		}
		if name := path.Join(f.to, rest); local(name) {
			return name, true
		}
	}
	return file, false
}

// local reports whether a cleaned path stays below where it begins.
func local(name string) bool {
	return name != "" && name != "." && name != ".." && !strings.HasPrefix(name, "../") && !absolute(name)
}

func absolute(name string) bool {
	return strings.HasPrefix(name, "/") || len(name) > 2 && name[1] == ':' && name[2] == '/'
}

func slashes(name string) string {
	if len(name) > 2 && name[1] == ':' && name[2] == '\\' {
		return strings.ReplaceAll(name, `\`, "/")
	}
	return name
}
