package unpark

import (
	"path"
	"path/filepath"
	"strings"
	"unicode"
)

// Module splits the file of a place into its module, the module's version, and the file below that:
// cmd/go puts the sources of a module into a folder named after both, in its cache and under
// -trimpath. It is false for what was built from elsewhere: the main module, vendored ones, Go itself.
func (s Site) Module() (module, version, below string, ok bool) {
	module, rest, ok := strings.Cut(filepath.ToSlash(s.File), "@")
	if !ok {
		return "", "", "", false
	}
	version, below, ok = strings.Cut(rest, "/")
	if !ok || !strings.HasPrefix(version, "v") || path.Clean(below) != below || strings.HasPrefix(below, "../") {
		return "", "", "", false
	}
	if _, cached, found := strings.Cut(module, "/pkg/mod/"); found {
		module = cached
	}
	return unescaped(module), version, below, true
}

// unescaped undoes what the module cache does to capitals, which it writes as ! and the letter
// (golang.org/x/mod/module.EscapePath).
func unescaped(p string) string {
	var out strings.Builder
	up := false
	for _, c := range p {
		switch {
		case c == '!':
			up = true
			continue
		case up:
			c = unicode.ToUpper(c)
		}
		up = false
		out.WriteRune(c)
	}
	return out.String()
}
